// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Messaging
import Platform

/// The visibility of a device's secrets.
enum DeviceView {
    case whole
    /// Tokens and webhook paths are credentials, so only their ends and origins are shown.
    case masked

    func token(_ token: String) -> String {
        switch self {
        case .whole: token
        case .masked: (try? RegistrationToken(token))?.masked ?? "…"
        }
    }

    func url(_ url: WebhookURL) -> String {
        switch self {
        case .whole: url.text
        case .masked: "\(url.origin)/…"
        }
    }
}

extension DeviceResponse {
    init(_ registration: Registration, _ view: DeviceView) {
        self.init(
            token: view.token(registration.token), kind: registration.kind, installationId: registration.installation,
            userId: registration.user, platform: registration.platform, endpoint: Endpoint(registration.endpoint, view),
            appVersion: registration.appVersion, state: registration.state, stale: registration.isStale,
            createdAt: Moment(registration.created), seenAt: Moment(registration.seen),
            failingSince: registration.failingSince.map(Moment.init))
    }
}

extension DeviceResponse.Endpoint {
    fileprivate init(_ endpoint: Messaging.Endpoint, _ view: DeviceView) {
        switch endpoint {
        case .stream: self.init(type: .stream)
        case .webhook(let url): self.init(type: .webhook, url: view.url(url))
        }
    }
}
