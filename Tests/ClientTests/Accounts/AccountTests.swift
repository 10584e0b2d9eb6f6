// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Sign-in, sign-out and changes of the own account, against a daemon.
@Suite struct AccountTests {
    @Test func `a user signs up, is restored without network, and signs out`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        #expect(user.email == World.email && user.name == "Ana" && user.providers == ["password"] && !user.isAnonymous)
        let session = try #require(try await app.accounts.session())
        #expect(session.user == user && session.expiresAt.timeIntervalSinceNow > 3_500)
        await app.close()

        await world.daemon.killHard()
        let again = try SignalboxApp(world.options())
        #expect(again.accounts.currentUser == user)
        #expect(again.accounts.restoreSession()?.session.idToken == session.idToken)
        #expect(try await again.accounts.session()?.idToken == session.idToken)
        let attributes = try FileManager.default.attributesOfItem(atPath: world.appFolder.path + "/credentials.json")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

        try await world.restart()
        let token = world.storedRefreshToken
        try await again.accounts.signOut()
        #expect(again.accounts.currentUser == nil && again.accounts.sessionEnd == nil)
        #expect(try await again.accounts.session() == nil)
        #expect(try await world.refresh(token).status == 401)
        #expect(!FileManager.default.fileExists(atPath: world.appFolder.path + "/credentials.json"))
    }

    @Test func `a sign-out without network reaches the daemon later`() async throws {
        let world = try await World.withAccounts()
        let (app, _) = try await world.signedUp()
        let idToken = try #require(try await app.accounts.session()).idToken
        await world.daemon.killHard()
        try await app.accounts.signOut()
        #expect(app.accounts.currentUser == nil)
        await app.close()
        try await world.restart()
        #expect(try await world.api.get("/v1/auth/user", key: idToken).status == 200)
        let again = try SignalboxApp(world.options())
        #expect(try await eventually { try await world.api.get("/v1/auth/user", key: idToken).status == 401 })
        #expect(again.accounts.currentUser == nil)
        #expect(try await eventually { !FileManager.default.fileExists(atPath: world.appFolder.path + "/credentials.json") })
    }

    @Test func `a sign-in over another user sends that user's records and ends the session`() async throws {
        let world = try await World.withAccounts(settings: #", "users": "proved""#)
        let (app, ana) = try await world.signedUp { $0.environment.flushInterval = 600 }
        let first = try #require(try await app.accounts.session()).idToken
        app.analytics.setUserID(ana.id)
        app.analytics.logEvent("own")
        let bob = try await app.accounts.signUp(email: "bob@example.org", password: World.password, name: nil).user
        #expect(bob.id != ana.id)
        #expect(try await world.stored().filter { $0["name"].text == "own" }.map { $0["user_id"].text } == [ana.id])
        #expect(try await eventually { try await world.api.get("/v1/auth/user", key: first).status == 401 })
        // Signing in again ends the session before, too, and that of the user stays usable.
        let second = try #require(try await app.accounts.session()).idToken
        try await app.accounts.signIn(email: "bob@example.org", password: World.password)
        #expect(try await eventually { try await world.api.get("/v1/auth/user", key: second).status == 401 })
        #expect(try await app.accounts.refreshSession().user.id == bob.id)
    }

    @Test func `rejections have types`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        let accounts = app.accounts
        await #expect(throws: AccountError.emailAlreadyExists) {
            try await accounts.signUp(email: World.email, password: World.password, name: nil)
        }
        await #expect(throws: AccountError.invalidCredentials) { try await accounts.signIn(email: World.email, password: "wrong horse") }
        await #expect(throws: AccountError.invalidCredentials) { try await accounts.signIn(email: "bob@example.org", password: "wrong horse") }
        await #expect(throws: AccountError.invalidEmail) { try await accounts.signUp(email: "ana", password: World.password, name: nil) }
        let weak = await #expect(throws: AccountError.self) { try await accounts.signUp(email: "bob@example.org", password: "12345678", name: nil) }
        guard case .weakPassword(let detail) = weak else { throw try #require(weak) }
        #expect(!detail.isEmpty)
        await #expect(throws: AccountError.unsupportedCredential) { try await accounts.link(.anonymous) }
        await #expect(throws: AccountError.invalidCode) { try await accounts.signIn(with: .code("1234 5678", email: World.email)) }
        #expect(accounts.currentUser == user, "a rejected sign-in leaves the user signed in")

        try await accounts.signOut()
        await #expect(throws: AccountError.notSignedIn) { try await accounts.update(ProfileChange(name: .removed)) }
        await #expect(throws: AccountError.notSignedIn) { try await accounts.refreshSession() }
        try await world.administer(user.id, #"{"disabled": true}"#)
        await #expect(throws: AccountError.accountDisabled) { try await accounts.signIn(email: World.email, password: World.password) }
        try await world.set(#"{"auth_methods": "password"}"#)
        await #expect(throws: AccountError.methodOff) { try await accounts.signIn(with: .anonymous) }
        await world.daemon.killHard()
        let unreachable = await #expect(throws: AccountError.self) { try await accounts.signIn(with: .anonymous) }
        guard case .signalbox(.unreachable) = unreachable else { throw try #require(unreachable) }
    }

    @Test func `a wrong key is no end of a session`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        await app.close()
        let again = try SignalboxApp({ $0.key = "sb_ingest_nobodyknowsthiskeyxxxxxxxxxxxxxxx" }, of: world)
        let failure = await #expect(throws: AccountError.self) { try await again.accounts.refreshSession() }
        guard case .signalbox(.unauthorized) = failure else { throw try #require(failure) }
        #expect(again.accounts.currentUser == user)
    }

    @Test func `an anonymous user who signs up keeps the ID`() async throws {
        let world = try await World.withAccounts()
        let app = try SignalboxApp(world.options())
        let first = try await app.accounts.signIn(with: .anonymous)
        #expect(first.isNew && first.user.isAnonymous)
        let second = try await app.accounts.signUp(email: World.email, password: World.password, name: nil)
        #expect(second.user.id == first.user.id && !second.user.isAnonymous && second.user.email == World.email)
        #expect(app.accounts.currentUser == second.user)
        try await app.accounts.refreshSession()
    }

    @Test func `the profile is changed and stored`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        let changed = try await app.accounts.update(ProfileChange(photoURL: .set("https://example.org/ana.png")))
        #expect(changed.photoURL?.absoluteString == "https://example.org/ana.png" && changed.name == "Ana" && changed.id == user.id)
        #expect(try await app.accounts.update(ProfileChange(name: .removed)).name == nil)
        await app.close()
        let again = try SignalboxApp(world.options())
        #expect(again.accounts.currentUser?.photoURL == changed.photoURL && again.accounts.currentUser?.name == nil)
    }

    @Test func `claims of an administrator arrive with a refresh`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        try await world.administer(user.id, #"{"claims": {"admin": true, "level": 7, "tags": ["a", null]}}"#)
        let session = try await app.accounts.refreshSession()
        #expect(session.user.claims == ["admin": true, "level": 7, "tags": ["a", nil]])
        #expect(app.accounts.currentUser?.claims["admin"]?.boolValue == true)
    }

    @Test func `a deleted account is signed out`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        try await app.accounts.deleteAccount()
        #expect(app.accounts.currentUser == nil)
        #expect(try await world.api.get("/v1/auth/accounts/\(user.id)", key: world.keys.admin).status == 404)
    }

    @Test func `a second factor finishes a sign-in`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        let (secret, recovery) = try await world.addFactor(to: try #require(try await app.accounts.session()))
        try await app.accounts.signOut()
        let pending = try await pending(app)
        #expect(pending.factors.map(\.name) == ["Phone"] && pending.expiresAt > Date())
        await #expect(throws: AccountError.invalidCode) { try await app.accounts.signIn(with: .totp(pending, code: "12345x")) }
        #expect(app.accounts.currentUser == nil)
        let session = try await app.accounts.signIn(with: .totp(pending, code: World.code(secret, steps: 1)))
        #expect(session.user.id == user.id && app.accounts.currentUser?.id == user.id)
        await #expect(throws: AccountError.signInExpired) { try await app.accounts.signIn(with: .totp(pending, code: "123456")) }
        #expect(app.accounts.currentUser?.id == user.id)
        try await app.accounts.signOut()
        try await app.accounts.signIn(with: .recovery(try await self.pending(app), code: try #require(recovery.first)))
        #expect(app.accounts.currentUser?.id == user.id)
    }

    private func pending(_ app: SignalboxApp) async throws -> PendingSignIn {
        let failure = await #expect(throws: AccountError.self) { try await app.accounts.signIn(email: World.email, password: World.password) }
        guard case .secondFactorRequired(let pending) = failure else { throw try #require(failure) }
        return pending
    }

    @Test func `with verified addresses a sign-up waits for the code of its mail`() async throws {
        let sink = try MailSink()
        let world = try await World.withAccounts(
            [
                "INGESTD_ACCOUNTS_URL": "http://accounts.test", "INGESTD_ACCOUNTS_MAIL_URL": sink.url,
                "INGESTD_ACCOUNTS_MAIL_FROM": "no-reply@shop.example",
            ])
        try await world.set(#"{"auth_verified_only": true}"#)
        let app = try SignalboxApp(world.options())
        await #expect(throws: AccountError.verificationRequired) {
            try await app.accounts.signUp(email: "bob@example.org", password: World.password, name: nil)
        }
        #expect(app.accounts.currentUser == nil)
        await #expect(throws: AccountError.invalidCredentials) { try await app.accounts.signIn(email: "bob@example.org", password: World.password) }
        let mail = try #require(try await sink.mails(1).first)
        #expect(mail.receivers == ["bob@example.org"])
        #expect(try await app.accounts.redeemCode(try #require(mail.code)).isRedeemed)
        #expect(try await app.accounts.signIn(email: "bob@example.org", password: World.password).user.isEmailVerified)
    }
}
