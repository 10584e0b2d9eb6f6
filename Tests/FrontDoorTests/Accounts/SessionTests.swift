// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct AccountSessionTests {
    @Test func `a refresh token rotates, and a copy of an old one ends the session`() async throws {
        try await AccountWorld.use { world in
            let first = try await world.user()
            let second = try AccountWorld.Session(try await world.refresh(first.refresh))
            #expect(second.refresh != first.refresh && second.id == first.id)
            // A retry gets the same answer.
            let retried = try await world.refresh(first.refresh)
            #expect(try AccountWorld.Session(retried).refresh == second.refresh)
            let third = try AccountWorld.Session(try await world.refresh(second.refresh))
            let reused = try await world.refresh(first.refresh)
            #expect(reused.status == 401)
            #expect(try JSON(reused)["code"].text == "session_ended")
            #expect(try await world.refresh(third.refresh).status == 401)
            #expect(try await world.live.api.get("/v1/auth/user", key: third.token).status == 401)
            let events = try JSON(try await world.live.api.get("/v1/auth/audit?event=refresh_reused", key: world.keys.admin))
            #expect(events["items"].items.count == 1)
        }
    }

    @Test func `a thief one step behind is found once the newer token was used`() async throws {
        try await AccountWorld.use { world in
            let first = try await world.user()
            let second = try AccountWorld.Session(try await world.refresh(first.refresh))
            #expect(try await world.live.api.get("/v1/auth/user", key: second.token).status == 200)
            world.clock.advance(by: .minutes(5))
            #expect(try await world.refresh(first.refresh).status == 401)
            #expect(try await world.refresh(second.refresh).status == 401)
        }
    }

    @Test func `sign-out ends the tokens on our own routes at once`() async throws {
        try await AccountWorld.use { world in
            let session = try await world.user()
            let other = try AccountWorld.Session(try await world.signIn())
            #expect(try await world.events(#"[{"name": "a"}]"#, as: session.token).status == 200)
            let body = #"{"refresh_token": "\#(session.refresh)"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, body).status == 204)
            let rejected = try await world.events(#"[{"name": "a"}]"#, as: session.token)
            #expect(rejected.status == 401 && rejected.headers["www-authenticate"] == #"Bearer error="invalid_token""#)
            #expect(try JSON(rejected)["code"].text == "session_ended")
            #expect(try await world.live.api.get("/v1/auth/user", key: other.token).status == 200)
            let everywhere = #"{"refresh_token": "\#(other.refresh)", "everywhere": true}"#
            #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, everywhere).status == 204)
            #expect(try await world.live.api.get("/v1/auth/user", key: other.token).status == 401)
        }
    }

    @Test func `sessions and the end of sessions survive a restart`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(AccountWorld.now)
        func configured(_ configuration: inout Configuration) { configuration.accounts.url = "https://signals.example.org" }
        let (kept, ended, keys) = try await withDaemon(in: folder, clock: clock.clock, sends: false, configure: configured) { live in
            let world = AccountWorld(live: live, keys: try await live.api.makeApp(), clock: clock)
            try await world.set(#"{"auth_methods": "password"}"#)
            let (kept, ended) = (try await world.user(), try AccountWorld.Session(try await world.signIn()))
            let body = #"{"refresh_token": "\#(ended.refresh)"}"#
            #expect(try await live.api.post("/v1/auth/sign-out", key: world.keys.ingest, body).status == 204)
            return (kept, ended, world.keys)
        }
        try await withDaemon(in: folder, clock: clock.clock, sends: false, configure: configured) { live async throws in
            let world = AccountWorld(live: live, keys: keys, clock: clock)
            #expect(try await live.api.get("/v1/auth/user", key: kept.token).status == 200)
            #expect(try await live.api.get("/v1/auth/user", key: ended.token).status == 401)
            #expect(try await world.refresh(kept.refresh).status == 200)
            #expect(try await world.refresh(ended.refresh).status == 401)
            #expect(try await world.signIn().status == 200)
        }
    }

    @Test func `an ID token ends after an hour, and forged ones never begin`() async throws {
        try await AccountWorld.use { world in
            let session = try await world.user()
            let parts = session.token.split(separator: ".").map(String.init)
            let other = try await world.user("bob@example.org").token.split(separator: ".").map(String.init)
            for forged in [
                "\(parts[0]).\(parts[1]).", "\(parts[0]).\(other[1]).\(parts[2])", "\(parts[0]).\(parts[1]).\(other[2])", "a.b.c", "...",
                parts[0] + "." + parts[1], session.token + ".", String(repeating: "a.", count: 8_000),
            ] {
                let reply = try await world.live.api.get("/v1/auth/user", key: forged)
                #expect([401, 431].contains(reply.status), "\(forged.prefix(40))")
            }
            world.clock.advance(by: .minutes(62))
            let late = try await world.live.api.get("/v1/auth/user", key: session.token)
            #expect(late.status == 401)
            #expect(try JSON(late)["code"].text == "token_expired")
        }
    }

    @Test func `a user lists and ends its sessions`() async throws {
        try await AccountWorld.use { world in
            let first = try await world.user()
            world.clock.advance(by: .seconds(1))
            let second = try AccountWorld.Session(try await world.signIn())
            let list = try JSON(try await world.live.api.get("/v1/auth/user/sessions", key: second.token))["items"].items
            #expect(list.count == 2 && list[0]["current"].bool && !list[1]["current"].bool && list[0]["place"].text == "127.0.0.0/24")
            let old = list[1]["id"].text
            #expect(try await world.live.api.request("DELETE", "/v1/auth/user/sessions/nonsense", key: second.token).status == 404)
            #expect(try await world.live.api.request("DELETE", "/v1/auth/user/sessions/\(old)", key: second.token).status == 204)
            #expect(try await world.live.api.get("/v1/auth/user", key: first.token).status == 401)
            let bob = try await world.user("bob@example.org")
            let own = try JSON(try await world.live.api.get("/v1/auth/user/sessions", key: second.token))["items"][0]["id"].text
            #expect(try await world.live.api.request("DELETE", "/v1/auth/user/sessions/\(own)", key: bob.token).status == 404)
            let third = try AccountWorld.Session(try await world.signIn())
            #expect(try await world.live.api.request("DELETE", "/v1/auth/user/sessions", key: third.token).status == 204)
            #expect(try await world.live.api.get("/v1/auth/user", key: second.token).status == 401)
            #expect(try await world.live.api.get("/v1/auth/user", key: third.token).status == 200)
        }
    }

    @Test func `a new password needs a recent sign-in and ends other sessions`() async throws {
        try await AccountWorld.use { world in
            let first = try await world.user()
            let second = try AccountWorld.Session(try await world.signIn())
            let body = #"{"password": "another horse battery"}"#
            world.clock.advance(by: .minutes(6))
            let stale = try await world.live.api.post("/v1/auth/user/password", key: second.token, body)
            #expect(stale.status == 403)
            #expect(try JSON(stale)["code"].text == "recent_login_required")
            let third = try AccountWorld.Session(try await world.signIn())
            let changed = try await world.live.api.post("/v1/auth/user/password", key: third.token, body)
            #expect(changed.status == 200, "\(changed.text)")
            for old in [first, second] { #expect(try await world.refresh(old.refresh).status == 401) }
            #expect(try await world.live.api.get("/v1/auth/user", key: AccountWorld.Session(changed).token).status == 200)
            #expect(try await world.signIn().status == 401)
            #expect(try await world.signIn(password: "another horse battery").status == 200)
        }
    }

    @Test func `the ingest key of a session decides, and a refresh moves the session to another key`() async throws {
        try await AccountWorld.use { world in
            let restricted = try JSON(
                try await world.live.api.asOperator("POST", "/v1/apps/1/keys", #"{"role": "ingest", "bundle_ids": ["org.example.shop"]}"#))
            let bundle = ["X-Bundle-Id": "org.example.shop"]
            _ = try await world.user()
            let body = #"{"method": "password", "email": "ana@example.org", "password": "\#(AccountWorld.password)"}"#
            let reply = try await world.live.api.post("/v1/auth/sign-in", key: restricted["key"].text, headers: bundle, body)
            let session = try AccountWorld.Session(reply)
            #expect(try await world.live.api.get("/v1/auth/user", key: session.token).status == 403)
            #expect(try await world.live.api.request("GET", "/v1/auth/user", key: session.token, headers: bundle).status == 200)
            #expect(try await world.live.api.asOperator("DELETE", "/v1/apps/1/keys/\(restricted["id"].number)").status == 204)
            #expect(try await world.live.api.request("GET", "/v1/auth/user", key: session.token, headers: bundle).status == 401)
            let moved = try AccountWorld.Session(try await world.refresh(session.refresh))
            #expect(try await world.live.api.get("/v1/auth/user", key: moved.token).status == 200)
        }
    }
}
