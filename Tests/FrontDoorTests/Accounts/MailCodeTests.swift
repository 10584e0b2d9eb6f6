// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Codes by mail through HTTP and SMTP.
@Suite struct MailCodeTests {
    @Test func `a user resets the password with the link of a mail`() async throws {
        try await MailWorld.use { world in
            let user = try await world.accounts.user()
            let mail = try await world.mail("reset_password", "ANA@example.org", more: #", "locale": "de-AT""#)
            #expect(mail.receivers == ["ANA@example.org"] && mail.from == "no-reply@shop.example")
            #expect(mail.header("Subject") == "Neues Passwort für shop" || mail.header("Subject")?.hasPrefix("=?UTF-8?B?") == true)
            #expect(mail.link?.hasPrefix("https://signals.example.org/v1/auth/action?mode=resetPassword&oobCode=") == true, "\(mail.plain)")
            let code = try #require(mail.code)
            let asked = try JSON(try await world.redeem(code))
            #expect(asked["kind"].text == "reset_password" && !asked["redeemed"].bool && asked["email"].text == "ANA@example.org")
            #expect(try await world.redeem(code, more: #", "new_password": "short""#).status == 422)
            let done = try await world.redeem(code, more: #", "new_password": "\#(MailWorld.newPassword)""#)
            #expect(try done.status == 200 && JSON(done)["user"].text == user.id, "\(done.text)")
            // Once, and everybody is out.
            let again = try await world.redeem(code, more: #", "new_password": "\#(MailWorld.newPassword)""#)
            #expect(try again.status == 422 && JSON(again)["code"].text == "invalid_code")
            #expect(try await world.api.get("/v1/auth/user", key: user.token).status == 401)
            #expect(try await world.accounts.signIn().status == 401)
            let signedIn = try await world.accounts.signIn(password: MailWorld.newPassword)
            #expect(try signedIn.status == 200 && JSON(signedIn)["user"]["email_verified"].bool)
            #expect(world.sink.mails.count == 1)
        }
    }

    @Test func `digits work with their address only, and five wrong ones end them`() async throws {
        try await MailWorld.use { world in
            _ = try await world.accounts.user()
            let mail = try await world.mail("verify_email")
            let (code, digits) = (try #require(mail.code), try #require(mail.digits))
            #expect(digits.utf8.count == 8)
            for other in [#", "email": "bob@example.org""#, ""] { #expect(try await world.redeem(digits, more: other).status == 422) }
            let wrong = digits == "00000000" ? "00000001" : "00000000"
            for _ in 0..<5 { #expect(try await world.redeem(wrong, more: #", "email": "ana@example.org""#).status == 422) }
            let dead = try await world.redeem(digits, more: #", "email": "ana@example.org""#)
            #expect(try dead.status == 422 && JSON(dead)["code"].text == "invalid_code")
            // The link cannot be guessed, so it still works.
            #expect(try JSON(try await world.redeem(code))["redeemed"].bool)
        }
    }

    @Test func `an address is verified with digits`() async throws {
        try await MailWorld.use { world in
            let user = try await world.accounts.user()
            #expect(try await !world.user(user.token)["email_verified"].bool)
            let digits = try #require(try await world.mail("verify_email").digits)
            #expect(try await world.redeem("\(digits.prefix(4))-\(digits.suffix(4))", more: #", "email": "Ana@example.org""#).status == 200)
            #expect(try await world.user(user.token)["email_verified"].bool)
            let events = try JSON(try await world.api.get("/v1/auth/audit?event=email_verified", key: world.keys.admin))
            #expect(events["items"].items.count == 1 && events["items"][0]["user"].text == user.id)
        }
    }

    @Test func `strangers get the same response and no mail`() async throws {
        try await MailWorld.use { world in
            _ = try await world.accounts.user()
            let known = try await world.ask("reset_password")
            let stranger = try await world.ask("reset_password", "bob@example.org")
            #expect(known.status == 202 && stranger.status == 202 && known.body == stranger.body)
            #expect(known.headers.keys.sorted() == stranger.headers.keys.sorted())
            #expect(try await world.ask("verify_email", "eve@example.org").status == 202)
            // Limits count for strangers, too.
            for email in ["ana@example.org", "bob@example.org"] {
                let limited = try await world.ask("reset_password", email)
                #expect(try limited.status == 429 && JSON(limited)["code"].text == "too_many_attempts" && limited.headers["retry-after"] != nil)
            }
            _ = try await world.sink.mails(1)
            #expect(try await world.accounts.live.daemon.store.accounts.openCodes(AppID(rawValue: 1)).count == 1)
            #expect(world.sink.mails.map(\.receivers) == [["ana@example.org"]])
        }
    }

    @Test func `a code from a mail signs a user in, and makes a new account`() async throws {
        try await MailWorld.use { world in
            let mail = try await world.mail("sign_in")
            #expect(mail.link == nil && mail.digits?.utf8.count == 8)
            let first = try await world.signIn(code: mail.digits ?? "", more: #", "email": "ana@example.org""#)
            #expect(first.status == 201, "\(first.text)")
            let made = try JSON(first)["user"]
            #expect(made["email"].text == "ana@example.org" && made["email_verified"].bool && made["providers"].items.isEmpty)
            #expect(try await world.signIn(code: mail.digits ?? "", more: #", "email": "ana@example.org""#).status == 422)
            world.clock.advance(by: .minutes(2))
            try await world.accounts.set(#"{"auth_origins": ["https://*.shop.example"]}"#)
            let link = try await world.mail("sign_in", more: #", "continue_url": "https://eu.shop.example/in?a=b""#)
            #expect(link.link?.hasPrefix("https://eu.shop.example/in?a=b&mode=signIn&oobCode=") == true, "\(link.plain)")
            let again = try await world.signIn(code: link.code ?? "")
            #expect(try again.status == 200 && JSON(again)["user"]["id"].text == made["id"].text)
        }
    }

    @Test func `whoever made the account without the address is locked out when its owner signs in`() async throws {
        try await MailWorld.use { world in
            let thief = try await world.accounts.user()
            let mail = try await world.mail("sign_in")
            let owner = try await world.signIn(code: mail.digits ?? "", more: #", "email": "ana@example.org""#)
            #expect(owner.status == 200)
            #expect(try await world.api.get("/v1/auth/user", key: thief.token).status == 401)
            #expect(try await world.accounts.signIn().status == 401)
            #expect(try await world.user(AccountWorld.Session(owner).token)["email_verified"].bool)
        }
    }

    @Test func `codes expire`() async throws {
        try await MailWorld.use { world in
            _ = try await world.accounts.user()
            let mail = try await world.mail("reset_password")
            world.clock.advance(by: .minutes(61))
            let late = try await world.redeem(mail.code ?? "", more: #", "new_password": "\#(MailWorld.newPassword)""#)
            #expect(try late.status == 422 && JSON(late)["code"].text == "code_expired")
            #expect(try await world.redeem(mail.digits ?? "", more: #", "email": "ana@example.org""#).status == 422)
        }
    }

    @Test func `of many who redeem a code at once one wins`() async throws {
        try await MailWorld.use { world in
            let mail = try await world.mail("sign_in")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 {
                    group.addTask { try await world.signIn(code: mail.digits ?? "", more: #", "email": "ana@example.org""#).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 1 && statuses.filter { $0 == 422 }.count == 9, "\(statuses)")
        }
    }

    private static let brokenRequests: [(String, Int, String)] = [
        (#"{"kind": "undo_email", "email": "ana@example.org"}"#, 422, "invalid"), (#"{"kind": "sign_in"}"#, 422, "invalid"),
        (#"{"kind": "sign_in", "email": "ana@example.org\r\nRCPT TO:<eve@example.org>"}"#, 422, "invalid_email"),
        (#"{"kind": "sign_in", "email": "<ana@example.org>"}"#, 422, "invalid_email"),
        (#"{"kind": "sign_in", "email": "ana@example.org", "continue_url": "https://evil.example/"}"#, 422, "invalid"),
        (#"{"kind": "sign_in", "email": "ana@example.org", "continue_url": "https://shop.example@evil.example/"}"#, 422, "invalid"),
        (#"{"kind": "sign_in", "email": "ana@example.org", "locale": "../../etc"}"#, 422, "invalid"),
        (#"{"kind": "sign_in", "email": "ana@example.org", "to": "x"}"#, 422, "invalid"),
        (#"{"kind": "change_email", "email": "ana@example.org"}"#, 401, "unauthorized"),
    ]

    @Test func `a broken request is rejected and sends nothing`() async throws {
        try await MailWorld.use { world in
            try await world.accounts.set(#"{"auth_origins": ["https://shop.example"]}"#)
            for (body, status, code) in Self.brokenRequests {
                let reply = try await world.api.post("/v1/auth/codes", key: world.keys.ingest, body)
                #expect(reply.status == status, "\(body)")
                #expect(try JSON(reply)["code"].text == code, "\(body): \(reply.text)")
            }
            #expect(try await world.mail("sign_in", "bob@example.org").receivers == ["bob@example.org"])
            #expect(world.sink.mails.count == 1 && !world.sink.commands.contains { $0.contains("eve@") })
        }
    }

    @Test func `methods and mail must be on`() async throws {
        try await MailWorld.use(methods: "anonymous") { world in
            let asked = [try await world.ask("sign_in"), try await world.ask("reset_password")]
            let signedIn = try await world.signIn(code: "12345678")
            #expect(asked.allSatisfy { $0.status == 403 } && signedIn.status == 403)
        }
        try await AccountWorld.use(methods: "password,code") { world in
            let reply = try await world.live.api.post("/v1/auth/codes", key: world.keys.ingest, #"{"kind": "sign_in", "email": "ana@example.org"}"#)
            #expect(try reply.status == 501 && JSON(reply)["code"].text == "not_implemented")
        }
    }

    @Test func `a code is worth nothing in another app`() async throws {
        try await MailWorld.use { world in
            try await world.accounts.set(#"{"auth_origins": ["https://shop.example"]}"#)
            let mail = try await world.mail("sign_in", more: #", "continue_url": "https://shop.example/""#)
            let other = try await world.api.makeApp("other")
            _ = try await world.api.request("PATCH", "/v1/app", key: other.admin, body: Array(#"{"auth_methods": "code"}"#.utf8))
            let body = #"{"method": "code", "code": "\#(mail.code ?? "")"}"#
            #expect(try await world.api.post("/v1/auth/sign-in", key: other.ingest, body).status == 422)
            #expect(try await world.api.post("/v1/auth/sign-in", key: world.keys.ingest, body).status == 201)
        }
    }
}
