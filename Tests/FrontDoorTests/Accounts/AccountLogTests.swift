// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// The log of a whole life of an account, at the level that says most.
@Suite struct AccountLogTests {
    @Test func `no address, password, token or key of a whole run is in the log`() async throws {
        let (log, secrets) = try await Self.run()
        #expect(log.utf8.count > 1_000 && secrets.count > 15)
        for secret in secrets { #expect(!log.contains(secret), "\(secret.prefix(12))…") }
    }

    @Test func `no address, code or link of mails is in the log`() async throws {
        try await MailWorld.use { world in
            let user = try await world.accounts.user()
            _ = try await world.api.request(
                "PATCH", "/v1/app", key: world.keys.admin, body: Array(#"{"auth_origins": ["https://shop.example"]}"#.utf8))
            var secrets = ["ana@example.org", "ana@new.example", "eve@example.org", MailWorld.newPassword, user.token]
            func note(_ mail: ReceivedMail) { secrets += [mail.code, mail.digits, mail.link].compactMap(\.self) }
            let verify = try await world.mail("verify_email")
            note(verify)
            // Links as a browser opens them, with the code in the query, also broken ones and with bodies that no route takes.
            for link in [verify.link ?? "", (verify.link ?? "") + "x"] {
                _ = try await world.api.get(String(link.dropFirst("https://signals.example.org".count)))
            }
            #expect(try await world.redeem(verify.code ?? "").status == 200)
            _ = try await world.redeem(verify.code ?? "")
            for body in ["{\"code\": \"\(verify.code ?? "")\"", #"{"code": "\#(verify.code ?? "")", "ana@example.org": 1}"#] {
                #expect(try await world.api.post("/v1/auth/codes/redeem", key: world.keys.ingest, body).status >= 400)
            }
            let change = #"{"email": "ana@new.example"}"#
            #expect(try await world.api.post("/v1/auth/user/email", key: user.token, change).status == 202)
            note(try await world.next(after: 1))
            world.clock.advance(by: .minutes(2))
            let reset = try await world.mail("reset_password")
            note(reset)
            let firebase = "\(FirebaseWorld.v1)/accounts:resetPassword?key=\(world.keys.ingest)"
            #expect(try await world.api.post(firebase, #"{"oobCode": "\#(reset.code ?? "")"}"#).status == 200)
            #expect(try await world.redeem(reset.code ?? "", more: #", "new_password": "\#(MailWorld.newPassword)""#).status == 200)
            // The notice of the new password.
            note(try await world.next(after: 3))
            let link = try await world.mail("sign_in", "eve@example.org", more: #", "continue_url": "https://shop.example/""#)
            note(link)
            #expect(try await world.signIn(code: link.code ?? "").status == 201)
            let log = world.accounts.live.log.text
            #expect(log.utf8.count > 1_000 && secrets.count >= 13)
            for secret in secrets { #expect(!log.contains(secret), "\(secret.prefix(12))…") }
        }
    }

    /// Returns the log and everything that must not be in it.
    private static func run() async throws -> (log: String, secrets: [String]) {
        let (folder, clock) = (TemporaryFolder(), ManualClock(AccountWorld.now))
        return try await withDaemon(in: folder, clock: clock.clock, sends: false) { live in
            let world = AccountWorld(live: live, keys: try await live.api.makeApp(), clock: clock)
            try await world.set(#"{"auth_methods": "password,anonymous,custom_token"}"#)
            var secrets = world.keys.all + [AccountWorld.password, "ana@example.org", "Ana Secretname", "another horse battery", "wrong-horse-wrong"]
            secrets += try await spend(world)
            let key = try SmallFile.read(folder.path + "/accounts.key", limit: 256)
            secrets.append(String(decoding: key.dropLast(), as: UTF8.self))
            return (live.log.text, secrets)
        }
    }

    /// Signs up, in and out, refreshes, fails in every way, and is deleted. Returns the tokens.
    private static func spend(_ world: AccountWorld) async throws -> [String] {
        let api = world.live.api
        var sessions = [try await world.user()]
        for _ in 0..<2 { sessions.append(try AccountWorld.Session(try await world.signIn(more: #", "installation_id": "phone-of-ana""#))) }
        sessions.append(try AccountWorld.Session(try await world.refresh(sessions[0].refresh)))
        sessions.append(try AccountWorld.Session(try await world.refresh(sessions[3].refresh)))
        for _ in 0..<7 { _ = try await world.signIn(password: "wrong-horse-wrong") }
        let broken = [
            #"{"method": "password", "email": "ana@example.org", "password": "\#(AccountWorld.password)""#,
            #"{"method": "custom_token", "token": "\#(sessions[0].token)"}"#, #"{"method": "password", "email": 1, "ana@example.org": 2}"#,
        ]
        for body in broken { #expect(try await api.post("/v1/auth/sign-in", key: world.keys.ingest, body).status >= 400) }
        #expect(try await world.refresh(sessions[0].refresh).status == 401)
        for token in [sessions[4].token, sessions[0].token + "x"] { #expect(try await api.get("/v1/auth/user", key: token).status == 401) }
        #expect(try await api.get("/v1/auth/user?access_token=\(sessions[1].token)").status == 401)
        let names = Array(#"{"name": "Ana Secretname"}"#.utf8)
        #expect(try await api.request("PATCH", "/v1/auth/user", key: sessions[1].token, body: names).status == 200)
        #expect(try await world.events(#"[{"name": "a", "user_id": "eva"}]"#, as: sessions[1].token).status == 200)
        let changed = try await api.post("/v1/auth/user/password", key: sessions[1].token, #"{"password": "another horse battery"}"#)
        sessions.append(try AccountWorld.Session(changed))
        _ = try await api.get("/v1/auth/accounts?email=ana@example.org", key: world.keys.admin)
        #expect(try await api.request("DELETE", "/v1/auth/user", key: sessions[5].token).status == 204)
        return sessions.flatMap { [$0.token, $0.refresh] }
    }
}
