// SPDX-License-Identifier: Apache-2.0

import JSON
import Messaging
import Platform

/// How much of a device is told.
enum DeviceView {
    case whole
    /// Tokens and the paths of webhooks open doors, so only their ends and origins are told.
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

extension JSONWriter {
    /// The fields of a registration, inside an object.
    mutating func write(_ registration: Registration, _ view: DeviceView) {
        field("token", view.token(registration.token))
        field("kind", registration.kind.name)
        if let id = registration.installation { field("installation_id", id) }
        if let id = registration.user { field("user_id", id) }
        field("platform", registration.platform.name)
        key("endpoint")
        write(registration.endpoint, view)
        if let version = registration.appVersion { field("app_version", version) }
        field("state", registration.state.name)
        field("stale", registration.isStale)
        field("created_at", registration.created.rfc3339)
        field("seen_at", registration.seen.rfc3339)
        if let time = registration.failingSince { field("failing_since", time.rfc3339) }
    }

    private mutating func write(_ endpoint: Messaging.Endpoint, _ view: DeviceView) {
        beginObject()
        switch endpoint {
        case .stream: field("type", "stream")
        case .webhook(let url):
            field("type", "webhook")
            field("url", view.url(url))
        }
        endObject()
    }
}
