// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct SecondFactorSignInTests {
    @Test func `a user with an authenticator app signs in with its code, once`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            let pending = try await user.pending()
            let code = user.code
            #expect(try await user.finish(pending, user.wrongCode).code == "invalid_code")
            let reply = try await user.finish(pending, code)
            #expect(reply.status == 200, "\(reply.text)")
            let session = try AccountWorld.Session(reply)
            let signIn = try session.claims["firebase"]
            #expect(session.id == user.user.id && signIn["sign_in_second_factor"].text == "totp" && signIn["sign_in_provider"].text == "password")
            // Neither the pending sign-in nor the code counts again.
            #expect(try await user.finish(pending, user.code).code == "session_ended")
            #expect(try await user.finish(try await user.pending(), code).code == "invalid_code")
            world.clock.advance(by: .seconds(30))
            #expect(try await user.finish(try await user.pending(), user.code, more: #", "factor": "\#(user.factor)""#).status == 200)
            #expect(try await world.refresh(session.refresh).status == 200)
            let sessions = try JSON(await world.live.api.get("/v1/auth/user/sessions", key: session.token))
            #expect(sessions["items"].items.allSatisfy { $0["second_factor"].text == "totp" })
        }
    }

    @Test func `the sign-in says which factors there are and nothing of the account`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            let reply = try await world.signIn()
            let asked = try JSON(reply)["second_factor"]
            #expect(asked["factors"][0]["id"].text == user.factor && asked["factors"][0]["name"].text == "Phone")
            for secret in [user.user.id, "id_token", "refresh_token", "ana@"] { #expect(!reply.text.contains(secret)) }
            // A wrong password asks for no code.
            #expect(try await world.signIn(password: "wrong horse battery staple").code == "invalid_credentials")
        }
    }

    @Test func `five codes for a sign-in, ten in a quarter of an hour`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            let first = try await user.pending()
            for _ in 0..<5 { #expect(try await user.finish(first, user.wrongCode).code == "invalid_code") }
            // The right code is too late.
            #expect(try await user.finish(first, user.code).code == "session_ended")
            let second = try await user.pending()
            // One guess was the confirmation.
            for _ in 0..<4 { #expect(try await user.finish(second, user.wrongCode).code == "invalid_code") }
            let limited = try await user.finish(second, user.code)
            #expect(limited.status == 429 && limited.code == "too_many_attempts" && limited.headers["retry-after"] != nil)
            world.clock.advance(by: .minutes(15))
            #expect(try await user.finish(try await user.pending(), user.code).status == 200)
            let events = try JSON(await world.live.api.get("/v1/auth/audit?event=sign_in_failed", key: world.keys.admin))
            #expect(events["items"].items.reduce(0) { $0 + $1["count"].number } == 9)
        }
    }

    @Test func `a pending sign-in expires, and serves its own app only`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            let pending = try await user.pending()
            let other = try await world.live.api.makeApp("other")
            let body = #"{"pending": "\#(pending)", "code": "\#(user.code)"}"#
            #expect(try await world.live.api.post("/v1/auth/second-factor", key: other.ingest, body).code == "session_ended")
            #expect(try await user.finish("pending_x", user.code).code == "session_ended")
            world.clock.advance(by: .minutes(5))
            #expect(try await user.finish(pending, user.code).code == "session_ended")
        }
    }

    @Test func `what changed since the password is found`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            func change(_ body: String) async throws {
                let path = "/v1/auth/accounts/\(user.user.id)"
                #expect(try await world.live.api.request("PATCH", path, key: world.keys.admin, body: Array(body.utf8)).status == 200)
            }
            let first = try await user.pending()
            try await change(#"{"disabled": true}"#)
            #expect(try await user.finish(first, user.code).code == "account_disabled")
            try await change(#"{"disabled": false}"#)
            let second = try await user.pending()
            try await change(#"{"password": "another horse battery staple"}"#)
            #expect(try await user.finish(second, user.code).code == "invalid_credentials")
        }
    }

    @Test func `each recovery code counts once`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            #expect(user.recoveryCodes.count == 10)
            let code = user.recoveryCodes[3]
            let reply = try await user.finish(try await user.pending(), code.uppercased(), more: #", "factor": "recovery""#)
            #expect(try reply.status == 200 && AccountWorld.Session(reply).claims["firebase"]["sign_in_second_factor"].text == "recovery")
            #expect(try await user.finish(try await user.pending(), code, more: #", "factor": "recovery""#).code == "invalid_code")
            // It is no code of the app, and of no other account.
            let session = try AccountWorld.Session(reply)
            let listed = try JSON(await world.live.api.get("/v1/auth/user/factors", key: session.token))
            #expect(listed["recovery_codes"].number == 9 && listed["factors"].items.count == 1 && !listed.source.contains("secret"))
            let made = try await world.live.api.post("/v1/auth/user/recovery-codes", key: session.token, "{}")
            #expect(made.status == 200, "\(made.text)")
            let new = try JSON(made)["recovery_codes"].items.map(\.text)
            #expect(new.count == 10 && Set(new).isDisjoint(with: user.recoveryCodes))
            #expect(try await user.finish(try await user.pending(), user.recoveryCodes[4], more: #", "factor": "recovery""#).code == "invalid_code")
            #expect(try await user.finish(try await user.pending(), new[0], more: #", "factor": "recovery""#).status == 200)
        }
    }

    @Test func `the file has no secret that works without the key`() async throws {
        let folder = TemporaryFolder()
        let (secret, codes) = try await AccountWorld.found(in: folder)
        var bytes: [UInt8] = []
        for name in try Folder.names(in: folder.path) where name.hasPrefix("accounts.db") {
            bytes += try SmallFile.read(folder.path + "/" + name, limit: 1 << 24)
        }
        #expect(bytes.count > 10_000)
        for known in [secret, Array(TOTP.text(secret).utf8)] + codes.map({ Array($0.utf8) }) {
            #expect(!bytes.holds(known))
        }
    }
}

extension AccountWorld {
    fileprivate static func found(in folder: TemporaryFolder) async throws -> (secret: [UInt8], codes: [String]) {
        let found = Found()
        try await AccountWorld.use(in: folder) { world in
            let user = try await FactorWorld(world)
            await found.set(user.secret, user.recoveryCodes)
        }
        return await (found.secret, found.codes)
    }

    private actor Found {
        var secret: [UInt8] = []
        var codes: [String] = []

        func set(_ secret: [UInt8], _ codes: [String]) { (self.secret, self.codes) = (secret, codes) }
    }
}
