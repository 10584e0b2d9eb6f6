// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Where a registration's messages go.
package enum Endpoint: Sendable, Equatable {
    case webhook(WebhookURL)
    /// Kept until its owner reads them.
    case stream
}

package enum RegistrationState: Int, StoredWord {
    case active = 1
    /// Its endpoint has yet to prove that it wants messages.
    case pending = 2
    /// Its deliveries failed for too long; renewing it makes it active.
    case disabled = 3
    /// Its endpoint did not prove itself.
    case refused = 4

    /// Whether messages are addressed to it.
    package var isReached: Bool { self == .active || self == .pending }
}

/// A device token with where its messages go.
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
    /// When it was last heard of.
    package var seen: Timestamp
    /// Since when nothing could be delivered; nil while deliveries succeed.
    package var failingSince: Timestamp?
    /// Whether nobody has heard of it for long.
    package var isStale: Bool

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

/// What somebody says of a device; what is nil stays as it was, or is not known.
package struct RegistrationDraft: Sendable {
    package var token: RegistrationToken?
    package var kind: TokenKind?
    package var installation: String?
    package var user: String?
    /// Whether it is nobody's any more.
    package var isOfNobody = false
    package var platform: DevicePlatform?
    package var endpoint: Endpoint?
    package var appVersion: String?
    /// The receiver's own secret; nil has one made, or the app's own sign.
    package var secret: SigningKey?
    /// How a secret that is made signs.
    package var scheme: SigningKey.Scheme?

    package init() {}
}
