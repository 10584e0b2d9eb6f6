// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The part of a message that is the same for every endpoint: the fields of `data` in the body, as JSON.
package struct MessageContent: Sendable {
    package var id: String
    package var topic: String?
    package var condition: String?
    /// The user that it is addressed to.
    package var user: String?
    /// Compact JSON objects, validated when the message was published.
    package var notification: [UInt8]?
    package var data: [UInt8]?
    package var platform: [UInt8]?
    /// A sentence at the top of the body, shown by chat webhooks. Only the daemon's own alerts have one.
    package var text: String?
    package var label: String?
    package var collapseKey: String?
    package var priority: MessagePriority
    package var sent: Timestamp
    package var expires: Timestamp

    package init(
        id: String, topic: String? = nil, condition: String? = nil, user: String? = nil, notification: [UInt8]? = nil,
        data: [UInt8]? = nil, platform: [UInt8]? = nil, text: String? = nil, label: String? = nil, collapseKey: String? = nil,
        priority: MessagePriority = .normal,
        sent: Timestamp, expires: Timestamp
    ) {
        self.id = id
        self.topic = topic
        self.condition = condition
        self.user = user
        (self.notification, self.data, self.platform, self.text) = (notification, data, platform, text)
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
