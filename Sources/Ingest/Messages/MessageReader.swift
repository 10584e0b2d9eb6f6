// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Messaging
import Platform

/// Decodes a message from a tape.
struct MessageReader {
    private let fields: ObjectFields
    private let now: Timestamp

    init(_ fields: ObjectFields, now: Timestamp) {
        self.fields = fields
        self.now = now
    }

    func publication() throws(Refusal) -> Publication {
        try fields.allow(
            "topic", "token", "tokens", "condition", "user", "notification", "data", "platform", "ttl", "collapse_key", "priority", "send_at",
            "label",
            "validate_only")
        var draft = MessageDraft(to: try target())
        draft.notification = try notification()
        draft.data = try data()
        guard draft.notification != nil || draft.data != nil else {
            throw .field("notification", "missing", "or data is required", hint: "A notification is shown to the user; data is for the app.")
        }
        if let ttl = try ttl() { draft.ttl = ttl }
        draft.collapseKey = try fields.text("collapse_key").map { (text) throws(Refusal) in try CollapseKey(text) }
        draft.priority = try fields.word("priority", MessagePriority.self) ?? .normal
        draft.sendAt = try sendAt()
        draft.label = try fields.text("label").map { (text) throws(Refusal) in try MessageLabel(text) }
        draft.validateOnly = try fields.flag("validate_only") ?? false
        let (notification, data) = (draft.notification?.json, draft.data?.json)
        try MessageLimits.payload(notificationBytes: notification?.count ?? 0, dataBytes: data?.count ?? 0)
        return Publication(draft, notification: notification, data: data, platform: try platform())
    }

    // MARK: Target

    private func target() throws(Refusal) -> MessageDraft.Target {
        let named = ["topic", "token", "tokens", "condition", "user"].filter(fields.has)
        guard named.count <= 1 else {
            throw .field(named[1], "two_targets", "conflicts with \(named[0])", hint: "A message has one target; send one message for each.")
        }
        switch named.first {
        case "topic": return .topic(try TopicName(try fields.text("topic") ?? ""))
        case "token": return .token(try RegistrationToken(try fields.text("token") ?? ""))
        case "tokens": return .tokens(try TopicsReader.tokens(fields))
        case "condition": return .condition(try Condition(try fields.text("condition") ?? ""))
        case "user": return .user(try fields.shortText("user", limit: FixedLimits.personLength) ?? "")
        default: throw .field("topic", "missing", "or another target is required", hint: "Set topic, token, tokens, condition or user.")
        }
    }

    // MARK: Content

    private func notification() throws(Refusal) -> MessageDraft.Notification? {
        guard let object = try fields.object("notification") else { return nil }
        try object.allow("title", "body", "image")
        let found = MessageDraft.Notification(title: try object.text("title"), body: try object.text("body"), image: try object.text("image"))
        guard found != MessageDraft.Notification() else {
            throw .field("notification", "empty", "must have a title, a body or an image", hint: "Omit it for a message that is not shown.")
        }
        return found
    }

    private func data() throws(Refusal) -> MessageData? {
        guard let index = fields.index("data") else { return nil }
        return try MessageReader.data(index, of: fields.tape)
    }

    static func data(_ index: Int, of tape: JSONTape) throws(Refusal) -> MessageData? {
        guard tape[index].kind == .object else { throw .field("data", "wrong_type", "must be an object of strings") }
        var found: [MessageData.Field] = []
        var at = index + 1
        while at < tape[index].next {
            guard let key = tape.text(tape[at]) else { throw .field("data", "bad_key", "has a key that is not valid text") }
            let value = tape[at].next
            guard tape[value].kind == .string, let text = tape.text(tape[value]) else {
                throw .field("data." + VerdictMessages.short(key), "wrong_type", "must be a string", hint: "Write numbers and objects as text.")
            }
            found.append(MessageData.Field(key, text))
            at = tape[value].next
        }
        return found.isEmpty ? nil : try MessageData(found)
    }

    private func platform() throws(Refusal) -> [UInt8]? {
        guard let index = fields.index("platform") else { return nil }
        guard fields.tape[index].kind == .object else { throw .field("platform", "wrong_type", "must be an object") }
        var json = JSONWriter()
        try json.compact(index, of: fields.tape)
        try MessageLimits.platform(bytes: json.bytes.count)
        return json.bytes
    }

    // MARK: Schedule

    /// Reads whole seconds as a number or in FCM's form: `3600` or `"3600s"`.
    private func ttl() throws(Refusal) -> Timestamp.Span? {
        guard let index = fields.index("ttl") else { return nil }
        let token = fields.tape[index]
        if let seconds = token.integer { return try MessageLimits.ttl(seconds: Int(seconds)) }
        guard token.kind == .string, let text = fields.tape.text(token), text.hasSuffix("s"), let seconds = Int(text.dropLast()) else {
            throw .field("ttl", "wrong_type", "must be a whole number of seconds", hint: "An hour is 3600 or \"3600s\".")
        }
        return try MessageLimits.ttl(seconds: seconds)
    }

    private func sendAt() throws(Refusal) -> Timestamp? {
        guard let index = fields.index("send_at") else { return nil }
        guard let time = Timestamp(index, in: SourceText(tape: fields.tape)) else {
            throw .field("send_at", "bad_time", "must be a time such as 2026-11-21T08:00:00Z", hint: "Omit it to send immediately.")
        }
        return try MessageLimits.sendAt(time, now: now)
    }
}

extension MessageDraft.Notification {
    /// The JSON that is delivered. Missing fields are omitted.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        if let title { json.field("title", title) }
        if let body { json.field("body", body) }
        if let image { json.field("image", image) }
        json.endObject()
        return json.bytes
    }
}

extension MessageData {
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for field in fields { json.field(field.key, field.value) }
        json.endObject()
        return json.bytes
    }
}
