// SPDX-License-Identifier: Apache-2.0

import JSON
package import Messaging
import Platform

/// The request body of a message, built once. Only the token differs between endpoints.
package struct DeliveryBody: Sendable {
    /// The time of expiry in the body. It changes when a dead letter is redriven.
    let expires: Timestamp
    private let beforeToken: [UInt8]
    private let behindToken: [UInt8]

    package init(_ content: MessageContent) {
        expires = content.expires
        var json = JSONWriter(reserving: 512 + (content.notification?.count ?? 0) + (content.data?.count ?? 0) + (content.platform?.count ?? 0))
        json.beginObject()
        json.field("type", "message")
        json.field("timestamp", content.sent.rfc3339)
        if let text = content.text { json.field("text", text) }
        json.key("data")
        json.beginObject()
        json.field("message_id", content.id)
        json.key("token")
        let start = json.bytes.count
        json.string("")
        let end = json.bytes.count
        json.write(content)
        json.endObject()
        json.endObject()
        (beforeToken, behindToken) = (Array(json.bytes[..<start]), Array(json.bytes[end...]))
    }

    package func bytes(token: String) -> [UInt8] {
        var json = JSONWriter(reserving: token.utf8.count + 2)
        json.string(token)
        var out: [UInt8] = []
        out.reserveCapacity(beforeToken.count + json.bytes.count + behindToken.count)
        out += beforeToken
        out += json.bytes
        out += behindToken
        return out
    }
}

extension JSONWriter {
    /// Writes the fields of `data` after the token.
    fileprivate mutating func write(_ content: MessageContent) {
        if let topic = content.topic { field("topic", topic) }
        if let condition = content.condition { field("condition", condition) }
        if let user = content.user { field("user", user) }
        if let notification = content.notification { field("notification", json: notification) }
        if let data = content.data { field("data", json: data) }
        if let platform = content.platform { field("platform", json: platform) }
        if let label = content.label { field("label", label) }
        if let key = content.collapseKey { field("collapse_key", key) }
        field("priority", content.priority.name)
        field("sent_at", content.sent.rfc3339)
        field("expires_at", content.expires.rfc3339)
    }

    private mutating func field(_ name: String, json: [UInt8]) {
        key(name)
        raw(json[...])
    }
}
