// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What every receiver of a message gets alike: the fields of `data` in the body, as they stand in its JSON.
package struct MessageContent: Sendable {
    package var id: String
    package var topic: String?
    package var condition: String?
    /// Compact JSON objects, as checked when the message was taken.
    package var notification: [UInt8]?
    package var data: [UInt8]?
    package var platform: [UInt8]?
    /// Only of the daemon's own messages: a sentence at the top of the body, which chat webhooks show.
    package var text: String?
    package var label: String?
    package var collapseKey: String?
    package var priority: MessagePriority
    package var sent: Timestamp
    package var expires: Timestamp

    package init(
        id: String, topic: String? = nil, condition: String? = nil, notification: [UInt8]? = nil, data: [UInt8]? = nil,
        platform: [UInt8]? = nil, text: String? = nil, label: String? = nil, collapseKey: String? = nil, priority: MessagePriority = .normal,
        sent: Timestamp, expires: Timestamp
    ) {
        self.id = id
        self.topic = topic
        self.condition = condition
        self.notification = notification
        self.data = data
        self.platform = platform
        self.text = text
        self.label = label
        self.collapseKey = collapseKey
        self.priority = priority
        self.sent = sent
        self.expires = expires
    }
}

package enum MessagePriority: Int, StoredWord {
    case normal = 1
    case high = 2
}
