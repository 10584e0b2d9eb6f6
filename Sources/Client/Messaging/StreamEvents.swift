// SPDX-License-Identifier: Apache-2.0

import Foundation

extension MessageBuffer.Entry {
    init(_ event: ServerSentEventParser.Event) {
        let message = event.name == "message" ? try? JSONDecoder().decode(RemoteMessage.self, from: Data(event.data.utf8)) : nil
        self.init(id: message?.id ?? "\(event.name) \(event.id)", cursor: event.id, message: message)
    }
}

extension ServerSentEventParser.Event {
    /// The number of dropped messages reported by a `gap` event.
    var missed: Int? {
        struct Gap: Decodable { var missed: Int }
        guard name == "gap" else { return nil }
        return try? JSONDecoder().decode(Gap.self, from: Data(data.utf8)).missed
    }
}
