// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What somebody wants sent, checked in all that needs no look at what is stored.
package struct MessageDraft: Sendable, Equatable {
    package enum Target: Sendable, Equatable {
        case topic(TopicName)
        case token(RegistrationToken)
        case tokens([RegistrationToken])
        case condition(Condition)
    }

    package var target: Target
    package var notification: Notification?
    package var data: MessageData?
    package var ttl = MessageLimits.longestTTL
    package var collapseKey: CollapseKey?
    package var priority = MessagePriority.normal
    /// Nil is at once.
    package var sendAt: Timestamp?
    package var label: MessageLabel?
    /// Checked and counted, and then not sent.
    package var validateOnly = false

    package init(to target: Target) {
        self.target = target
    }

    /// What a person is shown.
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

/// How much and how long.
package enum MessageLimits {
    package static let tokens = 1_000
    /// FCM's four weeks; what is sent without a time to live has this one.
    package static let longestTTL = Timestamp.Span.days(28)
    package static let furthestSendAt = Timestamp.Span.days(30)
    /// Of notification and data as compact JSON.
    package static let payloadBytes = 4_096
    /// Of what is for one platform each, three times that.
    package static let platformBytes = 12_288

    package static func tokens(_ count: Int) throws(Refusal) {
        guard (1...tokens).contains(count) else { throw .field("tokens", "bad_count", "must hold 1 to \(tokens) tokens") }
    }

    package static func ttl(seconds: Int) throws(Refusal) -> Timestamp.Span {
        let most = Int(longestTTL.milliseconds / 1_000)
        guard (0...most).contains(seconds) else { throw .field("ttl", "out_of_range", "must be 0 to \(most) seconds, which are four weeks") }
        return .seconds(Int64(seconds))
    }

    /// Nil for a time that is past: that is at once.
    package static func sendAt(_ time: Timestamp, now: Timestamp) throws(Refusal) -> Timestamp? {
        guard time <= now + furthestSendAt else { throw .field("send_at", "too_far", "may be at most 30 days ahead") }
        return time > now ? time : nil
    }

    /// Both as compact JSON, as receivers get them; what is not sent has no bytes.
    package static func payload(notificationBytes: Int, dataBytes: Int) throws(Refusal) {
        let bytes = notificationBytes + dataBytes
        guard bytes <= payloadBytes else {
            throw .field(
                notificationBytes > dataBytes ? "notification" : "data", "payload_too_large",
                "makes \(bytes) bytes with what goes along, of notification and data as compact JSON; at most \(payloadBytes) are sent",
                hint: "Send an id, and let the receiver ask for the rest.")
        }
    }

    /// Of what only some platforms understand, as compact JSON.
    package static func platform(bytes: Int, field: String = "platform") throws(Refusal) {
        guard bytes <= platformBytes else {
            throw .field(field, "payload_too_large", "makes \(bytes) bytes as compact JSON; at most \(platformBytes) are handed on")
        }
    }
}
