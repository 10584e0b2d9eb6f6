// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The destination of a registration's messages.
package enum Endpoint: Sendable, Equatable {
    case webhook(WebhookURL)
    /// Messages are stored until the client reads them.
    case stream
}

package enum RegistrationState: Int, StoredWord {
    case active = 1
    /// The endpoint has not confirmed its challenge yet.
    case pending = 2
    /// Deliveries failed for too long. Renewing the registration activates it.
    case disabled = 3
    /// The endpoint did not confirm its challenge.
    case refused = 4

    /// Whether messages are addressed to it.
    package var isReached: Bool { self == .active || self == .pending }
}

/// A device token and the endpoint of its messages.
package struct Registration: Sendable {
    package var id: Int64
    package var token: String
    package var kind: TokenKind
    package var installation: String?
    package var user: String?
    package var platform: DevicePlatform
    package var endpoint: Endpoint
    package var appVersion: String?
    package var state: RegistrationState
    package var created: Timestamp
    /// The last time the client was seen.
    package var seen: Timestamp
    /// The time since which all deliveries failed; nil while they succeed.
    package var failingSince: Timestamp?
    /// Whether the client has not been seen for a long time.
    package var isStale: Bool
    /// Whether an ID token or a server proved `user`. Only then messages to the user reach it.
    package var isProved = false
    /// The session of that ID token.
    package var session: [UInt8]?

    package init(
        id: Int64, token: String, kind: TokenKind, installation: String?, user: String?, platform: DevicePlatform, endpoint: Endpoint,
        appVersion: String?, state: RegistrationState, created: Timestamp, seen: Timestamp, failingSince: Timestamp?, isStale: Bool
    ) {
        self.id = id
        self.token = token
        self.kind = kind
        self.installation = installation
        self.user = user
        self.platform = platform
        self.endpoint = endpoint
        self.appVersion = appVersion
        self.state = state
        self.created = created
        self.seen = seen
        self.failingSince = failingSince
        self.isStale = isStale
    }
}

/// The party that vouches for the user of a registration.
package enum OwnerProof: Sendable, Equatable {
    /// No proof: the client named the user itself.
    case none
    /// The ID token of a session, with whose end the user no longer owns the device.
    case session([UInt8])
    /// A key of a server.
    case server
}

/// A registration request. Nil leaves a field unchanged or unset.
package struct RegistrationDraft: Sendable {
    package var token: RegistrationToken?
    /// The token that the device had until now. Possession of it allows the new one to take its place.
    package var replaces: RegistrationToken?
    package var kind: TokenKind?
    package var installation: String?
    package var user: String?
    /// Whether the user is cleared.
    package var clearsUser = false
    package var proof = OwnerProof.none
    package var platform: DevicePlatform?
    package var endpoint: Endpoint?
    package var appVersion: String?
    /// The endpoint's own secret. With nil, one is generated or the app's secret is used.
    package var secret: SigningKey?
    /// The signature scheme of a generated secret.
    package var scheme: SigningKey.Scheme?

    package init() {}
}
