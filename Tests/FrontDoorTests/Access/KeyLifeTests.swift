// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Crypto
import EventStore
import Platform
import SQLite
import TestSupport
import Testing

@testable import ingestd

/// Last use, expiry and rotation of keys.
@Suite struct KeyLifeTests {
    private static let start = Timestamp(milliseconds: 1_795_260_500_000)

    private static func make(_ live: LiveDaemon, _ body: String) async throws -> JSON {
        let reply = try await live.api.asOperator("POST", "/v1/apps/1/keys", body)
        #expect(reply.status == 201, "\(reply.text)")
        return try JSON(reply)
    }

    private static func listed(_ live: LiveDaemon, _ id: Int) async throws -> JSON {
        let keys = try JSON(try await live.api.asOperator("GET", "/v1/apps/1/keys"))["items"].items
        return try #require(keys.first { $0["id"].number == id })
    }

    private static func rotate(_ live: LiveDaemon, _ id: Int, _ body: String? = nil) async throws -> Reply {
        try await live.api.asOperator("POST", "/v1/keys/\(id)/rotate", body)
    }

    private static func status(_ live: LiveDaemon, _ key: JSON) async throws -> Int {
        try await live.api.get("/v1/app", key: key["key"].text).status
    }

    @Test func `the last use is kept to the hour and written once`() async throws {
        let (clock, folder) = (ManualClock(Self.start), TemporaryFolder())
        try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            _ = try await live.api.makeApp()
            let key = try await Self.make(live, #"{"role": "read"}"#)
            #expect(try await !Self.listed(live, key["id"].number)["last_used_at"].exists)
            for _ in 0..<5 { #expect(try await Self.status(live, key) == 200) }
            // A role that is denied has used the key too.
            #expect(try await live.api.post("/v1/events", key: key["key"].text, "[]").status == 403)
            #expect(try await Self.listed(live, key["id"].number)["last_used_at"].text == "2026-11-21T11:00:00.000Z")
            try await live.daemon.store.events.saveKeyUses()
            let commits = live.daemon.store.events.gauges.commits.value
            for _ in 0..<5 { #expect(try await Self.status(live, key) == 200) }
            try await live.daemon.store.events.saveKeyUses()
            #expect(live.daemon.store.events.gauges.commits.value == commits)
            clock.advance(by: .hours(2))
            #expect(try await Self.status(live, key) == 200)
            // A clock that is set back moves nothing.
            clock.set(Self.start)
            #expect(try await Self.status(live, key) == 200)
        }
        try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            #expect(try await Self.listed(live, 5)["last_used_at"].text == "2026-11-21T13:00:00.000Z")
            #expect(try await !Self.listed(live, 1)["last_used_at"].exists)
        }
    }

    @Test func `an expired key is rejected from its time on, also on an open tail`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live async throws in
            _ = try await live.api.makeApp()
            let key = try await Self.make(live, #"{"role": "read", "expires_at": "90d"}"#)
            #expect(key["expires_at"].text == "2027-02-19T11:28:20.000Z")
            let caller = Caller.key(
                try #require(live.daemon.store.events.key(key["key"].text)), try #require(live.daemon.store.events.directory.now.app(named: "1")))
            clock.advance(by: .seconds(90 * 86_400 - 1))
            #expect(try await Self.status(live, key) == 200 && live.daemon.store.knows(caller))
            clock.advance(by: .seconds(1))
            #expect(try await Self.status(live, key) == 401 && !live.daemon.store.knows(caller))
            for wrong in ["-1d", "2020-01-01T00:00:00Z", "soon", "", "0s", "99999999w", "90d\u{301}"] {
                let reply = try await live.api.asOperator("POST", "/v1/apps/1/keys", #"{"role": "read", "expires_at": "\#(wrong)"}"#)
                #expect(reply.status == 422 && reply.text.contains("expires_at"), "\(wrong)")
            }
        }
    }

    @Test func `a rotated key has a successor, and is valid for the overlap`() async throws {
        let (clock, folder) = (ManualClock(Self.start), TemporaryFolder())
        let (id, old, new) = try await withDaemon(in: folder, clock: clock.clock) { live async throws -> (Int, String, String) in
            _ = try await live.api.makeApp()
            let old = try await Self.make(
                live, #"{"role": "ingest", "label": "web", "origins": ["https://shop.example"], "events_per_minute": 7}"#)
            let reply = try await Self.rotate(live, old["id"].number, #"{"overlap": "7d"}"#)
            let new = try JSON(reply)
            #expect(reply.status == 201 && new["replaces"].number == old["id"].number && new["key"].text != old["key"].text)
            #expect(new["label"].text == "web" && new["origins"][0].text == "https://shop.example" && new["events_per_minute"].number == 7)
            #expect(try await Self.status(live, old) == 200)
            #expect(try await Self.status(live, new) == 200)
            #expect(try await Self.listed(live, old["id"].number)["expires_at"].text == "2026-11-28T11:28:20.000Z")
            #expect(try await Self.rotate(live, old["id"].number).status == 409)
            let entry = try JSON(try await live.api.asOperator("GET", "/v1/audit?action=key.rotate"))["items"][1]
            #expect(entry["detail"].text == "key \(old["id"].number) by key \(new["id"].number)" && entry["app"].number == 1)
            return (old["id"].number, old["key"].text, new["key"].text)
        }
        clock.advance(by: .days(7))
        try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            #expect(try await live.api.get("/v1/app", key: old).status == 401)
            #expect(try await live.api.get("/v1/app", key: new).status == 200)
            #expect(try await Self.rotate(live, id).status == 409)
        }
    }

    @Test func `a successor lives as long as its key was to live, and an overlap never extends a life`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live async throws in
            _ = try await live.api.makeApp()
            let old = try await Self.make(live, #"{"role": "admin", "expires_at": "10d"}"#)
            clock.advance(by: .days(9))
            let new = try JSON(try await Self.rotate(live, old["id"].number, #"{"overlap": "90d"}"#))
            #expect(new["expires_at"].text == "2026-12-10T11:28:20.000Z")
            #expect(try await Self.listed(live, old["id"].number)["expires_at"].text == "2026-12-01T11:28:20.000Z")
            let last = try JSON(try await Self.rotate(live, new["id"].number, #"{"overlap": "0s", "expires_at": "1d"}"#))
            #expect(last["expires_at"].text == "2026-12-01T11:28:20.000Z")
            #expect(try await Self.status(live, new) == 401)
            #expect(try await Self.status(live, last) == 200)
        }
    }

    @Test func `a rotation of nothing, of a service account or with an invalid body is rejected`() async throws {
        try await withDaemon { live async throws in
            _ = try await live.api.makeApp()
            for id in ["0", "999", "x", "-1", "9223372036854775808"] {
                #expect(try await live.api.asOperator("POST", "/v1/keys/\(id)/rotate").status == 404, "\(id)")
            }
            for body in [#"{"overlap": "91d"}"#, #"{"overlap": "-1d"}"#, #"{"overlap": 7}"#, #"{"over": "1d"}"#, #"{"expires_at": "now"}"#] {
                #expect(try await Self.rotate(live, 1, body).status == 422, "\(body)")
            }
            let pair = Base64.encode(RSA.makeKey().publicKey)
            let account = try await Self.make(live, #"{"role": "send", "service_account": {"public_key": "\#(pair)"}}"#)
            #expect(try await Self.rotate(live, account["id"].number).status == 422)
            let keys = try JSON(try await live.api.asOperator("GET", "/v1/apps/1/keys"))["items"].items
            #expect(keys.allSatisfy { !$0["expires_at"].exists } && keys.count == 5)
        }
    }
}
