// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A typed address and password.
public struct LoginCredentials: Sendable, Hashable {
    public var email: String
    public var password: String

    /// Creates credentials and checks what needs no network.
    public init(email: String, password: String) throws(AuthError) {
        let email = email.trimmingCharacters(in: .whitespaces)
        guard email.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil else { throw .invalidEmail }
        guard !password.isEmpty else { throw .weakPassword("The password is empty.") }
        (self.email, self.password) = (email, password)
    }
}

/// Sign-in as the app's screens use it.
public protocol LoginGateway: Sendable {
    func register(_ credentials: LoginCredentials, name: String) async throws -> AppUser
    func login(_ credentials: LoginCredentials) async throws -> AppUser
    /// Returns the user of the last launch, without a network.
    func restore() -> AppUser?
    func logout() async throws
}

/// The gateway over the services: after a sign-in, events belong to the user. Documents follow by themselves.
public struct SignalboxLoginGateway: LoginGateway {
    private let auth: any AuthServiceProtocol
    private let analytics: any AnalyticsServiceProtocol

    public init(_ auth: any AuthServiceProtocol, analytics: any AnalyticsServiceProtocol) {
        (self.auth, self.analytics) = (auth, analytics)
    }

    public func register(_ credentials: LoginCredentials, name: String) async throws -> AppUser {
        enter(try await auth.signUp(email: credentials.email, password: credentials.password, name: name))
    }

    public func login(_ credentials: LoginCredentials) async throws -> AppUser {
        enter(try await auth.signIn(email: credentials.email, password: credentials.password))
    }

    public func restore() -> AppUser? { auth.restoreSession().map(enter) }

    public func logout() async throws {
        try await auth.signOut()
        analytics.setUserID(nil)
    }

    private func enter(_ session: AuthSession) -> AppUser {
        analytics.setUserID(session.user.id)
        return session.user
    }
}
