// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Events
import MessageStore
import Messaging
import Platform

extension MessageResponse {
    init(_ status: MessageStatus) {
        let content = status.content
        self.init(
            id: content.id, target: Target(status), notification: content.notification.map { .json($0) }, data: content.data.map { .json($0) },
            platform: content.platform.map { .json($0) }, text: content.text, label: content.label, collapseKey: content.collapseKey,
            priority: content.priority, stage: status.stage, createdAt: Moment(status.created), sendAt: status.sendAt.map(Moment.init),
            sentAt: status.sentAt.map(Moment.init), expiresAt: Moment(content.expires), audience: status.audience,
            counts: Members(DeliveryState.allCases.compactMap { state in status.counts[state].map { (state.name, $0) } }))
    }
}

extension MessageResponse.Target {
    /// Tokens are not repeated, only their number.
    fileprivate init(_ status: MessageStatus) {
        if let topic = status.content.topic {
            self.init(topic: topic)
        } else if let condition = status.content.condition {
            self.init(condition: condition)
        } else if let user = status.content.user {
            self.init(user: user)
        } else {
            self.init(tokens: status.audience)
        }
    }
}
