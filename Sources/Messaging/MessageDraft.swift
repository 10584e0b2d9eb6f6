// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A message to publish, validated except for checks against stored data.
package struct MessageDraft: Sendable, Equatable {
    package enum Target: Sendable, Equatable {
        case topic(TopicName)
        case token(RegistrationToken)
        case tokens([RegistrationToken])
        case condition(Condition)
        /// All devices whose owner was proved to be this user.
        case user(String)
    }

    package var target: Target
    package var notification: Notification?
    package var data: MessageData?
    package var ttl = MessageLimits.longestTTL
    package var collapseKey: CollapseKey?
    package var priority = MessagePriority.normal
    /// The scheduled time; nil for immediately.
    package var sendAt: Timestamp?
    package var label: MessageLabel?
    /// Whether the message is validated and counted but not sent.
    package var validateOnly = false

    package init(to target: Target) {
        self.target = target
    }

    /// The visible part of a message.
    package struct Notification: Sendable, Equatable {
        package var title: String?
        package var body: String?
        package var image: String?

        package init(title: String? = nil, body: String? = nil, image: String? = nil) {
            self.title = title
            self.body = body
            self.image = image
        }
    }
}

/// Limits of size and time.
package enum MessageLimits {
    package static let tokens = 1_000
    /// FCM's four weeks; also the default TTL.
    package static let longestTTL = Timestamp.Span.days(28)
    static let furthestSendAt = Timestamp.Span.days(30)
    /// The limit of notification and data as compact JSON.
    package static let payloadBytes = 4_096
    /// The limit of the platform sections together: three times the limit of one.
    static let platformBytes = 12_288

    package static func tokens(_ count: Int) throws(Refusal) {
        guard (1...tokens).contains(count) else { throw .field("tokens", "bad_count", "must have 1 to \(tokens) tokens") }
    }

    package static func ttl(seconds: Int) throws(Refusal) -> Timestamp.Span {
        let most = Int(longestTTL.milliseconds / 1_000)
        guard (0...most).contains(seconds) else { throw .field("ttl", "out_of_range", "must be 0 to \(most) seconds (four weeks)") }
        return .seconds(Int64(seconds))
    }

    /// Returns the scheduled time; nil for a time in the past, which means immediately.
    package static func sendAt(_ time: Timestamp, now: Timestamp) throws(Refusal) -> Timestamp? {
        guard time <= now + furthestSendAt else { throw .field("send_at", "too_far", "may be at most 30 days in the future") }
        return time > now ? time : nil
    }

    /// Checks the sizes as compact JSON. Missing parts have no bytes.
    package static func payload(notificationBytes: Int, dataBytes: Int) throws(Refusal) {
        let bytes = notificationBytes + dataBytes
        guard bytes <= payloadBytes else {
            throw .field(
                notificationBytes > dataBytes ? "notification" : "data", "payload_too_large",
                "brings notification and data to \(bytes) bytes of compact JSON; the limit is \(payloadBytes)",
                hint: "Send an ID and let the client fetch the rest.")
        }
    }

    /// Checks the size of the platform sections as compact JSON.
    package static func platform(bytes: Int, field: String = "platform") throws(Refusal) {
        guard bytes <= platformBytes else {
            throw .field(field, "payload_too_large", "has \(bytes) bytes of compact JSON; the limit is \(platformBytes)")
        }
    }
}
