// SPDX-License-Identifier: Apache-2.0

import Signalbox

/// Accounts as an app with an adapter for each service has them.
public protocol AuthAdapter: Sendable {
    func currentUser() async -> AppUser?
    func signIn(email: String, password: String) async throws -> AppUser
    func signOut() async throws
    func createUser(email: String, password: String) async throws -> AppUser
    func sendPasswordReset(email: String) async throws
    /// Yields the user now, then each change; nil while nobody is signed in.
    func authStateStream() -> AsyncStream<AppUser?>
}

/// The adapter over `Accounts`: `signalbox.accounts` in the app, `InMemoryAccounts` in its tests.
public struct SignalboxAuthAdapter: AuthAdapter {
    private let accounts: any Accounts

    public init(_ accounts: any Accounts) {
        self.accounts = accounts
    }

    public func currentUser() async -> AppUser? { accounts.currentUser.map(AppUser.init) }

    public func signIn(email: String, password: String) async throws -> AppUser {
        AppUser(try await AuthError.mapping { try await accounts.signIn(email: email, password: password) }.user)
    }

    public func signOut() async throws {
        try await AuthError.mapping { try await accounts.signOut() }
    }

    public func createUser(email: String, password: String) async throws -> AppUser {
        AppUser(try await AuthError.mapping { try await accounts.signUp(email: email, password: password, name: nil) }.user)
    }

    public func sendPasswordReset(email: String) async throws {
        try await AuthError.mapping { try await accounts.sendPasswordReset(email: email) }
    }

    public func authStateStream() -> AsyncStream<AppUser?> {
        AsyncStream(reading: accounts.userStream()) { $0.map(AppUser.init) }
    }
}
