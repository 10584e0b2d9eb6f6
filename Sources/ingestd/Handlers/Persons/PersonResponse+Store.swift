// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import Events
import MessageStore
import Messaging
import Platform

extension ProfileResponse {
    init(_ profile: PersonProfile, of id: PersonID) {
        let partners = profile.partners.map { Partner($0, of: id.kind) }
        self.init(
            userId: id.kind == .user ? id.text : nil, installationId: id.kind == .user ? nil : id.text,
            firstSeen: profile.firstSeen.map(Moment.init), lastSeen: profile.lastSeen.map(Moment.init),
            properties: Members(profile.properties.map { ($0.name, Property(value: .json($0.value), timestamp: Moment($0.time))) }),
            installations: id.kind == .user ? partners : nil, users: id.kind == .user ? nil : partners)
    }
}

extension ProfileResponse.Partner {
    fileprivate init(_ partner: PersonProfile.Partner, of kind: PersonID.Kind) {
        self.init(
            userId: kind == .user ? nil : partner.id, installationId: kind == .user ? partner.id : nil,
            firstSeen: partner.firstSeen.map(Moment.init), lastSeen: partner.lastSeen.map(Moment.init), alias: partner.isAlias)
    }
}

extension PersonDeliveryResponse {
    /// A message as timelines show it.
    init(_ found: PersonDelivery, _ view: DeviceView) {
        let (delivery, content) = (found.delivery, found.content)
        self.init(
            id: delivery.webhookID, message: content.id, timestamp: Moment(content.sent), token: delivery.token.map(view.token),
            topic: content.topic, condition: content.condition, label: content.label, notification: content.notification.map { .json($0) },
            state: delivery.state, changedAt: Moment(delivery.changed))
    }

    /// A message with its data and attempts, for exports.
    init(exporting found: PersonDelivery) {
        self.init(found, .whole)
        data = found.content.data.map { .json($0) }
        tries = found.delivery.attempts
        attempts = found.delivery.log.map(AttemptResponse.init)
    }
}
