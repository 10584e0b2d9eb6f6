// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Codes of mails beside second factors and other ways to sign in.
@Suite struct MailFactorTests {
    /// Proves the address of the account and leaves the limits of mails behind.
    private static func prove(_ world: MailWorld) async throws {
        let mail = try await world.mail("verify_email")
        #expect(try await world.redeem(mail.code ?? "").status == 200)
        world.clock.advance(by: .minutes(2))
    }

    /// Changes the address of a user and returns the mail with the way back.
    private static func change(_ world: MailWorld, _ token: String) async throws -> ReceivedMail {
        let before = world.sink.mails.count
        #expect(try await world.api.post("/v1/auth/user/email", key: token, #"{"email": "ana@new.example"}"#).status == 202)
        #expect(try await world.redeem(try await world.next(after: before).code ?? "").status == 200)
        return try await world.next(after: before + 1)
    }

    /// Takes the way back and sets a password with the mail that follows.
    private static func undo(_ world: MailWorld, _ notice: ReceivedMail) async throws {
        let before = world.sink.mails.count
        #expect(try await world.redeem(notice.code ?? "").status == 200)
        let reset = try await world.next(after: before)
        #expect(try await world.redeem(reset.code ?? "", more: #", "new_password": "\#(MailWorld.newPassword)""#).status == 200)
    }

    @Test func `a code of a mail is one factor, and counts once the second one is shown`() async throws {
        try await MailWorld.use { world in
            let user = try await FactorWorld(world.accounts)
            try await Self.prove(world)
            let digits = try await world.mail("sign_in").digits ?? ""
            for _ in 0..<2 {
                let asked = try await world.signIn(code: digits, more: #", "email": "ana@example.org""#)
                #expect(asked.status == 202, "\(asked.text)")
                let pending = try JSON(asked)["second_factor"]["pending"].text
                #expect(try await user.finish(pending, user.wrongCode).code == "invalid_code")
            }
            let pending = try JSON(try await world.signIn(code: digits, more: #", "email": "ana@example.org""#))["second_factor"]["pending"].text
            #expect(try await user.finish(pending, user.code).status == 200)
            #expect(try await world.signIn(code: digits, more: #", "email": "ana@example.org""#).code == "invalid_code")
        }
    }

    @Test func `whoever proves an address first drops the password and the second factor of a stranger`() async throws {
        try await MailWorld.use { world in
            let stranger = try await FactorWorld(world.accounts)
            let mail = try await world.mail("reset_password")
            #expect(try await world.redeem(mail.code ?? "", more: #", "new_password": "\#(MailWorld.newPassword)""#).status == 200)
            #expect(try await world.api.get("/v1/auth/user", key: stranger.user.token).status == 401)
            #expect(try await world.accounts.signIn(password: MailWorld.newPassword).status == 200)
            let events = try JSON(try await world.api.get("/v1/auth/audit?event=credentials_dropped", key: world.keys.admin))
            #expect(events["items"].items.count == 1)
        }
    }

    @Test func `undoing a change removes what its session added`() async throws {
        try await MailWorld.use { world in
            _ = try await world.accounts.user()
            try await Self.prove(world)
            // Somebody knows the password.
            let thief = try AccountWorld.Session(try await world.accounts.signIn())
            let added = try JSON(try await world.api.post("/v1/auth/user/factors", key: thief.token, #"{"kind": "totp"}"#))
            let code = TOTP.code(Base32.bytes(added["secret"].text), step: TOTP.step(at: world.clock.now))
            let confirm = "/v1/auth/user/factors/\(added["factor"]["id"].text)/confirm"
            #expect(try await world.api.post(confirm, key: thief.token, #"{"code": "\#(code)"}"#).status == 200)
            let notice = try await world.next(after: 1)
            #expect(notice.header("Subject") == "Your second factor in shop was changed" && notice.receivers == ["ana@example.org"])
            try await Self.undo(world, try await Self.change(world, thief.token))
            #expect(try await world.accounts.signIn(password: MailWorld.newPassword).status == 200)
        }
    }

    @Test func `undoing a change keeps the second factor from before`() async throws {
        try await MailWorld.use { world in
            let user = try await FactorWorld(world.accounts)
            try await Self.prove(world)
            let session = try AccountWorld.Session(try await user.finish(try await user.pending(), user.code))
            try await Self.undo(world, try await Self.change(world, session.token))
            // The mailbox alone opens nothing.
            #expect(try await world.accounts.signIn(password: MailWorld.newPassword).status == 202)
        }
    }

    @Test func `an anonymous user signs up by a mail and keeps the user ID`() async throws {
        try await MailWorld.use(methods: "password,anonymous") { world in
            try await world.accounts.set(#"{"auth_verified_only": true}"#)
            let made = try await world.api.post("/v1/auth/sign-in", key: world.keys.ingest, #"{"method": "anonymous"}"#)
            let anonymous = try AccountWorld.Session(made)
            let body = #"{"email": "ana@example.org", "password": "\#(AccountWorld.password)"}"#
            #expect(try await world.api.post("/v1/auth/sign-up", key: anonymous.token, body).status == 202)
            #expect(try await world.redeem(try await world.next(after: 0).code ?? "").status == 200)
            let user = try JSON(try await world.accounts.signIn())["user"]
            #expect(user["id"].text == anonymous.id && user["email_verified"].bool && !user["anonymous"].bool)
            #expect(try await world.api.get("/v1/auth/user", key: anonymous.token).status == 401)
        }
    }
}
