// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A message sent by a server to this installation.
public struct RemoteMessage: Sendable, Equatable, Identifiable {
    /// The user-visible part of a message.
    public struct Notification: Sendable, Equatable, Decodable {
        /// The title.
        public var title: String?
        /// The body text.
        public var body: String?
        /// The URL of an image.
        public var image: String?

        /// Creates a notification, for tests.
        public init(title: String? = nil, body: String? = nil, image: String? = nil) {
            self.title = title
            self.body = body
            self.image = image
        }
    }

    /// The message ID; pass it as `message_id` of `notification_receive` and `notification_open` events.
    public var id: String
    /// The topic that the message was sent to; `nil` otherwise.
    public var topic: String?
    /// The topic condition that the message was sent to; `nil` otherwise.
    public var condition: String?
    /// The user-visible part; `nil` for a data message.
    public var notification: Notification?
    /// The app-defined key-value pairs.
    public var data: [String: String]
    /// The campaign label.
    public var label: String?
    /// Identifies messages that replace each other; only the newest one matters.
    public var collapseKey: String?
    /// Whether the message was sent with high priority.
    public var isUrgent: Bool
    /// The time at which the message was sent.
    public var sentAt: Date
    /// The time at which the message expires.
    public var expiresAt: Date

    /// Creates a message, for tests.
    public init(
        id: String, topic: String? = nil, condition: String? = nil, notification: Notification? = nil, data: [String: String] = [:],
        label: String? = nil, collapseKey: String? = nil, isUrgent: Bool = false, sentAt: Date = Date(), expiresAt: Date = .distantFuture
    ) {
        self.id = id
        self.topic = topic
        self.condition = condition
        self.notification = notification
        self.data = data
        self.label = label
        self.collapseKey = collapseKey
        self.isUrgent = isUrgent
        self.sentAt = sentAt
        self.expiresAt = expiresAt
    }
}

extension RemoteMessage: Decodable {
    private enum Key: String, CodingKey { case data }

    private enum Field: String, CodingKey {
        case id = "message_id"
        case collapseKey = "collapse_key"
        case sentAt = "sent_at"
        case expiresAt = "expires_at"
        case topic, condition, notification, data, label, priority
    }

    /// Decodes a message of the daemon's stream and ignores unknown fields.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self).nestedContainer(keyedBy: Field.self, forKey: .data)
        id = try fields.decode(String.self, forKey: .id)
        topic = try fields.decodeIfPresent(String.self, forKey: .topic)
        condition = try fields.decodeIfPresent(String.self, forKey: .condition)
        notification = try fields.decodeIfPresent(Notification.self, forKey: .notification)
        data = try fields.decodeIfPresent([String: String].self, forKey: .data) ?? [:]
        label = try fields.decodeIfPresent(String.self, forKey: .label)
        collapseKey = try fields.decodeIfPresent(String.self, forKey: .collapseKey)
        isUrgent = try fields.decodeIfPresent(String.self, forKey: .priority) == "high"
        sentAt = try RemoteMessage.time(fields, .sentAt)
        expiresAt = try RemoteMessage.time(fields, .expiresAt)
    }

    private static func time(_ fields: KeyedDecodingContainer<Field>, _ key: Field) throws -> Date {
        let text = try fields.decode(String.self, forKey: key)
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        if let time = format.date(from: text) { return time }
        format.formatOptions = .withInternetDateTime
        guard let time = format.date(from: text) else { throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: "no time") }
        return time
    }
}
