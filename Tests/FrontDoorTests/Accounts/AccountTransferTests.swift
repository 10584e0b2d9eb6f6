// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

@Suite struct AccountTransferTests {
    private static let bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"

    private static func add(_ world: AccountWorld, _ body: String, query: String = "", key: String? = nil) async throws -> Reply {
        try await world.live.api.post(
            "/v1/auth/accounts/import\(query)", key: key ?? world.keys.admin, headers: ["Content-Type": "application/x-ndjson"], body)
    }

    @Test func `accounts are imported from lines, a list and an export of Firebase`() async throws {
        try await AccountWorld.use { world in
            let lines = """
                {"id": "ana", "email": "ana@example.org", "password_hash": "\(Self.bcrypt)", "claims": {"admin": true}}
                {"id": "bo", "email": "ANA@example.org"}
                {"id": "c", "email": "no address"}
                {"id": "ana"}

                """
            let result = try JSON(try await Self.add(world, lines))
            #expect(result["added"].number == 1 && result["failed"].number == 3, "\(result.source)")
            #expect(result["errors"].items.map { $0["code"].text } == ["email_taken", "invalid", "id_taken"])
            #expect(result["errors"].items.map { $0["index"].number } == [1, 2, 3])
            let session = try AccountWorld.Session(try await world.signIn(password: "U*U"))
            #expect(try session.id == "ana" && session.claims["admin"].bool)
            #expect(try JSON(try await Self.add(world, #"[{"id": "d"}, {"id": "e"}]"#))["added"].number == 2)
            #expect(try JSON(try await Self.add(world, #"{"users": [{"localId": "f", "createdAt": "1700000000000"}]}"#))["added"].number == 1)
            let shown = try JSON(try await world.live.api.get("/v1/auth/accounts/f", key: world.keys.admin))
            #expect(shown["created_at"].text == "2023-11-14T22:13:20.000Z" && shown["anonymous"].bool)
            let replaced = try JSON(try await Self.add(world, #"{"id": "ana", "email": "new@example.org"}"#, query: "?replace=true"))
            #expect(replaced["added"].number == 1)
            #expect(try await world.live.api.get("/v1/auth/user", key: session.token).status == 401)
        }
    }

    @Test func `the parameters of the hashes are the first entry`() async throws {
        try await AccountWorld.use { world in
            let hash = Base64.encode(SHA256.hash(Array("NaClswordfish".utf8)))
            let body = """
                {"hash": {"algorithm": "SHA256", "rounds": 1}}
                {"id": "ana", "email": "ana@example.org", "password_hash": "\(hash)", "password_salt": "TmFDbA=="}
                """
            #expect(try JSON(try await Self.add(world, body))["added"].number == 1)
            #expect(try await world.signIn(password: "swordfish").status == 200)
            let wrong = try JSON(try await Self.add(world, #"{"hash": {"algorithm": "ROT13"}}"# + "\n" + #"{"id": "b"}"#))
            #expect(wrong["added"].number == 1 && wrong["failed"].number == 1)
        }
    }

    @Test(arguments: ["x", #"{"id": "ana"}, {"id": "bo"}"#, #"[{"id": "ana"}"#, #"{"id": "ana""#, "[1]"])
    func `a body that is no stream of objects is rejected`(_ body: String) async throws {
        try await AccountWorld.use { world in
            let reply = try await Self.add(world, body)
            #expect(reply.status == 422, "\(reply.text)")
        }
    }

    @Test func `users of identity providers move along, and one has one account`() async throws {
        try await ProviderWorld.use { world async throws in
            let api = world.accounts.live.api
            let lines = """
                {"id": "ana", "identities": [{"provider": "oidc.open", "subject": "u-1", "email": "ana@example.org"}]}
                {"localId": "bo", "providerUserInfo": [{"providerId": "oidc.corp", "rawId": "u-2"}, {"providerId": "password", "rawId": "b"}]}
                {"id": "cy", "raw_app_meta_data": {}, "identities": [{"provider": "google", "provider_id": "7"}, {"provider": "github"}]}
                {"id": "di", "identities": [{"provider": "oidc.open", "subject": "u-1"}]}
                {"id": "ed", "identities": [{"provider": "oidc.open"}]}
                {"id": "flo", "identities": [{"provider": "a", "subject": "1"}, {"provider": "a", "subject": "2"}]}
                {"id": "gus", "identities": {}}
                """
            let result = try JSON(try await Self.add(world.accounts, lines))
            #expect(result["added"].number == 3, "\(result.source)")
            #expect(result["errors"].items.map { $0["code"].text } == ["identity_taken", "invalid", "invalid", "invalid"], "\(result.source)")
            #expect(try AccountWorld.Session(await world.signIn(world.open.token("u-1"), "oidc.open")).id == "ana")
            #expect(try AccountWorld.Session(await world.signIn(world.corp.token("u-2"))).id == "bo")
            let shown = try JSON(await api.get("/v1/auth/accounts/cy", key: world.accounts.keys.admin))["identities"].items
            #expect(shown.map { $0["provider"].text + " " + $0["subject"].text } == ["google.com 7"])
            // The export has them, and an import that replaces accounts keeps them.
            let exported = try await api.get("/v1/auth/accounts/export", key: world.accounts.keys.admin).text
            let again = try JSON(try await Self.add(world.accounts, exported, query: "?replace=true"))
            #expect(again["added"].number == 3 && again["failed"].number == 0, "\(again.source)")
            let session = try AccountWorld.Session(await world.signIn(world.open.token("u-1"), "oidc.open"))
            let own = try JSON(await api.get("/v1/auth/user/identities", key: session.token))["items"].items
            #expect(session.id == "ana" && own.map { $0["email"].text } == ["ana@example.org"])
        }
    }

    @Test func `an export goes out whole and in again`() async throws {
        let source = TemporaryFolder()
        let (plain, secret) = (Kept(), Kept())
        try await AccountWorld.use(in: source) { world in
            _ = try await world.user()
            #expect(try await Self.add(world, #"{"id": "bo", "phone": "+4930123456", "disabled": true, "name": "Bo"}"#).status == 200)
            plain.text = try await world.live.api.get("/v1/auth/accounts/export", key: world.keys.admin).text
            secret.text = try await world.live.api.get("/v1/auth/accounts/export?secrets=true", key: world.keys.admin).text
            #expect(!plain.text.contains("argon2") && secret.text.contains("argon2id") && secret.text.hasPrefix(#"{"export":"#))
            // The same daemon, after the accounts are gone.
            let other = try await world.live.api.makeApp("other")
            #expect(
                try await world.live.api.request("PATCH", "/v1/app", key: other.admin, body: Array(#"{"auth_methods": "password"}"#.utf8)).status
                    == 200)
            let copied = try JSON(try await Self.add(world, secret.text, key: other.admin))
            #expect(copied["added"].number == 2 && copied["failed"].number == 0, "\(copied.source)")
            let body = #"{"method": "password", "email": "ana@example.org", "password": "\#(AccountWorld.password)"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-in", key: other.ingest, body).status == 200)
            let again = try await world.live.api.get("/v1/auth/accounts/export", key: other.admin).text
            #expect(again.split(separator: "\n").count == 2 && again.contains("+4930123456"))
        }
        // Another daemon has another key: nobody could sign in, so the hashes are rejected by name.
        try await AccountWorld.use { world in
            let result = try JSON(try await Self.add(world, secret.text))
            #expect(result["added"].number == 1 && result["failed"].number == 1)
            #expect(result["errors"][0]["detail"].text.contains("accounts.key of another daemon"))
        }
    }

    @Test func `password hashes need the role admin`() async throws {
        try await AccountWorld.use { world in
            let made = try JSON(try await world.live.api.asOperator("POST", "/v1/apps/1/keys", #"{"role": "accounts"}"#))["key"].text
            #expect(try await world.live.api.get("/v1/auth/accounts/export?secrets=true", key: made).status == 403)
            #expect(try await world.live.api.get("/v1/auth/accounts/export", key: made).status == 200)
            let actions = try JSON(try await world.live.api.get("/v1/audit", key: world.keys.admin))["items"].items.map { $0["action"].text }
            #expect(actions.contains("account.export"))
        }
    }

    private final class Kept: Sendable {
        private let kept = Mutex("")

        var text: String {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }
}
