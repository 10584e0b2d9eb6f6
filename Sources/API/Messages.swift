// SPDX-License-Identifier: Apache-2.0

package import Events
package import Messaging

package struct MessageResponse: Codable, Sendable {
    /// The audience: a topic, a condition, a user, or a number of tokens.
    package struct Target: Codable, Sendable {
        package var topic: String?
        package var condition: String?
        package var user: String?
        package var tokens: Int?

        package init(topic: String? = nil, condition: String? = nil, user: String? = nil, tokens: Int? = nil) {
            self.topic = topic
            self.condition = condition
            self.user = user
            self.tokens = tokens
        }
    }

    package var id: String
    package var target: Target
    package var notification: Embedded<NotificationResponse>?
    package var data: Embedded<[String: String]>?
    /// Overrides by platform.
    package var platform: Embedded<[String: AnyText]>?
    /// The line that chats show; of alerts.
    package var text: String?
    package var label: String?
    package var collapseKey: String?
    package var priority: Named<MessagePriority>
    package var stage: Named<MessageStage>
    package var createdAt: Moment
    package var sendAt: Moment?
    package var sentAt: Moment?
    package var expiresAt: Moment
    package var audience: Int
    /// By the name of a `DeliveryState`.
    package var counts: Members<Int>
    /// People whose events report receiving it; only of one message alone, and only if they were counted in time.
    package var received: Int64?
    /// People whose events report opening it.
    package var opened: Int64?

    package init(
        id: String, target: Target, notification: Embedded<NotificationResponse>? = nil, data: Embedded<[String: String]>? = nil,
        platform: Embedded<[String: AnyText]>? = nil, text: String? = nil, label: String? = nil, collapseKey: String? = nil,
        priority: MessagePriority, stage: MessageStage, createdAt: Moment, sendAt: Moment? = nil, sentAt: Moment? = nil, expiresAt: Moment,
        audience: Int, counts: Members<Int>, received: Int64? = nil, opened: Int64? = nil
    ) {
        self.id = id
        self.target = target
        self.notification = notification
        self.data = data
        self.platform = platform
        self.text = text
        self.label = label
        self.collapseKey = collapseKey
        self.priority = .known(priority)
        self.stage = .known(stage)
        self.createdAt = createdAt
        self.sendAt = sendAt
        self.sentAt = sentAt
        self.expiresAt = expiresAt
        self.audience = audience
        self.counts = counts
        self.received = received
        self.opened = opened
    }
}

package struct NotificationResponse: Codable, Sendable {
    package var title: String?
    package var body: String?
}

package struct PublishedResponse: Codable, Sendable {
    package var id: String
    package var audience: Int
    /// The indices of tokens that are not registered.
    package var unregistered: [Int]?

    package init(id: String, audience: Int, unregistered: [Int]? = nil) {
        self.id = id
        self.audience = audience
        self.unregistered = unregistered
    }
}

package struct RedriveResponse: Codable, Sendable {
    package var redriven: Int

    package init(redriven: Int) {
        self.redriven = redriven
    }
}

package struct DeliveryResponse: Codable, Sendable {
    package var id: String
    package var message: String
    package var token: String?
    package var url: String?
    package var state: Named<DeliveryState>
    package var tries: Int
    package var dueAt: Moment?
    package var changedAt: Moment
    /// The newest attempt last.
    package var attempts: [AttemptResponse]

    package init(
        id: String, message: String, token: String? = nil, url: String? = nil, state: DeliveryState, tries: Int, dueAt: Moment? = nil,
        changedAt: Moment, attempts: [AttemptResponse]
    ) {
        self.id = id
        self.message = message
        self.token = token
        self.url = url
        self.state = .known(state)
        self.tries = tries
        self.dueAt = dueAt
        self.changedAt = changedAt
        self.attempts = attempts
    }
}

package struct AttemptResponse: Codable, Sendable {
    package var at: Moment
    package var milliseconds: Int
    /// The HTTP status; nil without a response.
    package var status: Int?
    package var error: String?
    package var response: String?

    package init(at: Moment, milliseconds: Int, status: Int? = nil, error: String? = nil, response: String? = nil) {
        self.at = at
        self.milliseconds = milliseconds
        self.status = status
        self.error = error
        self.response = response
    }
}
