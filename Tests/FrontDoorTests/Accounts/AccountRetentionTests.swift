// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform
import SQLite
import TestSupport
import Testing

@testable import AccountStore
@testable import AcrossStores
@testable import Database
@testable import ingestd

/// Data retention, small disks and readiness of accounts.
@Suite struct AccountRetentionTests {
    private static func audit(_ world: AccountWorld) async throws -> [JSON] {
        try JSON(try await world.live.api.get("/v1/auth/audit?limit=1000", key: world.keys.admin))["items"].items
    }

    private static func retain(_ world: AccountWorld) async throws { _ = try await world.live.daemon.store.accounts.retain([]) }

    @Test func `an unused session ends and releases its devices, and events and figures go with their age`() async throws {
        try await AccountWorld.use(configure: { $0.store.accounts.sessionIdle = .days(60) }) { world in
            let user = try await world.user()
            let device = try await world.live.api.post("/v1/devices", key: user.token, #"{"platform": "ios", "endpoint": {"type": "stream"}}"#)
            let token = try JSON(device)["token"].text
            world.clock.advance(by: .days(59))
            try await Self.retain(world)
            let kept = try AccountWorld.Session(try await world.refresh(user.refresh))
            world.clock.advance(by: .days(61))
            try await Self.retain(world)
            #expect(try await world.refresh(kept.refresh).status == 401)
            #expect(
                try await eventually {
                    try await !JSON(world.live.api.get("/v1/devices/\(token)", key: world.keys.send))["user_id"].exists
                })
            let figures = try JSON(try await world.live.api.get("/v1/auth/figures?from=-300d", key: world.keys.admin))
            #expect(figures["days"][0]["sign_ups"].number == 1 && figures["days"][0]["sign_ins"].number == 1, "\(figures.source)")
            #expect(try await !Self.audit(world).isEmpty)
            world.clock.advance(by: .days(61))
            try await Self.retain(world)
            #expect(try await Self.audit(world).isEmpty)
            let late = try JSON(try await world.live.api.get("/v1/auth/figures?from=-300d", key: world.keys.admin))
            #expect(late["accounts"].number == 1 && late["days"].items.isEmpty, "\(late.source)")
            #expect(try await world.signIn().status == 200)
        }
    }

    @Test func `an anonymous account goes after thirty days without use, others stay`() async throws {
        try await AccountWorld.use { world in
            func anonymous() async throws -> AccountWorld.Session {
                try AccountWorld.Session(try await world.live.api.post("/v1/auth/sign-in", key: world.keys.ingest, #"{"method": "anonymous"}"#))
            }
            let (unused, used, named) = (try await anonymous(), try await anonymous(), try await world.user())
            world.clock.advance(by: .days(20))
            let renewed = try AccountWorld.Session(try await world.refresh(used.refresh))
            world.clock.advance(by: .days(11))
            try await Self.retain(world)
            let list = try JSON(try await world.live.api.get("/v1/auth/accounts", key: world.keys.admin))["items"].items.map { $0["id"].text }
            #expect(Set(list) == [used.id, named.id])
            #expect(try await world.refresh(unused.refresh).status == 401)
            #expect(try await world.refresh(renewed.refresh).status == 200)
        }
    }

    @Test func `what other stores must learn is not forgotten by age`() async throws {
        try await AccountWorld.use { world in
            let store = world.live.daemon.store
            let user = try await world.user()
            let body = #"{"refresh_token": "\#(user.refresh)"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, body).status == 204)
            // Everything is passed on, then forgotten.
            #expect(try await eventually { try await store.accounts.followUps(after: AccountFollowUps()).isEmpty })
            world.clock.advance(by: .hours(2))
            try await Self.retain(world)
            #expect(try await store.accounts.read { try $0.statement("SELECT count(*) FROM ended_sessions").first { $0.int(0) } } == 0)
            // In one change, so that nothing is passed on in between.
            let (bounds, now) = (store.accounts.bounds, world.clock.now)
            let waiting = try await store.accounts.change { file in
                try file.statement("INSERT INTO ended_sessions (id, at, owns) VALUES (?, 0, 1)").run(.blob(SessionID.make(at: now).bytes))
                _ = try file.removeOld(bounds, at: now)
                return try file.statement("SELECT count(*) FROM ended_sessions").first { $0.int(0) }
            }
            #expect(waiting == 1)
        }
    }

    @Test func `a disk with too little room rejects sign-ups and shows in readyz, while tokens stay valid`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            #expect(try await world.live.api.get("/readyz").status == 200)
            var configuration = world.live.daemon.configuration.now
            configuration.storage.minFreeDisk = 1 << 60
            world.live.daemon.configuration.replace(configuration)
            let readiness = try await world.live.api.get("/readyz")
            #expect(readiness.status == 503 && readiness.text.contains("of disk are free"), "\(readiness.text)")
            let full = try await world.signUp("bob@example.org")
            #expect(try full.status == 503 && JSON(full)["code"].text == "storage_full", "\(full.text)")
            #expect(try await world.signIn().status == 503)
            #expect(try await world.refresh(user.refresh).status == 503)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.token).status == 200)
            #expect(try await world.live.api.get("/v1/auth/state?poll=1", key: user.token).status == 200)
            // Whoever must leave can leave.
            let end = #"{"refresh_token": "\#(user.refresh)"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, end).status == 204)
            #expect(try await world.live.api.get("/v1/auth/user", key: user.token).status == 401)
        }
    }
}
