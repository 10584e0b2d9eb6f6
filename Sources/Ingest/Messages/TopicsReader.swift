// SPDX-License-Identifier: Apache-2.0

import JSON
package import Messaging
import Platform

/// A topic change: the topics to subscribe to and to unsubscribe from.
package struct TopicChange: Sendable {
    package var subscribe: [TopicName]
    package var unsubscribe: [TopicName]
}

/// Decodes subscriptions from a tape.
enum TopicsReader {
    /// The maximum number of topics of a registration.
    private static let mostTopics = 2_000

    static func change(_ fields: ObjectFields, allowingReserved: Bool) throws(Refusal) -> TopicChange {
        try fields.allow("subscribe", "unsubscribe")
        let change = TopicChange(
            subscribe: try topics("subscribe", fields, allowingReserved), unsubscribe: try topics("unsubscribe", fields, allowingReserved))
        guard !change.subscribe.isEmpty || !change.unsubscribe.isEmpty else {
            throw .field("subscribe", "missing", "or unsubscribe must contain a topic")
        }
        let joined = Set(change.subscribe)
        if let both = change.unsubscribe.firstIndex(where: joined.contains) {
            throw .field("unsubscribe[\(both)]", "contradicts", "is also in subscribe", hint: "List each topic once.")
        }
        return change
    }

    private static func topics(_ name: String, _ fields: ObjectFields, _ allowingReserved: Bool) throws(Refusal) -> [TopicName] {
        var topics: [TopicName] = []
        for (text, field) in try fields.texts(name, atMost: mostTopics) ?? [] {
            topics.append(try TopicName(text, allowingReserved: allowingReserved, field: field))
        }
        return topics
    }

    static func tokens(_ fields: ObjectFields) throws(Refusal) -> [RegistrationToken] {
        guard let found = try fields.texts("tokens", atMost: MessageLimits.tokens) else {
            throw .field("tokens", "missing", "is required", hint: "Send a list of 1 to \(MessageLimits.tokens) tokens.")
        }
        try MessageLimits.tokens(found.count)
        var tokens: [RegistrationToken] = []
        for (text, field) in found { tokens.append(try RegistrationToken(text, field: field)) }
        return tokens
    }
}
