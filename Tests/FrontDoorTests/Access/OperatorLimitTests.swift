// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import ingestd

/// Limits of an app that only the operator can set.
@Suite struct OperatorLimitTests {
    private static let start = Timestamp(milliseconds: 1_795_260_500_000)

    private static func set(_ live: LiveDaemon, _ body: String) async throws -> Int {
        try await live.api.asOperator("PATCH", "/v1/apps/1", body).status
    }

    private static func send(_ live: LiveDaemon, _ keys: AppKeys, _ ids: ClosedRange<Int>) async throws -> Reply {
        let events = ids.map { #"{"id": "e\#($0)", "name": "a"}"# }
        return try await live.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]")
    }

    @Test func `an admin key can neither set nor lift a limit of the operator`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            for field in ["max_events_per_day", "max_bytes_per_day", "max_devices", "max_storage_bytes", "max_retention_days"] {
                #expect(try await Self.set(live, #"{"\#(field)": 1000}"#) == 200)
                for body in [#"{"\#(field)": 0}"#, #"{"tz": "Asia/Tokyo", "\#(field)": 2000}"#] {
                    let reply = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(body.utf8))
                    #expect(reply.status == 403 && reply.text.contains("Only the operator may change \(field)"), "\(reply.text)")
                }
                let settings = try JSON(try await live.api.get("/v1/app", key: keys.admin))["settings"]
                #expect(settings[field].number == 1_000 && settings["tz"].text == "UTC")
            }
            #expect(try await Self.set(live, #"{"max_devices": 100001}"#) == 422)
        }
    }

    @Test func `a day brings at most the allowed events, of all keys together, until midnight UTC`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live async throws in
            let keys = try await live.api.makeApp()
            #expect(try await Self.set(live, #"{"max_events_per_day": 10}"#) == 200)
            #expect(try Taken(await Self.send(live, keys, 1...8)).accepted == 8)
            let refused = try await Self.send(live, keys, 9...11)
            #expect(refused.status == 429 && refused.text.contains("10 events a day") && refused.headers["retry-after"] == "3600")
            let problem = try JSON(refused)
            #expect(problem["code"].text == "limit_reached" && problem["errors"][0]["field"].text == "max_events_per_day")
            // What fits is accepted; admin keys and integrations count too.
            let admin = try await live.api.post("/v1/events", key: keys.admin, #"[{"id": "b", "name": "a"}]"#)
            #expect(try Taken(admin).accepted == 1)
            let segment = #"{"batch": [{"type": "track", "event": "a", "userId": "u"}], "writeKey": "\#(keys.ingest)"}"#
            #expect(try await live.api.post("/v1/batch", segment).status == 200)
            #expect(try await live.api.post("/v1/batch", segment).status == 429)
            #expect(try await live.api.post("/v1/crashes", key: keys.ingest, "[\(SentCrash().json)]").status == 429)
            clock.advance(by: .minutes(12 * 60 + 31))
            #expect(try await Self.send(live, keys, 20...20).headers["retry-after"] == "41")
            clock.advance(by: .minutes(1))
            #expect(try Taken(await Self.send(live, keys, 20...29)).accepted == 10)
            #expect(try await Self.send(live, keys, 30...30).status == 429)
            #expect(try await Self.set(live, #"{"max_events_per_day": 0}"#) == 200)
            #expect(try await Self.send(live, keys, 30...60).status == 200)
        }
    }

    @Test func `a day brings at most the allowed bytes`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            let body = #"[{"name": "a"}]"#
            #expect(try await Self.set(live, #"{"max_bytes_per_day": \#(body.utf8.count * 2)}"#) == 200)
            for status in [200, 200, 429] { #expect(try await live.api.post("/v1/events", key: keys.ingest, body).status == status) }
        }
    }

    @Test func `new devices are limited, known ones are renewed`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            #expect(try await Self.set(live, #"{"max_devices": 2}"#) == 200)
            func register(_ token: String) async throws -> Int {
                let body = #"{"token": "\#(token)", "platform": "ios", "endpoint": {"type": "stream"}}"#
                return try await live.api.post("/v1/devices", key: keys.send, body).status
            }
            #expect(try await register("first-token") == 201)
            #expect(try await register("second-token") == 201)
            #expect(try await register("third-token") == 429)
            #expect(try await register("first-token") == 200)
            #expect(try await live.api.request("DELETE", "/v1/devices/second-token", key: keys.send).status == 204)
            #expect(try await register("third-token") == 201)
        }
    }

    @Test func `a longer retention works until it is changed`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            func change(_ body: String) async throws -> Int {
                try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(body.utf8)).status
            }
            #expect(try await change(#"{"retention_days": 400}"#) == 200)
            #expect(try await Self.set(live, #"{"max_retention_days": 90}"#) == 200)
            let settings = try JSON(try await live.api.get("/v1/app", key: keys.admin))["settings"]
            #expect(settings["retention_days"].number == 400)
            #expect(try await change(#"{"tz": "Asia/Tokyo"}"#) == 200)
            for days in [400, 91] { #expect(try await change(#"{"retention_days": \#(days)}"#) == 422) }
            #expect(try await change(#"{"retention_days": 90}"#) == 200)
            #expect(try await Self.set(live, #"{"max_retention_days": 100, "retention_days": 100}"#) == 200)
        }
    }

    @Test func `what an app sent today survives a restart, and other apps are not affected`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        let (keys, others) = try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            let keys = try await live.api.makeApp("ours")
            let others = try await live.api.makeApp("theirs")
            #expect(try await Self.set(live, #"{"max_events_per_day": 10}"#) == 200)
            #expect(try await Self.send(live, keys, 1...10).status == 200)
            return (keys, others)
        }
        try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            #expect(try await Self.send(live, keys, 11...11).status == 429)
            #expect(try await Self.send(live, others, 1...30).status == 200)
            let usage = try JSON(await live.api.get("/v1/system", key: keys.read))["usage"]
            #expect(usage["events"].number == 10 && usage["max_events_per_day"].number == 10 && !usage["max_bytes_per_day"].exists)
            #expect(try JSON(await live.api.get("/v1/system", key: others.read))["usage"]["events"].number == 30)
            let metrics = try await live.api.get("/metrics").text
            #expect(metrics.contains(#"signalbox_app_limit_refused_total{app="1",limit="max_events_per_day"} 1"#))
            clock.advance(by: .hours(24))
            #expect(try JSON(await live.api.get("/v1/system", key: keys.read))["usage"]["events"].number == 0)
            #expect(try await Self.send(live, keys, 11...20).status == 200)
        }
    }

    @Test func `an app that takes as much of the disk as it may gets no more`() async throws {
        try await withDaemon { live async throws in
            let (keys, others) = (try await live.api.makeApp("ours"), try await live.api.makeApp("theirs"))
            #expect(try await Self.send(live, keys, 1...300).status == 200)
            #expect(try await Self.send(live, others, 1...100).status == 200)
            try await live.daemon.store.measureStorage()
            func bytes(_ keys: AppKeys) async throws -> Int {
                try JSON(await live.api.get("/v1/system", key: keys.read))["usage"]["storage_bytes"].number
            }
            let (ours, theirs) = (try await bytes(keys), try await bytes(others))
            // The file of the day is shared by the numbers of rows, 3 to 1.
            #expect(theirs > 0 && abs(ours - 3 * theirs) < 10, "\(ours) \(theirs)")
            #expect(try await live.api.post("/v1/crashes", key: keys.ingest, "[\(SentCrash().json)]").status == 200)
            #expect(try await Self.set(live, #"{"max_storage_bytes": \#(ours)}"#) == 200)
            for (target, body) in [
                ("/v1/events", #"[{"name": "a"}]"#), ("/v1/crashes", "[\(SentCrash().json)]"), ("/v1/users", #"[{"user_id": "u"}]"#),
                ("/v1/batch", #"{"batch": [{"type": "track", "event": "a", "userId": "u"}], "writeKey": "\#(keys.ingest)"}"#),
            ] {
                let reply = try await live.api.post(target, key: target == "/v1/batch" ? nil : keys.ingest, body)
                #expect(reply.status == 429, "\(target)")
                if target == "/v1/events" {
                    let problem = try JSON(reply)
                    #expect(problem["code"].text == "limit_reached" && problem["errors"][0]["field"].text == "max_storage_bytes")
                }
            }
            let symbols = try await live.api.request(
                "PUT", "/v1/symbols/\(SymbolFixture.elf.debugID)", key: keys.admin, body: SymbolFixture.elf.bytes)
            #expect(symbols.status == 429)
            #expect(try await Self.send(live, others, 200...210).status == 200)
            #expect(try await Self.set(live, #"{"max_storage_bytes": 0}"#) == 200)
            #expect(try await Self.send(live, keys, 400...410).status == 200)
            #expect(try await live.api.get("/metrics").text.contains(#"signalbox_app_limit_refused_total{app="1",limit="max_storage_bytes"}"#))
        }
    }
}
