// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AccountStore
@testable import AcrossStores
@testable import ingestd

/// Accounts that move to a daemon with the same `accounts.key`, with everything that their users sign in with.
@Suite struct AccountMoveTests {
    private static func add(_ world: AccountWorld, _ body: String, query: String = "") async throws -> JSON {
        let reply = try await world.live.api.post(
            "/v1/auth/accounts/import\(query)", key: world.keys.admin, headers: ["Content-Type": "application/x-ndjson"], body)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSON(reply)
    }

    private static func export(_ world: AccountWorld) async throws -> String {
        try await world.live.api.get("/v1/auth/accounts/export?secrets=true", key: world.keys.admin).text
    }

    /// A daemon with accounts, then one that has the same key and none of them.
    private static func move(
        _ first: @Sendable (AccountWorld) async throws -> Void, _ second: @Sendable (AccountWorld, _ export: String) async throws -> Void
    ) async throws {
        let (folder, moved) = (TemporaryFolder(), Moved())
        try await AccountWorld.use(in: folder) { world in
            try await first(world)
            let text = try await export(world)
            moved.text.withLock { $0 = text }
        }
        let key = folder.path + "/accounts.key"
        try await AccountWorld.use(configure: { $0.store.accounts.keyFile = key }) { world in
            try await second(world, moved.text.withLock { $0 })
        }
    }

    @Test func `users stay signed in, with their second factor`() async throws {
        let kept = Moved()
        try await Self.move { world async throws in
            let ana = try await FactorWorld(world)
            let bob = try await world.user("bob@example.org")
            let renewed = try AccountWorld.Session(try await world.refresh(bob.refresh))
            kept.text.withLock { $0 = [ana.user.refresh, bob.refresh, renewed.refresh, TOTP.text(ana.secret)].joined(separator: " ") }
        } _: { world, export async throws in
            let result = try await Self.add(world, export)
            #expect(result["added"].number == 2 && result["failed"].number == 0, "\(result.source)")
            let all = kept.text.withLock { $0.split(separator: " ").map(String.init) }
            let ana = try AccountWorld.Session(try await world.refresh(all[0]))
            #expect(try await world.live.api.get("/v1/auth/user", key: ana.token).status == 200)
            // The rule for reuse goes on from the number that moved.
            let bob = try AccountWorld.Session(try await world.refresh(all[2]))
            #expect(try await world.refresh(all[1]).status == 401)
            #expect(try await world.refresh(bob.refresh).status == 401)
            let asked = try await world.signIn()
            #expect(asked.status == 202, "\(asked.text)")
            world.clock.advance(by: .minutes(1))
            let code = TOTP.code(Base32.bytes(all[3]), step: TOTP.step(at: world.clock.now))
            let pending = try JSON(asked)["second_factor"]["pending"].text
            let body = #"{"pending": "\#(pending)", "code": "\#(code)"}"#
            #expect(try await world.live.api.post("/v1/auth/second-factor", key: world.keys.ingest, body).status == 200)
        }
    }

    @Test func `recovery codes move with their factor, also to an app with another number`() async throws {
        let kept = Moved()
        try await Self.move { world async throws in
            let ana = try await FactorWorld(world)
            let used = try await ana.finish(try await ana.pending(), ana.recoveryCodes[0], more: #", "factor": "recovery""#)
            #expect(used.status == 200, "\(used.text)")
            kept.text.withLock { $0 = ana.recoveryCodes.joined(separator: " ") }
        } _: { world, export async throws in
            let other = try await world.live.api.makeApp("other")
            let methods = try await world.live.api.request("PATCH", "/v1/app", key: other.admin, body: Array(#"{"auth_methods": "password"}"#.utf8))
            #expect(methods.status == 200)
            let moved = AccountWorld(live: world.live, keys: other, clock: world.clock)
            #expect(try await Self.add(moved, export)["added"].number == 1)
            let shown = try JSON(try await world.live.api.get("/v1/auth/accounts?email=ana@example.org", key: other.admin))["items"][0]
            let account = try JSON(try await world.live.api.get("/v1/auth/accounts/\(shown["id"].text)", key: other.admin))
            #expect(account["recovery_codes"].number == 9, "\(account.source)")
            let codes = kept.text.withLock { $0.split(separator: " ").map(String.init) }
            for (code, status) in [(codes[0], 422), (codes[1], 200)] {
                let pending = try JSON(try await moved.signIn())["second_factor"]["pending"].text
                let body = #"{"pending": "\#(pending)", "code": "\#(code)", "factor": "recovery"}"#
                #expect(try await world.live.api.post("/v1/auth/second-factor", key: other.ingest, body).status == status)
            }
        }
    }

    @Test func `an import adds no session that is known or has ended, and no identity of someone else`() async throws {
        try await AccountWorld.use { world in
            let ana = try await world.user()
            let export = try await Self.export(world)
            let body = #"{"refresh_token": "\#(ana.refresh)"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, body).status == 204)
            #expect(try await Self.add(world, export, query: "?replace=true")["added"].number == 1)
            #expect(try await world.refresh(ana.refresh).status == 401)
            let header = export.split(separator: "\n")[0]
            let identity = #""identities": [{"provider": "google.com", "subject": "1078"}]"#
            let two = ["b", "c"].map { #"{"id": "\#($0)", \#(identity)}"# }
            let result = try await Self.add(world, ([String(header)] + two).joined(separator: "\n"))
            #expect(result["added"].number == 1 && result["errors"][0]["code"].text == "identity_taken", "\(result.source)")
        }
    }

    @Test func `parts that cannot be used are rejected with their account, and sessions of another key are left out`() async throws {
        try await AccountWorld.use { world in
            _ = try await world.user()
            let header = String(try await Self.export(world).split(separator: "\n")[0])
            let session = #"{"id": "01900000000070008000000000000001", "created_at": 1, "last_used_at": 1, "number": 1, "method": "password""#
            let factor = #"{"id": "factor_1", "kind": "totp", "secret": "AAAA", "created_at": 1, "confirmed_at": 1}"#
            let hash = "\"\(Base64.encode([UInt8](repeating: 1, count: 32)))\""
            let wrong = [
                #""sessions": 1"#, #""sessions": [1]"#, #""sessions": [{"id": "x"}]"#, #""sessions": [\#(session), "number": 2}]"#,
                #""sessions": [\#(session), "claims": {"sub": "x"}}]"#, #""sessions": [\#(session), "lost": "x"}]"#, #""factors": {}"#,
                #""factors": [\#(factor)]"#, #""factors": [\#(Array(repeating: factor, count: 6).joined(separator: ","))]"#,
                #""recovery_codes": 1"#, #""recovery_codes": ["x"]"#, #""recovery_codes": ["AAAA"]"#, #""recovery_codes": [1]"#,
                #""recovery_codes": [\#(Array(repeating: hash, count: 11).joined(separator: ","))]"#,
                #""identities": [{"provider": "google.com"}]"#, #""identities": [{"provider": "a\u001fb", "subject": "1"}]"#,
                #""sessions": [{"id": "01900000000070008000000000000001", "created_at": 1, "last_used_at": 1, "number": -1, "method": "password"}]"#,
            ]
            for (number, parts) in wrong.enumerated() {
                let result = try await Self.add(world, header + "\n" + #"{"id": "u\#(number)", \#(parts)}"#)
                #expect(result["added"].number == 0 && result["failed"].number == 1, "\(parts): \(result.source)")
            }
            let bare = try await Self.add(world, header + "\n" + #"{"id": "x", "recovery_codes": [\#(hash)]}"#)
            let without = try JSON(try await world.live.api.get("/v1/auth/accounts/x", key: world.keys.admin))
            #expect(bare["added"].number == 1 && without["recovery_codes"].number == 0, "\(without.source)")
            let other = #"{"export": {"project": "1", "key": "another"}}"#
            let strange = try await Self.add(world, other + "\n" + #"{"id": "v", "sessions": [\#(session)}]}"#)
            #expect(strange["added"].number == 1, "\(strange.source)")
            let shown = try JSON(try await world.live.api.get("/v1/auth/accounts/v", key: world.keys.admin))
            #expect(shown["sessions"].items.isEmpty, "\(shown.source)")
            let unprotected = try await Self.add(world, other + "\n" + #"{"id": "w", "factors": [\#(factor)]}"#)
            #expect(unprotected["errors"][0]["detail"].text.contains("accounts.key of another daemon"), "\(unprotected.source)")
        }
    }
}

private final class Moved: Sendable {
    let text = Mutex("")
}
