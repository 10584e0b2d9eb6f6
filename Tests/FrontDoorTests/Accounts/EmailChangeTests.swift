// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// Changing the address, notices, and sign-ups that prove the address first.
@Suite struct EmailChangeTests {
    /// A user whose address is proved.
    private static func provedUser(_ world: MailWorld) async throws -> AccountWorld.Session {
        let user = try await world.accounts.user()
        let mail = try await world.mail("verify_email")
        #expect(try await world.redeem(mail.code ?? "").status == 200)
        world.clock.advance(by: .minutes(2))
        return user
    }

    @Test func `a new address is confirmed, the old one is told, and can undo it`() async throws {
        try await MailWorld.use { world in
            let user = try await Self.provedUser(world)
            let other = try AccountWorld.Session(try await world.accounts.signIn())
            let asked = try await world.api.post("/v1/auth/user/email", key: user.token, #"{"email": "ana@new.example"}"#)
            #expect(asked.status == 202, "\(asked.text)")
            let confirm = try await world.next(after: 1)
            #expect(confirm.receivers == ["ana@new.example"])
            #expect(try await world.user(user.token)["email"].text == "ana@example.org")
            #expect(try await world.redeem(confirm.code ?? "").status == 200)
            // The session that asked stays, others end.
            #expect(try await world.user(user.token)["email"].text == "ana@new.example")
            #expect(try await world.api.get("/v1/auth/user", key: other.token).status == 401)
            let notice = try await world.next(after: 2)
            #expect(notice.receivers == ["ana@example.org"] && notice.plain.contains("ana@new.example") && notice.digits == nil)
            #expect(try await world.redeem(notice.code ?? "").status == 200)
            #expect(try await world.api.get("/v1/auth/user", key: user.token).status == 401)
            #expect(try await world.accounts.signIn().status == 401)
            let reset = try await world.next(after: 3)
            #expect(reset.receivers == ["ana@example.org"])
            #expect(try await world.redeem(reset.code ?? "", more: #", "new_password": "\#(MailWorld.newPassword)""#).status == 200)
            #expect(try await world.accounts.signIn(password: MailWorld.newPassword).status == 200)
        }
    }

    @Test func `a session that a code or a factor ended says why, also after a restart`() async throws {
        let (folder, ends) = (TemporaryFolder(), Ends())
        try await MailWorld.use(in: folder) { world in
            let user = try await Self.provedUser(world)
            func expectEnd(_ session: AccountWorld.Session, _ why: String) async throws {
                let state = try await world.api.get("/v1/auth/state?poll=1", key: session.token)
                #expect(state.text == #"{"state":"signed_out","why":"\#(why)"}"#)
                ends.all.withLock { $0.append((session.token, why)) }
            }
            let other = try AccountWorld.Session(try await world.accounts.signIn())
            #expect(try await world.api.post("/v1/auth/user/email", key: user.token, #"{"email": "ana@new.example"}"#).status == 202)
            #expect(try await world.redeem(try await world.next(after: 1).code ?? "").status == 200)
            try await expectEnd(other, "email_changed")
            #expect(try await world.redeem(try await world.next(after: 2).code ?? "").status == 200)
            try await expectEnd(user, "email_changed")
            let reset = try await world.next(after: 3)
            #expect(try await world.redeem(reset.code ?? "", more: #", "new_password": "\#(AccountWorld.password)""#).status == 200)
            // The notice of the new password comes before the next mail.
            _ = try await world.next(after: 4)
            let again = try AccountWorld.Session(try await world.accounts.signIn())
            world.clock.advance(by: .minutes(2))
            let mail = try await world.mail("reset_password")
            #expect(try await world.redeem(mail.code ?? "", more: #", "new_password": "\#(MailWorld.newPassword)""#).status == 200)
            try await expectEnd(again, "password_changed")
            let thief = try await world.accounts.user("bob@example.org")
            let owner = try await world.mail("sign_in", "bob@example.org")
            #expect(try await world.signIn(code: owner.code ?? owner.digits ?? "", more: #", "email": "bob@example.org""#).status == 200)
            try await expectEnd(thief, "credentials_dropped")
        }
        let clock = ManualClock(AccountWorld.now + .minutes(10))
        try await withDaemon(in: folder, clock: clock.clock, sends: false, configure: { $0.accounts.url = "https://signals.example.org" }) { live in
            for (token, why) in ends.all.withLock({ $0 }) {
                let reply = try await live.api.get("/v1/auth/state?poll=1", key: token)
                #expect(try JSON(reply)["why"].text == why, "\(reply.text)")
            }
        }
        try await AccountWorld.use(configure: { $0.accounts.url = "https://signals.example.org" }) { world in
            let user = try await FactorWorld(world, "eve@example.org", signedInBefore: true)
            let state = try await world.live.api.get("/v1/auth/state?poll=1", key: user.earlier)
            #expect(state.text == #"{"state":"signed_out","why":"factor_added"}"#)
        }
    }

    @Test func `an address that is taken is told to its owner, not to others`() async throws {
        try await MailWorld.use { world in
            _ = try await world.accounts.user("bob@example.org")
            let user = try await world.accounts.user()
            #expect(try await world.api.post("/v1/auth/user/email", key: user.token, #"{"email": "bob@example.org"}"#).status == 202)
            let notice = try await world.next(after: 0)
            #expect(notice.receivers == ["bob@example.org"] && notice.link == nil && notice.plain.contains("tried to use bob@example.org"))
        }
    }

    @Test func `a change needs a recent sign-in`() async throws {
        try await MailWorld.use { world in
            let user = try await world.accounts.user()
            world.clock.advance(by: .minutes(6))
            let body = #"{"kind": "change_email", "email": "ana@new.example"}"#
            let late = try await world.api.post("/v1/auth/codes", key: user.token, body)
            #expect(try late.status == 403 && JSON(late)["code"].text == "recent_login_required")
            let session = try AccountWorld.Session(try await world.accounts.signIn())
            #expect(try await world.api.post("/v1/auth/codes", key: session.token, body).status == 202)
        }
    }

    @Test func `a changed password is told to a proved address`() async throws {
        try await MailWorld.use { world in
            let user = try await Self.provedUser(world)
            let changed = try await world.api.post("/v1/auth/user/password", key: user.token, #"{"password": "\#(MailWorld.newPassword)"}"#)
            #expect(changed.status == 200)
            let notice = try await world.next(after: 1)
            #expect(notice.header("Subject") == "Your password for shop was changed" && notice.link == nil)
        }
    }

    @Test func `a sign-up makes the account when its address is proved`() async throws {
        try await MailWorld.use { world in
            try await world.accounts.set(#"{"auth_verified_only": true}"#)
            let first = try await world.accounts.signUp()
            #expect(first.status == 202 && first.body.isEmpty, "\(first.text)")
            #expect(try await world.accounts.signIn().status == 401)
            let mail = try await world.next(after: 0)
            let done = try JSON(try await world.redeem(mail.code ?? ""))
            #expect(done["kind"].text == "sign_up" && done["redeemed"].bool)
            let signedIn = try await world.accounts.signIn()
            #expect(try signedIn.status == 200 && JSON(signedIn)["user"]["email_verified"].bool)
            // A second one looks the same and tells the owner.
            world.clock.advance(by: .minutes(2))
            let second = try await world.accounts.signUp(password: "the horse of a stranger")
            #expect(second.status == first.status && second.body == first.body)
            let notice = try await world.next(after: 1)
            #expect(notice.receivers == ["ana@example.org"] && notice.link == nil)
            #expect(try await world.accounts.signIn(password: "the horse of a stranger").status == 401)
        }
    }

    @Test func `a sign-in on a new device is told, once`() async throws {
        try await MailWorld.use { world in
            _ = try await Self.provedUser(world)
            #expect(try await world.accounts.signIn(more: #", "installation_id": "phone""#).status == 200)
            #expect(try await world.accounts.signIn(more: #", "installation_id": "phone""#).status == 200)
            #expect(try await world.accounts.signIn(more: #", "installation_id": "tablet""#).status == 200)
            let notice = try await world.next(after: 1)
            #expect(notice.header("Subject") == "New sign-in to shop" && notice.receivers == ["ana@example.org"])
            #expect(world.sink.mails.count == 2)
        }
    }

    @Test func `an invited user chooses the first password`() async throws {
        try await MailWorld.use { world in
            let made = try await world.api.post("/v1/auth/accounts", key: world.keys.admin, #"{"email": "ana@example.org", "invite": true}"#)
            #expect(made.status == 201, "\(made.text)")
            let mail = try await world.next(after: 0)
            #expect(mail.digits == nil && mail.link?.contains("mode=invite") == true)
            #expect(try await world.redeem(mail.code ?? "", more: #", "new_password": "\#(MailWorld.newPassword)""#).status == 200)
            #expect(try JSON(try await world.accounts.signIn(password: MailWorld.newPassword))["user"]["email_verified"].bool)
            #expect(try await world.api.post("/v1/auth/accounts", key: world.keys.admin, #"{"invite": true}"#).status == 422)
        }
    }

    @Test func `an administrator sends a mail for a new password`() async throws {
        try await MailWorld.use { world in
            let user = try await world.accounts.user()
            let path = "/v1/auth/accounts/\(user.id)/reset"
            #expect(try await world.api.request("POST", path, key: world.keys.admin).status == 202)
            #expect(try await world.next(after: 0).header("Subject") == "Reset your password for shop")
            #expect(try await world.api.request("POST", "/v1/auth/accounts/nobody/reset", key: world.keys.admin).status == 404)
            #expect(try await world.api.request("POST", path, key: user.token).status == 403)
            let entries = try await world.api.asOperator("GET", "/v1/audit?action=account.reset").text
            #expect(entries.contains("account.reset") && entries.contains("done"))
        }
    }
}

private final class Ends: Sendable {
    let all = Mutex<[(token: String, why: String)]>([])
}
