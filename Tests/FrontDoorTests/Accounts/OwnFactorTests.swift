// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Second factors as their user and administrators change them.
@Suite struct OwnFactorTests {
    private func add(_ world: AccountWorld, _ user: AccountWorld.Session, _ body: String = #"{"kind": "totp"}"#) async throws -> Reply {
        try await world.live.api.post("/v1/auth/user/factors", key: user.token, body)
    }

    @Test func `a factor counts once its first code is confirmed`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await world.user()
            let added = try JSON(try await add(world, user))
            let url = added["url"].text
            #expect(url.hasPrefix("otpauth://totp/shop:ana%40example.org?secret=\(added["secret"].text)&issuer=shop"), "\(url)")
            #expect(!added["factor"]["confirmed_at"].exists && added["factor"]["kind"].text == "totp")
            #expect(try await world.signIn().status == 200)
            let path = "/v1/auth/user/factors/\(added["factor"]["id"].text)/confirm"
            for code in ["", "12345", "1234567", "abcdef"] {
                #expect(try await world.live.api.post(path, key: user.token, #"{"code": "\#(code)"}"#).code == "invalid_code")
            }
            #expect(try await world.signIn().status == 200)
            // A second one replaces the first, which was never confirmed.
            #expect(try await add(world, user).status == 201)
            #expect(try await world.live.api.post(path, key: user.token, #"{"code": "123456"}"#).status == 404)
            #expect(try JSON(await world.live.api.get("/v1/auth/user/factors", key: user.token))["factors"].items.count == 1)
            world.clock.advance(by: .minutes(16))
            _ = try await world.live.daemon.store.accounts.retain([])
            let fresh = try AccountWorld.Session(try await world.signIn())
            #expect(try JSON(await world.live.api.get("/v1/auth/user/factors", key: fresh.token))["factors"].items.isEmpty)
        }
    }

    @Test func `removing a factor ends the other sessions`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            let again = try AccountWorld.Session(try await user.finish(try await user.pending(), user.code))
            #expect(try await world.live.api.get("/v1/auth/user", key: user.user.token).status == 200)
            #expect(try await world.live.api.request("DELETE", "/v1/auth/user/factors/factor_x", key: again.token).status == 404)
            #expect(try await world.live.api.request("DELETE", "/v1/auth/user/factors/\(user.factor)", key: again.token).status == 204)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.user.token).status == 401)
            #expect(try await world.signIn().status == 200)
        }
    }

    @Test func `sessions from before a factor end with its confirmation`() async throws {
        try await AccountWorld.use { world async throws in
            let first = try await world.user()
            let added = try JSON(try await add(world, first))
            let second = try AccountWorld.Session(try await world.signIn())
            let code = TOTP.code(Base32.bytes(added["secret"].text), step: TOTP.step(at: world.clock.now))
            let confirmed = try await world.live.api.post(
                "/v1/auth/user/factors/\(added["factor"]["id"].text)/confirm", key: first.token, #"{"code": "\#(code)"}"#)
            #expect(confirmed.status == 200)
            #expect(try await world.live.api.get("/v1/auth/user", key: first.token).status == 200)
            #expect(try await world.live.api.get("/v1/auth/user", key: second.token).status == 401)
            #expect(try await world.refresh(second.refresh).code == "session_ended")
        }
    }

    @Test func `an old session changes no factor, and an anonymous user has none`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            let signedIn = try AccountWorld.Session(try await user.finish(try await user.pending(), user.code))
            world.clock.advance(by: .minutes(6))
            let old = try AccountWorld.Session(try await world.refresh(signedIn.refresh))
            #expect(try await add(world, old).code == "recent_login_required")
            #expect(try await world.live.api.post("/v1/auth/user/recovery-codes", key: old.token, "{}").code == "recent_login_required")
            let remove = try await world.live.api.request("DELETE", "/v1/auth/user/factors/\(user.factor)", key: old.token)
            #expect(remove.code == "recent_login_required")
            let anonymous = try AccountWorld.Session(
                try await world.live.api.post("/v1/auth/sign-in", key: world.keys.ingest, #"{"method": "anonymous"}"#))
            #expect(try await add(world, anonymous).code == "conflict")
            #expect(try await world.live.api.post("/v1/auth/user/recovery-codes", key: anonymous.token, "{}").code == "conflict")
            #expect(try await add(world, anonymous, #"{"kind": "sms"}"#).status == 422)
        }
    }

    @Test func `an administrator removes factors that are lost`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            let path = "/v1/auth/accounts/\(user.user.id)"
            let account = try JSON(await world.live.api.get(path, key: world.keys.admin))
            #expect(account["factors"][0]["name"].text == "Phone" && account["recovery_codes"].number == 10)
            #expect(!account.source.contains(TOTP.text(user.secret)))
            #expect(try await world.live.api.request("DELETE", path + "/factors", key: world.keys.admin).status == 204)
            #expect(try await world.signIn().status == 200)
            let after = try JSON(await world.live.api.get(path, key: world.keys.admin))
            #expect(after["factors"].items.isEmpty && after["recovery_codes"].number == 0)
            #expect(try await world.live.api.request("DELETE", "/v1/auth/accounts/nobody/factors", key: world.keys.admin).status == 404)
            let entries = try JSON(await world.live.api.get("/v1/audit?action=account.factors.remove", key: world.keys.admin))
            #expect(entries["items"].items.count == 2, "\(entries.source)")
        }
    }

    @Test func `a provider's sign-in needs the code, too, and links nothing before`() async throws {
        try await ProviderWorld.use { world async throws in
            let user = try await FactorWorld(world.accounts)
            try await world.verify(user.user.id)
            let now = world.accounts.clock.now
            let asked = try await world.signIn(world.corp.token("u-1", verified("ana@example.org"), at: now))
            #expect(asked.status == 202, "\(asked.text)")
            let before = try JSON(await world.accounts.live.api.get("/v1/auth/accounts/\(user.user.id)", key: world.accounts.keys.admin))
            #expect(before["providers"].source == #"["password"]"#)
            let reply = try await user.finish(try JSON(asked)["second_factor"]["pending"].text, user.code)
            #expect(try reply.status == 200 && JSON(reply)["user"]["providers"].source == #"["password","oidc.corp"]"#, "\(reply.text)")
        }
    }

    /// The owner of the address proves it, so the factor of whoever was first is dropped with the rest.
    @Test func `a factor does not keep the owner of an address out`() async throws {
        try await ProviderWorld.use { world async throws in
            let attacker = try await FactorWorld(world.accounts)
            let owner = try await world.signIn(world.corp.token("owner", verified("ana@example.org"), at: world.accounts.clock.now))
            #expect(try owner.status == 200 && AccountWorld.Session(owner).id == attacker.user.id, "\(owner.text)")
            let session = try AccountWorld.Session(owner)
            let listed = try JSON(await world.accounts.live.api.get("/v1/auth/user/factors", key: session.token))
            #expect(listed["factors"].items.isEmpty && listed["recovery_codes"].number == 0)
        }
    }
}
