// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import Signalbox

/// Mails, sessions and second factors of the own account, against a daemon.
@Suite struct AccountSecurityTests {
    private static let other = "another horse battery staple"

    private func world(_ sink: MailSink) async throws -> World {
        try await World.withAccounts(
            [
                "INGESTD_ACCOUNTS_URL": "http://accounts.test", "INGESTD_ACCOUNTS_MAIL_URL": sink.url,
                "INGESTD_ACCOUNTS_MAIL_FROM": "no-reply@shop.example",
            ])
    }

    /// The first mail to an address.
    private func mail(to address: String, _ sink: MailSink) async throws -> ReceivedMail {
        #expect(try await eventually { sink.mails.contains { $0.receivers == [address] } })
        return try #require(sink.mails.first { $0.receivers == [address] })
    }

    @Test func `an address is verified, and changed`() async throws {
        let sink = try MailSink()
        let world = try await world(sink)
        let (app, user) = try await world.signedUp()
        #expect(!user.isEmailVerified)
        try await app.accounts.sendEmailVerification()
        let first = try #require(try await mail(to: World.email, sink).code)
        let verified = try await app.accounts.redeemCode(first)
        #expect(verified == RedeemedCode(kind: .verifyEmail, email: World.email, isRedeemed: true))
        #expect(app.accounts.currentUser?.isEmailVerified == true)
        await #expect(throws: AccountError.self) { try await app.accounts.redeemCode(first) }

        try await app.accounts.sendEmailChange(to: "ana@new.example")
        #expect(app.accounts.currentUser?.email == World.email)
        let second = try #require(try await mail(to: "ana@new.example", sink).digits)
        await #expect(throws: AccountError.invalidCode) { try await app.accounts.redeemCode(second, email: "bob@example.org") }
        let changed = try await app.accounts.redeemCode(second, email: "ana@new.example")
        #expect(changed == RedeemedCode(kind: .changeEmail, email: "ana@new.example", isRedeemed: true))
        #expect(app.accounts.currentUser?.email == "ana@new.example" && app.accounts.currentUser?.id == user.id)
    }

    @Test func `a password is reset by mail, and set while signed in`() async throws {
        let sink = try MailSink()
        let world = try await world(sink)
        let (app, user) = try await world.signedUp()
        try await app.accounts.sendPasswordReset(email: World.email)
        let code = try #require(try await mail(to: World.email, sink).code)
        #expect(try await app.accounts.redeemCode(code) == RedeemedCode(kind: .resetPassword, email: World.email, isRedeemed: false))
        let weak = await #expect(throws: AccountError.self) { try await app.accounts.redeemCode(code, email: nil, newPassword: "12345678") }
        guard case .weakPassword = weak else { throw try #require(weak) }
        #expect(try await app.accounts.redeemCode(code, email: nil, newPassword: Self.other).isRedeemed)
        #expect(app.accounts.currentUser == nil && app.accounts.sessionEnd == .passwordChanged)
        await #expect(throws: AccountError.invalidCredentials) { try await app.accounts.signIn(email: World.email, password: World.password) }
        #expect(try await app.accounts.signIn(email: World.email, password: Self.other).user.id == user.id)

        let elsewhere = try await world.signIn(World.email, Self.other)
        #expect(try await app.accounts.setPassword(World.password).id == user.id)
        #expect(try await world.api.get("/v1/auth/user", key: elsewhere).status == 401)
        #expect(try await app.accounts.refreshSession().user.id == user.id)
    }

    @Test func `digits of a mail sign in`() async throws {
        let sink = try MailSink()
        let world = try await world(sink)
        let app = try SignalboxApp(world.options())
        try await app.accounts.sendSignInCode(email: "bob@example.org")
        let digits = try #require(try await mail(to: "bob@example.org", sink).digits)
        #expect(try await app.accounts.redeemCode(digits, email: "bob@example.org") == RedeemedCode(kind: .signIn, email: nil, isRedeemed: false))
        let session = try await app.accounts.signIn(with: .code(digits, email: "bob@example.org"))
        #expect(session.isNew && session.user.email == "bob@example.org" && session.user.isEmailVerified)
    }

    @Test func `a code of a mail gives an anonymous user the address, and the ID stays`() async throws {
        let sink = try MailSink()
        let world = try await world(sink)
        let app = try SignalboxApp(world.options())
        let anonymous = try await app.accounts.signIn(with: .anonymous).user
        try await app.accounts.sendSignInCode(email: "bob@example.org")
        let digits = try #require(try await mail(to: "bob@example.org", sink).digits)
        let linked = try await app.accounts.link(.code(digits, email: "bob@example.org"))
        #expect(linked.id == anonymous.id && !linked.isAnonymous && linked.email == "bob@example.org" && linked.isEmailVerified)
        #expect(app.accounts.currentUser == linked)
        #expect(try await app.accounts.refreshSession().user.id == anonymous.id)
    }

    @Test func `sessions are listed and ended`() async throws {
        let world = try await World.withAccounts()
        let (app, _) = try await world.signedUp()
        let tokens = [try await world.signIn(World.email, World.password), try await world.signIn(World.email, World.password)]
        let sessions = try await app.accounts.sessions()
        #expect(sessions.count == 3 && sessions.count { $0.isCurrent } == 1 && sessions.allSatisfy { $0.method == "password" })
        let others = sessions.filter { !$0.isCurrent }
        try await app.accounts.endSession(try #require(others.first).id)
        #expect(try await world.states(of: tokens).filter { $0 == 401 }.count == 1)
        await #expect(throws: AccountError.self) { try await app.accounts.endSession("sess_none") }
        // An empty ID would end all other sessions.
        for id in ["", "/", ".", "..", "a/../..", "a\0"] {
            let refusal = AccountError.signalbox(.rejected(code: "bad_id", detail: "This is not an ID: \(id)"))
            await #expect(throws: refusal) { try await app.accounts.endSession(id) }
            await #expect(throws: refusal) { try await app.accounts.removeSecondFactor(id) }
            await #expect(throws: refusal) { try await app.accounts.confirmSecondFactor(id, code: "123456") }
            await #expect(throws: refusal) { try await app.accounts.unlink(provider: id) }
        }
        #expect(try await app.accounts.sessions().count == 2)
        try await app.accounts.endOtherSessions()
        #expect(try await world.states(of: tokens) == [401, 401])
        #expect(try await app.accounts.sessions().map(\.isCurrent) == [true])
        try await app.accounts.refreshSession()
    }

    @Test func `an authenticator app is added, asked for and removed`() async throws {
        let world = try await World.withAccounts()
        let (app, user) = try await world.signedUp()
        let added = try await app.accounts.addSecondFactor(name: "Phone")
        #expect(added.factor.name == "Phone" && added.factor.confirmedAt == nil && added.url.scheme == "otpauth")
        await #expect(throws: AccountError.invalidCode) { try await app.accounts.confirmSecondFactor(added.factor.id, code: "12345x") }
        let secret = World.base32(added.secret)
        let codes = try await app.accounts.confirmSecondFactor(added.factor.id, code: World.code(secret, steps: 0))
        #expect(codes.count == 10)
        var factors = try await app.accounts.secondFactors()
        #expect(factors.factors.map(\.id) == [added.factor.id] && factors.factors[0].confirmedAt != nil && factors.recoveryCodes == 10)
        let renewed = try await app.accounts.makeRecoveryCodes()
        #expect(renewed.count == 10 && Set(renewed).isDisjoint(with: codes))

        try await app.accounts.signOut()
        let failure = await #expect(throws: AccountError.self) { try await app.accounts.signIn(email: World.email, password: World.password) }
        guard case .secondFactorRequired(let pending) = failure else { throw try #require(failure) }
        await #expect(throws: AccountError.invalidCode) { try await app.accounts.signIn(with: .recovery(pending, code: codes[0])) }
        #expect(try await app.accounts.signIn(with: .recovery(pending, code: renewed[0])).user.id == user.id)
        factors = try await app.accounts.secondFactors()
        #expect(factors.recoveryCodes == 9)
        try await app.accounts.removeSecondFactor(added.factor.id)
        try await app.accounts.signOut()
        #expect(try await app.accounts.signIn(email: World.email, password: World.password).user.id == user.id)
    }

    @Test func `calls that concern the own account need a user and a recent sign-in`() async throws {
        let world = try await World.withAccounts()
        let (app, _) = try await world.signedUp()
        try await app.accounts.signOut()
        let accounts = app.accounts
        let calls: [@Sendable () async throws -> Void] = [
            { try await accounts.sendEmailVerification() }, { try await accounts.sendEmailChange(to: "a@b.example") },
            { try await accounts.setPassword(World.password) }, { _ = try await accounts.sessions() }, { try await accounts.endOtherSessions() },
            { _ = try await accounts.secondFactors() }, { _ = try await accounts.addSecondFactor(name: nil) },
            { _ = try await accounts.makeRecoveryCodes() },
        ]
        for call in calls { await #expect(throws: AccountError.notSignedIn) { try await call() } }
    }

    @Test func `in-memory accounts have mails, sessions and second factors`() async throws {
        let accounts = InMemoryAccounts()
        let user = try await accounts.signUp(email: "ana@example.org", password: "correct horse", name: nil).user
        try await accounts.sendEmailVerification()
        let mail = try #require(accounts.mails.first)
        #expect(mail.kind == .verifyEmail && mail.email == "ana@example.org")
        #expect(try await accounts.redeemCode(mail.code).isRedeemed && accounts.currentUser?.isEmailVerified == true)
        await #expect(throws: AccountError.invalidCode) { try await accounts.redeemCode(mail.code) }
        accounts.add(SignedInSession(id: "tablet"), of: user.id)
        #expect(try await accounts.sessions().map(\.id) == ["current", "tablet"])
        try await accounts.endSession("tablet")
        let factor = try await accounts.addSecondFactor(name: "Phone").factor
        let codes = try await accounts.confirmSecondFactor(factor.id, code: "123456")
        try await accounts.signOut()
        let failure = await #expect(throws: AccountError.self) { try await accounts.signIn(email: "ana@example.org", password: "correct horse") }
        guard case .secondFactorRequired(let pending) = failure else { throw try #require(failure) }
        await #expect(throws: AccountError.invalidCode) { try await accounts.signIn(with: .totp(pending, code: "1")) }
        try await accounts.signIn(with: .recovery(pending, code: codes[0]))
        #expect(try await accounts.secondFactors().recoveryCodes == 9)
        try await accounts.sendPasswordReset(email: "ana@example.org")
        let reset = try #require(accounts.mails.last)
        #expect(try await !accounts.redeemCode(reset.code).isRedeemed)
        try await accounts.redeemCode(reset.code, email: nil, newPassword: "another horse")
        #expect(accounts.currentUser == nil && accounts.sessionEnd == .passwordChanged)
    }
}
