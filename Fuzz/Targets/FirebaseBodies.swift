// SPDX-License-Identifier: Apache-2.0

import Ingest
import Messaging

/// FCM messages and topic changes. Accepted ones are within their limits and valid JSON.
enum FirebaseBodies {
    private static let decoder = FirebaseMessages(parser: Given.parser)

    static func run(_ bytes: [UInt8]) {
        if let publication = try? decoder.message(bytes, now: Given.received).publication {
            accepted()
            let payload = (publication.notification?.count ?? 0) + (publication.data?.count ?? 0)
            require(payload <= 4_096 && publication.platform?.count ?? 0 <= 12_288, "a payload beyond its limit")
            for part in [publication.notification, publication.data, publication.platform].compactMap({ $0 }) {
                checkJSON(part)
                require(!part.contains { $0 < 0x20 }, "a part of more than one line")
            }
        }
        if let change = try? decoder.topicChange(bytes) {
            accepted()
            require(change.tokens.count <= 1_000, "more tokens than a request may name")
        }
    }
}
