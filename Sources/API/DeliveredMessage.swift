// SPDX-License-Identifier: Apache-2.0

package import Events
package import Messaging

/// The signed body of a delivery to a webhook, and the data of a stream's `event: message`. The daemon writes it by hand.
package struct DeliveredMessage: Codable, Sendable {
    package enum Kind: String, PublicName {
        case message
    }

    package struct Content: Codable, Sendable {
        package var messageId: String
        package var token: String
        package var topic: String?
        package var condition: String?
        package var user: String?
        package var notification: Embedded<NotificationResponse>?
        package var data: Embedded<[String: String]>?
        /// Overrides by platform.
        package var platform: Embedded<[String: AnyText]>?
        package var label: String?
        package var collapseKey: String?
        package var priority: Named<MessagePriority>
        package var sentAt: Moment
        package var expiresAt: Moment
    }

    /// Only in a line of a poll.
    package var cursor: String?
    package var type: Named<Kind>
    package var timestamp: Moment
    /// The line that chats show; of alerts.
    package var text: String?
    package var data: Content
}

/// The messages that expired before a device read its stream: the data of `event: gap`, or a line of a poll.
package struct StreamGapResponse: Codable, Sendable {
    package enum Kind: String, PublicName {
        case gap
    }

    /// Only in a line of a poll; a stream has it as the ID of the event.
    package var cursor: String?
    /// Only in a line of a poll.
    package var type: Named<Kind>?
    package var missed: Int

    /// The data of an event.
    package init(missed: Int) {
        self.missed = missed
    }

    /// A line of a poll.
    package init(missed: Int, cursor: String) {
        (self.missed, self.cursor, type) = (missed, cursor, .known(.gap))
    }
}
