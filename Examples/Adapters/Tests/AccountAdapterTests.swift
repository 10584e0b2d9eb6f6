// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import Testing

@testable import AppAdapters

/// The adapters of accounts and the login gateway, over accounts in memory.
@Suite(.timeLimit(.minutes(1))) struct AccountAdapterTests {
    private let accounts = InMemoryAccounts()

    @Test func `an account is made, signed out of and signed in to`() async throws {
        let auth = SignalboxAuthAdapter(accounts)
        let made = try await auth.createUser(email: "ann@example.org", password: "correct horse")
        #expect(made.email == "ann@example.org")
        #expect(await auth.currentUser() == made)
        try await auth.signOut()
        #expect(await auth.currentUser() == nil)
        #expect(try await auth.signIn(email: "ann@example.org", password: "correct horse") == made)
    }

    @Test func `errors are those of the app`() async throws {
        let auth = SignalboxAuthAdapter(accounts)
        await #expect(throws: AuthError.invalidCredentials) { try await auth.signIn(email: "ann@example.org", password: "wrong horse") }
        await #expect(throws: AuthError.weakPassword("The password must have at least 8 characters.")) {
            try await auth.createUser(email: "ann@example.org", password: "horse")
        }
        _ = try await auth.createUser(email: "ann@example.org", password: "correct horse")
        await #expect(throws: AuthError.emailAlreadyExists) { try await auth.createUser(email: "Ann@example.org", password: "correct horse") }
        accounts.fail(with: .signalbox(.unreachable(reason: "offline")))
        await #expect(throws: AuthError.network) { try await auth.signOut() }
        accounts.fail(with: .tooManyAttempts(retryAfter: 4))
        await #expect(throws: AuthError.tooManyRequests(retryAfter: 4)) { try await auth.sendPasswordReset(email: "ann@example.org") }
    }

    @Test func `a reset asks for the address`() async throws {
        try await SignalboxAuthAdapter(accounts).sendPasswordReset(email: "ann@example.org")
        #expect(accounts.passwordResets == ["ann@example.org"])
    }

    @Test func `the stream yields the user now and each change`() async throws {
        let auth = SignalboxAuthAdapter(accounts)
        var states = auth.authStateStream().makeAsyncIterator()
        #expect(await states.next() == .some(nil))
        let made = try await auth.createUser(email: "ann@example.org", password: "correct horse")
        #expect(await states.next() == made)
        accounts.endSession(.disabled)
        #expect(await states.next() == .some(nil))
    }

    @Test func `a session is restored, refreshed and forgotten`() async throws {
        let service = SignalboxAuthService(accounts)
        #expect(try await service.session() == nil)
        #expect(service.restoreSession() == nil)
        await #expect(throws: AuthError.sessionExpired) { try await service.refreshSession() }
        let first = try await service.signUp(email: "ann@example.org", password: "correct horse", name: "Ann")
        #expect(service.restoreSession()?.user == first.user)
        let second = try await service.refreshSession()
        #expect(second.user.name == "Ann")
        #expect(second.accessToken != first.accessToken)
        service.clearStoredCredentials()
        #expect(service.restoreSession() == nil)
    }

    @Test func `a provider's token signs in to the same account each time`() async throws {
        let service = SignalboxAuthService(accounts)
        let name = PersonNameComponents(givenName: "Ann", familyName: "Lee")
        let first = try await service.signIn(with: .apple(fullName: name), idToken: "token", rawNonce: "nonce")
        try await service.signOut()
        #expect(try await service.signIn(with: .apple(), idToken: "token", rawNonce: nil).user == first.user)
        #expect(try await service.signIn(with: .custom("oidc.corp"), idToken: "token", rawNonce: nil).user.id != first.user.id)
    }

    @Test(arguments: ["", "ann", "ann@", "@example.org", "a b@example.org"]) func `an address is checked without network`(address: String) {
        #expect(throws: AuthError.invalidEmail) { try LoginCredentials(email: address, password: "correct horse") }
    }

    @Test func `after a sign-in events belong to the user`() async throws {
        let analytics = InMemoryAnalytics()
        let gateway = SignalboxLoginGateway(SignalboxAuthService(accounts), analytics: SignalboxAnalyticsService(analytics))
        #expect(gateway.restore() == nil)
        let ann = try await gateway.register(try LoginCredentials(email: " ann@example.org", password: "correct horse"), name: "Ann")
        #expect(ann.name == "Ann")
        #expect(analytics.userID == ann.id)
        analytics.setUserID(nil)
        #expect(gateway.restore() == ann)
        #expect(analytics.userID == ann.id)
        try await gateway.logout()
        #expect(analytics.userID == nil)
        #expect(try await gateway.login(try LoginCredentials(email: "ann@example.org", password: "correct horse")) == ann)
        #expect(analytics.userID == ann.id)
    }
}
