// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct AccountAdministrationTests {
    @Test func `a key with the role accounts administers accounts and nothing else`() async throws {
        try await AccountWorld.use { world in
            let key = try JSON(try await world.live.api.asOperator("POST", "/v1/apps/1/keys", #"{"role": "accounts"}"#))["key"].text
            let api = world.live.api
            let body = #"{"id": "ana", "email": "ana@example.org", "password": "\#(AccountWorld.password)", "claims": {"admin": true}}"#
            let made = try await api.post("/v1/auth/accounts", key: key, body)
            #expect(made.status == 201 && !made.text.contains("argon2"), "\(made.text)")
            #expect(try await api.post("/v1/auth/accounts", key: key, #"{"id": "ana"}"#).status == 409)
            let session = try AccountWorld.Session(try await world.signIn())
            #expect(try session.id == "ana" && session.claims["admin"].bool)
            let shown = try JSON(try await api.get("/v1/auth/accounts/ana", key: key))
            #expect(shown["sessions"].items.count == 1 && shown["claims"]["admin"].bool)
            let found = try JSON(try await api.get("/v1/auth/accounts?email=ANA@example.org", key: key))
            #expect(found["items"][0]["id"].text == "ana")
            for claims in [#"{"sub": "x"}"#, #"[]"#, "\"\"", "{\"a\": \"\(String(repeating: "a", count: 1_000))\"}"] {
                let reply = try await api.request("PATCH", "/v1/auth/accounts/ana", key: key, body: Array(#"{"claims": \#(claims)}"#.utf8))
                #expect(reply.status == 422, "\(claims)")
            }
            #expect(try await api.get("/v1/users", key: key).status == 403)
            #expect(try await api.post("/v1/events", key: key, #"[{"name": "a"}]"#).status == 403)
        }
    }

    @Test func `a disabled account is out at once`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let path = "/v1/auth/accounts/\(user.id)"
            #expect(try await world.live.api.request("PATCH", path, key: world.keys.admin, body: Array(#"{"disabled": true}"#.utf8)).status == 200)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.token).status == 401)
            #expect(try await world.refresh(user.refresh).status == 401)
            let rejected = try await world.signIn()
            #expect(rejected.status == 403)
            #expect(try JSON(rejected)["code"].text == "account_disabled")
            // Without the password nobody learns that.
            #expect(try await world.signIn(password: "wrong horse battery").status == 401)
            #expect(try await world.live.api.request("PATCH", path, key: world.keys.admin, body: Array(#"{"disabled": false}"#.utf8)).status == 200)
            #expect(try await world.signIn().status == 200)
        }
    }

    @Test func `verify checks tokens for servers, on request against the account`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            func verify(_ token: String, revoked: Bool, key: String? = nil) async throws -> Reply {
                let body = #"{"id_token": "\#(token)", "check_revoked": \#(revoked)}"#
                return try await world.live.api.post("/v1/auth/verify", key: key ?? world.keys.admin, body)
            }
            #expect(try JSON(try await verify(user.token, revoked: true))["sub"].text == user.id)
            #expect(try await verify("x.y.z", revoked: false).status == 401)
            let other = try await world.live.api.makeApp("other")
            #expect(try await verify(user.token, revoked: false, key: other.admin).status == 401)
            #expect(try await world.live.api.request("POST", "/v1/auth/accounts/\(user.id)/sign-out", key: world.keys.admin).status == 204)
            #expect(try await verify(user.token, revoked: false).status == 200)
            #expect(try await verify(user.token, revoked: true).status == 401)
        }
    }

    @Test func `deleting an account erases the data under its user ID, and only that`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let events = #"[{"name": "own", "installation_id": "i"}]"#
            #expect(try await world.events(events, as: user.token).status == 200)
            #expect(try await world.events(#"[{"name": "installation", "installation_id": "i"}]"#, as: world.keys.ingest).status == 200)
            let deleted = try await world.live.api.request("DELETE", "/v1/auth/user", key: user.token)
            #expect(deleted.status == 204)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.token).status == 401)
            #expect(try await world.signIn().status == 401)
            #expect(try await eventually { try await world.live.daemon.store.accounts.departures().isEmpty })
            let export = try await world.live.api.get("/v1/export", key: world.keys.admin).text
            #expect(export.contains("installation") && !export.contains("\"own\""), "\(export)")
            #expect(!(try await world.live.api.get("/v1/auth/audit", key: world.keys.admin).text.contains(user.id)))
            #expect(try await world.signUp().status == 201)
        }
    }

    @Test func `an app may keep the data of deleted accounts`() async throws {
        try await AccountWorld.use { world in
            try await world.set(#"{"on_account_deleted": "keep"}"#)
            let user = try await world.user()
            #expect(try await world.events(#"[{"name": "own"}]"#, as: user.token).status == 200)
            #expect(try await world.live.api.request("DELETE", "/v1/auth/accounts/\(user.id)", key: world.keys.admin).status == 204)
            #expect(try await world.live.api.get("/v1/export", key: world.keys.admin).text.contains(user.id))
        }
    }

    @Test func `erasing a user takes the account along, and its export shows it`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            _ = try await world.signIn(password: "wrong horse battery")
            let export = try JSON(try await world.live.api.get("/v1/users/\(user.id)/export", key: world.keys.admin))
            let account = export["accounts"][0]
            #expect(account["email"].text == "ana@example.org" && account["sessions"].items.count == 1, "\(export.source)")
            #expect(export["account_events"].items.map { $0["event"].text } == ["sign_in_failed", "signed_in", "created"])
            #expect(!export.source.contains("argon2") && !export.source.contains(user.refresh))
            let dry = try JSON(try await world.live.api.request("DELETE", "/v1/users/\(user.id)?dry_run=true", key: world.keys.admin))
            #expect(dry["accounts"].number == 1)
            #expect(try await world.live.api.request("DELETE", "/v1/users/i-1?by=installation", key: world.keys.admin).status == 200)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.token).status == 200)
            let erased = try JSON(try await world.live.api.request("DELETE", "/v1/users/\(user.id)", key: world.keys.admin))
            #expect(erased["accounts"].number == 1)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.token).status == 401)
            #expect(try await world.live.api.get("/v1/auth/accounts/\(user.id)", key: world.keys.admin).status == 404)
        }
    }

    @Test func `accounts leave with their app, and another app sees none of them`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let other = try await world.live.api.makeApp("other")
            #expect(try await world.live.api.get("/v1/auth/accounts/\(user.id)", key: other.admin).status == 404)
            let stranger = try await world.live.api.post("/v1/auth/token", key: other.ingest, #"{"refresh_token": "\#(user.refresh)"}"#)
            #expect(stranger.status == 401)
            #expect(try await world.refresh(user.refresh).status == 200)
            #expect(try await world.live.api.asOperator("DELETE", "/v1/apps/1").status == 204)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.token).status == 401)
            let left = try await world.live.daemon.store.accounts.account(AppID(rawValue: 1), uid: user.id)
            #expect(left == nil)
        }
    }

    @Test func `administrative changes are in the audit log as hashes`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let path = "/v1/auth/accounts/\(user.id)"
            #expect(try await world.live.api.request("PATCH", path, key: world.keys.admin, body: Array(#"{"name": "Ana"}"#.utf8)).status == 200)
            let found = try JSON(try await world.live.api.get("/v1/audit?user=\(user.id)&action=account.change", key: world.keys.admin))
            #expect(found["items"].items.count == 1 && found["items"][0]["detail"].text == "name" && !found.source.contains(user.id))
        }
    }
}
