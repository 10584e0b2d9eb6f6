// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A message from a server to this installation.
public struct RemoteMessage: Sendable, Equatable, Identifiable {
    /// What a person is shown.
    public struct Notification: Sendable, Equatable, Decodable {
        /// The line above.
        public var title: String?
        /// The text.
        public var body: String?
        /// The address of a picture.
        public var image: String?

        /// A notification for tests.
        public init(title: String? = nil, body: String? = nil, image: String? = nil) {
            self.title = title
            self.body = body
            self.image = image
        }
    }

    /// The message's id: the parameter `message_id` of the events `notification_receive` and `notification_open`.
    public var id: String
    /// The topic it was sent to, if it was one.
    public var topic: String?
    /// The condition over topics it was sent to, if it was one.
    public var condition: String?
    /// What a person is shown, if anything.
    public var notification: Notification?
    /// What the app itself is told.
    public var data: [String: String]
    /// The campaign's name.
    public var label: String?
    /// Of messages with the same one only the newest counts.
    public var collapseKey: String?
    /// Whether it should not wait.
    public var isUrgent: Bool
    /// When it was sent.
    public var sentAt: Date
    /// Until when it is of use.
    public var expiresAt: Date

    /// A message for tests.
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

    /// Reads what the daemon's stream has for a message; what it does not know it passes over.
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
