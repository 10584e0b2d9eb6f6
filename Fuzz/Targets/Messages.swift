// SPDX-License-Identifier: Apache-2.0

import Ingest
import Messaging

/// Message and registration bodies. Accepted ones are within their limits.
enum MessageBodies {
    private static let decoder = NativeMessages(parser: Given.parser)

    static func run(_ bytes: [UInt8]) {
        if let publication = try? decoder.publication(bytes, now: Given.received) {
            accepted()
            let payload = (publication.notification?.count ?? 0) + (publication.data?.count ?? 0)
            require(payload <= 4_096, "a payload beyond its limit")
            for part in [publication.notification, publication.data].compactMap({ $0 }) { checkJSON(part) }
        }
        if (try? decoder.topics(bytes, allowingReserved: false)) != nil { accepted() }
        if let tokens = try? decoder.tokens(bytes) {
            accepted()
            require(tokens.count <= 1_000, "more tokens than a request may name")
        }
        if let request = try? decoder.registration(bytes) {
            accepted()
            for token in [request.draft.token, request.draft.replaces].compactMap(\.self) {
                require((8...2_048).contains(token.text.utf8.count), "a token beyond its limits")
            }
        }
    }
}

/// Conditions. An accepted one prints a text with the same truth table.
enum Conditions {
    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let condition = try? Condition(text) else { return }
        accepted()
        require(condition.topics.count <= 5 && Set(condition.topics).count == condition.topics.count, "topics beyond their number, or twice")
        guard let again = try? Condition(condition.description) else { return require(false, "what is written cannot be read") }
        require(again.topics == condition.topics, "other topics")
        for held in 0..<1 << condition.topics.count {
            func isIn(_ place: Int) -> Bool { held >> place & 1 == 1 }
            require(again.matches(isIn) == condition.matches(isIn), "another meaning")
        }
    }
}

/// Webhook URLs. An accepted one has the normalized form, which reads as itself.
enum WebhookURLs {
    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let url = try? WebhookURL(text) else { return }
        accepted()
        require(url.text.utf8.count <= WebhookURL.mostBytes + 1, "longer than it may be")
        require(url.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "something that is no URL")
        let again = try? WebhookURL(url.text)
        require(again?.text == url.text && again?.origin == url.origin, "another address")
    }
}
