// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// A session as the app knows it.
public struct AuthSession: Sendable, Hashable {
    public var user: AppUser
    /// The ID token, for servers of the app's own.
    public var accessToken: String
    public var expiresAt: Date

    init(_ session: AccountSession) {
        (user, accessToken, expiresAt) = (AppUser(session.user), session.idToken, session.expiresAt)
    }
}

/// The provider of an OAuth sign-in. The app gets the ID token from the provider's SDK.
public enum OAuthProvider: Sendable, Hashable {
    case apple(fullName: PersonNameComponents? = nil)
    case google
    /// A provider of the daemon's configuration, such as `oidc.corp`.
    case custom(String)
}

/// Accounts as an app has them that handles sessions itself.
public protocol AuthServiceProtocol: Sendable {
    func signUp(email: String, password: String, name: String?) async throws -> AuthSession
    func signIn(email: String, password: String) async throws -> AuthSession
    func signIn(with provider: OAuthProvider, idToken: String, rawNonce: String?) async throws -> AuthSession
    /// Returns the session with a token that is valid now; nil if nobody is signed in.
    func session() async throws -> AuthSession?
    func refreshSession() async throws -> AuthSession
    /// Returns the stored session without a network. Its token may be out of date.
    func restoreSession() -> AuthSession?
    /// Forgets the session on this device alone.
    func clearStoredCredentials()
    func signOut() async throws
}

/// The service over `Accounts`.
public struct SignalboxAuthService: AuthServiceProtocol {
    private let accounts: any Accounts

    public init(_ accounts: any Accounts) {
        self.accounts = accounts
    }

    public func signUp(email: String, password: String, name: String?) async throws -> AuthSession {
        AuthSession(try await AuthError.mapping { try await accounts.signUp(email: email, password: password, name: name) })
    }

    public func signIn(email: String, password: String) async throws -> AuthSession {
        AuthSession(try await AuthError.mapping { try await accounts.signIn(email: email, password: password) })
    }

    public func signIn(with provider: OAuthProvider, idToken: String, rawNonce: String?) async throws -> AuthSession {
        let credential: Credential =
            switch provider {
            case .apple(let name): .apple(idToken: idToken, rawNonce: rawNonce, fullName: name)
            case .google: .google(idToken: idToken, rawNonce: rawNonce)
            case .custom(let id): .oidc(provider: id, idToken: idToken, rawNonce: rawNonce)
            }
        return AuthSession(try await AuthError.mapping { try await accounts.signIn(with: credential) })
    }

    public func session() async throws -> AuthSession? {
        try await AuthError.mapping { try await accounts.session() }.map(AuthSession.init)
    }

    public func refreshSession() async throws -> AuthSession {
        AuthSession(try await AuthError.mapping { try await accounts.refreshSession() })
    }

    public func restoreSession() -> AuthSession? { (accounts.restoreSession()?.session).map(AuthSession.init) }

    public func clearStoredCredentials() { accounts.clearStoredCredentials() }

    public func signOut() async throws {
        try await AuthError.mapping { try await accounts.signOut() }
    }
}
