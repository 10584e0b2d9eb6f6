// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Messaging
package import Platform

/// An FCM message as a native publication.
package struct FirebaseMessage: Sendable {
    package var publication: Publication
    /// Whether the message addresses an installation instead of a registration token. FCM reports an unregistered one differently.
    package var isToInstallation: Bool
}

/// A topic change of the Instance ID API: the topic and the registrations.
package struct FirebaseTopicChange: Sendable {
    package var topic: TopicName
    package var tokens: [String]
}

/// Decodes the messages and topic changes of Firebase's server SDKs.
package struct FirebaseMessages: Sendable {
    /// Covers three platform sections and the common fields, with spaces and escapes.
    private static let ofMessage = JSONLimits(bytes: 64 << 10, tokens: 20_000, depth: 32)
    /// Covers a thousand tokens of maximum length.
    private static let ofTopics = JSONLimits(bytes: 4 << 20, tokens: 20_000, depth: 8)
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    package func message(_ body: [UInt8], now: Timestamp) throws(Refusal) -> FirebaseMessage {
        let request = try fields(body, FirebaseMessages.ofMessage)
        try request.allow("validate_only", "message")
        guard let message = try request.object("message") else { throw .field("message", "missing", "is required") }
        var read = try FirebaseMessageReader(message, now: now).read()
        read.publication.draft.validateOnly = try request.flag("validate_only") ?? false
        return read
    }

    package func topicChange(_ body: [UInt8]) throws(Refusal) -> FirebaseTopicChange {
        let request = try fields(body, FirebaseMessages.ofTopics)
        let topic = try FirebaseMessages.topic(try request.text("to") ?? "", field: "to")
        let tokens = try request.texts("registration_tokens") ?? []
        guard (1...MessageLimits.tokens).contains(tokens.count) else {
            throw .field("registration_tokens", "bad_count", "must have 1 to \(MessageLimits.tokens) tokens")
        }
        return FirebaseTopicChange(topic: topic, tokens: tokens)
    }

    /// Returns a topic name with or without the prefix `/topics/`.
    package static func topic(_ text: String, field: String, allowingReserved: Bool = true) throws(Refusal) -> TopicName {
        let before = "/topics/"
        return try TopicName(text.hasPrefix(before) ? String(text.dropFirst(before.count)) : text, allowingReserved: allowingReserved, field: field)
    }

    private func fields(_ body: [UInt8], _ limits: JSONLimits) throws(Refusal) -> FirebaseFields {
        let tape = try parser.withReader { reader throws(Refusal) in
            do throws(JSONError) {
                return try reader.parse(body, limits: limits)
            } catch {
                throw Refusal(error)
            }
        }
        guard tape[0].kind == .object else { throw Refusal(.badRequest, "The body is JSON, but not an object.") }
        return try FirebaseFields(0, of: tape)
    }
}
