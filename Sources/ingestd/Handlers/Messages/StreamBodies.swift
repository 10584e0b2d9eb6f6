// SPDX-License-Identifier: Apache-2.0

import Delivery
import MessageStore
import Platform
import AcrossStores

/// The bodies of messages for readers of streams. Concurrent readers of a message share one look-up.
actor StreamBodies {
    private let messages: MessageStore
    private var known = BodyCache()
    private var lookUps: [Int64: Task<DeliveryBody?, any Error>] = [:]

    init(_ messages: MessageStore) {
        self.messages = messages
    }

    /// Returns nil if the message is deleted.
    func body(of message: Int64, expires: Timestamp) async throws -> DeliveryBody? {
        if let body = known.body(of: message, expires: expires) { return body }
        let lookUp = lookUps[message] ?? Task { [messages] in try await messages.content(of: message).map { DeliveryBody($0) } }
        lookUps[message] = lookUp
        defer { lookUps[message] = nil }
        let body = try await lookUp.value
        if let body { known.keep(body, of: message) }
        return body
    }
}
