// SPDX-License-Identifier: Apache-2.0

import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

extension JSONWriter {
    /// The fields of a message, inside an object.
    mutating func write(_ status: MessageStatus) {
        let content = status.content
        field("id", content.id)
        key("target")
        writeTarget(of: status)
        write("notification", content.notification)
        write("data", content.data)
        write("platform", content.platform)
        write("text", content.text)
        write("label", content.label)
        write("collapse_key", content.collapseKey)
        field("priority", content.priority.name)
        field("stage", status.stage.name)
        field("created_at", status.created.rfc3339)
        if let time = status.sendAt { field("send_at", time.rfc3339) }
        if let time = status.sentAt { field("sent_at", time.rfc3339) }
        field("expires_at", content.expires.rfc3339)
        field("audience", status.audience)
        key("counts")
        write(status.counts)
    }

    /// Tokens are not told again, only how many of them were addressed.
    private mutating func writeTarget(of status: MessageStatus) {
        beginObject()
        if let topic = status.content.topic {
            field("topic", topic)
        } else if let condition = status.content.condition {
            field("condition", condition)
        } else {
            field("tokens", status.audience)
        }
        endObject()
    }

    private mutating func write(_ counts: [DeliveryState: Int]) {
        beginObject()
        for state in DeliveryState.allCases {
            if let count = counts[state] { field(state.name, count) }
        }
        endObject()
    }

    private mutating func write(_ name: String, _ text: String?) {
        if let text { field(name, text) }
    }

    private mutating func write(_ name: String, _ json: [UInt8]?) {
        guard let json else { return }
        key(name)
        raw(json[...])
    }
}
