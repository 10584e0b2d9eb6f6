// SPDX-License-Identifier: Apache-2.0

import JSON
import Messaging
import Platform

/// Decodes an FCM message. Common fields become native ones; platform sections are passed on unchanged.
///
///     {"message": {"topic": "news", "notification": {"title": "Hi"}, "android": {"ttl": "3600s"}}}
///       → topic `news`, title `Hi`, TTL 1 h
struct FirebaseMessageReader {
    private let message: FirebaseFields
    private let overrides: FirebaseOverrides

    init(_ message: FirebaseFields, now: Timestamp) throws(Refusal) {
        self.message = message
        overrides = try FirebaseOverrides(message, now: now)
    }

    func read() throws(Refusal) -> FirebaseMessage {
        try message.allow("name", "fid", "token", "topic", "condition", "notification", "data", "android", "apns", "webpush", "fcm_options")
        var draft = MessageDraft(to: try target())
        draft.notification = try notification()
        draft.data = try data()
        if let ttl = try overrides.ttl() { draft.ttl = ttl }
        draft.priority = try overrides.priority()
        draft.collapseKey = try overrides.collapseKey()
        draft.label = try overrides.label()
        let (notification, data) = (draft.notification?.json, draft.data?.json)
        try within { () throws(Refusal) in
            try MessageLimits.payload(notificationBytes: notification?.count ?? 0, dataBytes: data?.count ?? 0)
        }
        let publication = Publication(draft, notification: notification, data: data, platform: try platform())
        return FirebaseMessage(publication: publication, isToInstallation: message.place("fid") != nil)
    }

    // MARK: Target

    private func target() throws(Refusal) -> MessageDraft.Target {
        let named = ["token", "fid", "topic", "condition"].filter { message.place($0) != nil }
        guard let name = named.first, let text = try message.text(name) else {
            throw .field("message", "missing", "has no recipient", hint: "Set token, fid, topic or condition.")
        }
        guard named.count == 1 else { throw .field(message.within(named[1]), "two_targets", "conflicts with \(name); a message has one recipient") }
        let field = message.within(name)
        switch name {
        case "topic": return .topic(try FirebaseMessages.topic(text, field: field, allowingReserved: false))
        case "condition": return .condition(try within { () throws(Refusal) in try Condition(text) })
        default: return .token(try RegistrationToken(text, field: field))
        }
    }

    // MARK: Content

    private func notification() throws(Refusal) -> MessageDraft.Notification? {
        guard let object = try message.object("notification") else { return nil }
        try object.allow("title", "body", "image")
        let found = MessageDraft.Notification(title: try object.text("title"), body: try object.text("body"), image: try object.text("image"))
        return found == MessageDraft.Notification() ? nil : found
    }

    private func data() throws(Refusal) -> MessageData? {
        guard let place = message.place("data") else { return nil }
        return try within { () throws(Refusal) in try MessageReader.data(place, of: message.tape) }
    }

    private func platform() throws(Refusal) -> [UInt8]? {
        let parts = ["android", "apns", "webpush", "fcm_options"].compactMap { name in message.place(name).map { (name: name, place: $0) } }
        guard !parts.isEmpty else { return nil }
        var json = JSONWriter()
        json.beginObject()
        for part in parts {
            json.key(part.name)
            try json.compact(part.place, of: message.tape)
        }
        json.endObject()
        try MessageLimits.platform(bytes: json.bytes.count, field: "message")
        return json.bytes
    }

    /// Runs `read` and prefixes the fields of its refusal with the path of the message, since native field names are one level higher.
    private func within<T>(_ read: () throws(Refusal) -> T) throws(Refusal) -> T {
        do throws(Refusal) {
            return try read()
        } catch {
            throw error.within(message.path)
        }
    }
}

extension Refusal {
    /// Returns the refusal with its fields below `path`.
    fileprivate func within(_ path: String) -> Refusal {
        var refusal = self
        refusal.fields = fields.map { Field("\(path).\($0.field)", $0.code, $0.message) }
        if let name = fields.first?.field, detail.hasPrefix(name) { refusal.detail = "\(path).\(detail)" }
        return refusal
    }
}
