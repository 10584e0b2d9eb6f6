// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An account as its user sees it.
public struct AccountUser: Sendable, Hashable, Codable {
    /// The user ID, which events and messages name.
    public var id: String
    /// The email address.
    public var email: String?
    /// Whether the user has proved the address.
    public var isEmailVerified: Bool
    /// The display name.
    public var name: String?
    /// The address of a picture.
    public var photoURL: URL?
    /// The phone number.
    public var phone: String?
    /// Whether the user has no way to sign in again.
    public var isAnonymous: Bool
    /// Further claims of ID tokens, set by administrators.
    public var claims: [String: JSONValue]
    /// The ways to sign in: `password`, `google.com`, `apple.com` and so on.
    public var providers: [String]
    /// The time at which the account was created.
    public var createdAt: Date
    /// The time of the last sign-in.
    public var lastSignInAt: Date?

    /// Creates a user, for tests.
    public init(
        id: String, email: String? = nil, isEmailVerified: Bool = false, name: String? = nil, photoURL: URL? = nil, phone: String? = nil,
        isAnonymous: Bool = false, claims: [String: JSONValue] = [:], providers: [String] = [], createdAt: Date = Date(), lastSignInAt: Date? = nil
    ) {
        (self.id, self.email, self.isEmailVerified, self.name, self.photoURL) = (id, email, isEmailVerified, name, photoURL)
        (self.phone, self.isAnonymous, self.claims, self.providers) = (phone, isAnonymous, claims, providers)
        (self.createdAt, self.lastSignInAt) = (createdAt, lastSignInAt)
    }

    /// The names in the daemon's responses and in stored credentials.
    private enum CodingKeys: String, CodingKey {
        case id, email, name, phone, claims, providers
        case isEmailVerified = "email_verified"
        case photoURL = "photo_url"
        case isAnonymous = "anonymous"
        case createdAt = "created_at"
        case lastSignInAt = "last_sign_in_at"
    }
}

/// A session of the signed-in user.
public struct AccountSession: Sendable, Hashable {
    /// The user.
    public var user: AccountUser
    /// The ID token, a JWT for your servers: `Authorization: Bearer …`.
    public var idToken: String
    /// The end of the ID token, by the daemon's clock. The session itself goes on.
    public var expiresAt: Date
    /// Whether the sign-in created the account.
    public var isNew: Bool

    /// Creates a session, for tests.
    public init(user: AccountUser, idToken: String, expiresAt: Date, isNew: Bool = false) {
        (self.user, self.idToken, self.expiresAt, self.isNew) = (user, idToken, expiresAt, isNew)
    }
}

/// A change of the user's own profile.
///
/// ```swift
/// try await signalbox.accounts.update(ProfileChange(name: .set("Ana"), photoURL: .removed))
/// ```
public struct ProfileChange: Sendable, Hashable {
    /// The change of a field.
    public enum Field: Sendable, Hashable {
        case unchanged, removed
        case set(String)
    }

    /// The display name.
    public var name: Field
    /// The address of a picture, of HTTP or HTTPS.
    public var photoURL: Field

    /// Creates a change; fields that are not named stay as they are.
    public init(name: Field = .unchanged, photoURL: Field = .unchanged) {
        (self.name, self.photoURL) = (name, photoURL)
    }
}

/// A reason why a session ended.
public enum SessionEnd: String, Sendable, Hashable, Codable {
    /// The user or an administrator signed the session out.
    case signedOut = "signed_out"
    /// The user ended it on another device, there were too many sessions, or it was not used for long; also any reason of later releases.
    case sessionEnded = "session_ended"
    /// Two parties held refresh tokens of the session.
    case refreshReused = "refresh_reused"
    /// The password was changed.
    case passwordChanged = "password_changed"
    /// The email address was changed.
    case emailChanged = "email_changed"
    /// A second factor was added.
    case factorAdded = "factor_added"
    /// A second factor was removed.
    case factorRemoved = "factor_removed"
    /// A way to sign in was removed.
    case identityUnlinked = "identity_unlinked"
    /// The anonymous user became an account on another device.
    case upgraded
    /// The owner of the address was proved, and the ways to sign in of the account's maker were dropped.
    case credentialsDropped = "credentials_dropped"
    /// An administrator changed the account.
    case changed
    /// The account is disabled.
    case disabled
    /// The account was deleted.
    case deleted

    init(_ why: String?) {
        self = why.flatMap(SessionEnd.init(rawValue:)) ?? .sessionEnded
    }
}
