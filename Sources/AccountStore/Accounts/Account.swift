// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform

/// An account of an app.
package struct Account: Sendable, Equatable {
    /// The row.
    var id: Int64
    package var app: AppID
    /// The user ID: what events and messages name.
    package var uid: String
    package var email: String?
    package var isEmailVerified: Bool
    package var name: String?
    package var photoURL: String?
    package var phone: String?
    /// The hash of the password with its parameters; nil without a password.
    package var password: String?
    package var isAnonymous: Bool
    package var created: Timestamp
    package var lastSignIn: Timestamp?
    package var validSince: Timestamp
    package var isDisabled: Bool
    /// Further claims of ID tokens, as a JSON object.
    package var claims: String?
    /// Its users of identity providers, in the order of the providers' IDs.
    package var identities: [Identity] = []

    /// The user of an identity provider.
    package struct Identity: Sendable, Equatable {
        package var provider: String
        package var subject: String
        /// The address that the provider named last.
        package var email: String?

        package init(provider: String, subject: String, email: String? = nil) {
            (self.provider, self.subject, self.email) = (provider, subject, email)
        }
    }

    /// The name of the password among the ways to sign in.
    package static let passwordProvider = "password"

    /// The ways in which the user can sign in.
    package var providers: [String] { (password == nil ? [] : [Account.passwordProvider]) + identities.map(\.provider) }
}

/// The facts of an account to create.
package struct AccountDraft: Sendable {
    package var uid: String?
    package var email: EmailAddress?
    package var isEmailVerified = false
    package var name: String?
    package var photoURL: String?
    package var phone: String?
    package var password: String?
    package var isAnonymous = false
    package var isDisabled = false
    package var claims: String?
    /// Of an imported account.
    package var identities: [Account.Identity] = []
    /// Of an imported account; nil for now.
    package var created: Timestamp?
    package var lastSignIn: Timestamp?
    /// Of an imported account.
    package var parts = ImportedParts()

    package init() {}
}

/// A change of an account. A missing field stays; an inner nil removes the value.
package struct AccountChange: Sendable {
    package var email: EmailAddress??
    package var isEmailVerified: Bool?
    package var name: String??
    package var photoURL: String??
    package var phone: String??
    package var password: String??
    package var isDisabled: Bool?
    package var claims: String??
    /// Whether an anonymous account stays one; a password ends that, too.
    package var isAnonymous: Bool?
    /// The identity providers whose users can sign in to the account no more.
    package var removedProviders: [String] = []
    /// Users of identity providers to add, each in place of the account's own one of the same provider.
    package var addedIdentities: [Account.Identity] = []
    /// The confirmed second factors that stay, with their names; nil keeps all. Unknown ones do not matter.
    package var keptFactors: [KeptFactor]?
    /// Whether all sessions end, but for this one.
    package var endsSessions = false
    package var keptSession: SessionID?

    package init() {}

    package struct KeptFactor: Sendable {
        package var id: String
        package var name: String?

        package init(id: String, name: String?) {
            (self.id, self.name) = (id, name)
        }
    }

    /// The event that describes the change.
    var event: AccountEvent.Kind {
        if isDisabled == true { return .disabled }
        if isDisabled == false { return .enabled }
        return password != nil ? .passwordChanged : .changed
    }
}

/// Something that happened to an account.
package struct AccountEvent: Sendable, Equatable {
    package enum Kind: String, CaseIterable, Sendable {
        case created
        case signedIn = "signed_in"
        case signInFailed = "sign_in_failed"
        case signedOut = "signed_out"
        case sessionEnded = "session_ended"
        /// An old refresh token was used, so the session ended.
        case refreshReused = "refresh_reused"
        case passwordChanged = "password_changed"
        /// An anonymous account got a way to sign in.
        case upgraded
        case identityLinked = "identity_linked"
        case identityUnlinked = "identity_unlinked"
        /// A provider proved the address, which the account had never verified: everything that its maker could sign in with was dropped.
        case credentialsDropped = "credentials_dropped"
        case factorAdded = "factor_added"
        case factorRemoved = "factor_removed"
        case recoveryCodesMade = "recovery_codes_made"
        case recoveryCodeUsed = "recovery_code_used"
        case emailVerified = "email_verified"
        case emailChanged = "email_changed"
        case changed, disabled, enabled, deleted
    }

    package var seq: Int64 = 0
    package var uid: String
    package var time = Timestamp(milliseconds: 0)
    package var kind: Kind
    package var origin: AccountOrigin
    package var session: SessionID?
    /// The number of failed sign-ins, otherwise 1.
    package var count = 1

    package init(_ kind: Kind, uid: String, _ origin: AccountOrigin, session: SessionID? = nil, count: Int = 1) {
        (self.kind, self.uid, self.origin, self.session, self.count) = (kind, uid, origin, session, count)
    }
}

/// Where a change of an account came from.
package struct AccountOrigin: Sendable, Hashable {
    /// The way of signing in, or `admin` for a change by a key or the operator.
    package var method: String
    /// The network of the client: /24 of IPv4, /56 of IPv6.
    package var place: String
    /// The number of runs of functions that led to the change, one by the other; 0 for none.
    package var depth = 0

    /// The method of imported accounts.
    package static let importMethod = "import"

    package init(method: String, place: String) {
        (self.method, self.place) = (method, place)
    }
}
