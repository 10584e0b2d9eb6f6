// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct ExportTests {
    private static let start = Day(year: 2026, month: 11, day: 19).start + .hours(9)

    private static func fill(_ live: LiveDaemon, _ clock: ManualClock) async throws -> AppKeys {
        let keys = try await live.api.makeApp()
        let other = try await live.api.makeApp("other")
        for day in 0..<3 {
            let events = (0..<1_900).map { #"{"id": "\#(day)-\#($0)", "name": "a", "user_id": "u\#($0 % 9)", "params": {"n": \#($0)}}"# }
            for keys in [keys, other] {
                #expect(
                    try Taken(await live.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]")) == Taken(accepted: 1_900))
            }
            clock.advance(by: .days(1))
        }
        return keys
    }

    @Test func `an export lists all days in seq order and resumes at any seq`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await Self.fill(live, clock)
            let lines = try await live.api.get("/v1/export", key: keys.read).lines
            let seqs = try lines.map { try JSON(Array($0.utf8))["seq"].number }
            #expect(lines.count == 5_700)
            #expect(seqs == seqs.sorted() && Set(seqs).count == 5_700)
            // Resumed after any seq, nothing is missing or repeated.
            for place in [0, 1, 1_899, 1_900, 2_000, 4_321, 5_698, 5_699] {
                let rest = try await live.api.get("/v1/export?after=\(seqs[place])", key: keys.read).lines
                #expect(rest == Array(lines[(place + 1)...]), "after the event at \(place)")
            }
            #expect(try await live.api.get("/v1/export?after=\(Int64.max)", key: keys.read).text.isEmpty)
        }
    }

    /// Stores more than fits the buffers of a client that does not read.
    private static func fillMuch(_ live: LiveDaemon, _ keys: AppKeys) async throws {
        let item = "{" + (0..<20).map { #""p\#($0)":"\#(String(repeating: "x", count: 100))""# }.joined(separator: ",") + "}"
        let items = Array(repeating: item, count: 200).joined(separator: ",")
        let event = #"{"name":"purchase","user_id":"u","params":{"value":1,"currency":"EUR","items":[\#(items)]}}"#
        for _ in 0..<2 {
            let body = "[\(Array(repeating: event, count: 10).joined(separator: ","))]"
            try #require(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 10))
        }
    }

    @Test(arguments: ["/v1/export", "/v1/export?format=csv", "/v1/users/u/export"])
    func `deleting a key or app ends its running exports`(target: String) async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            try await Self.fillMuch(live, keys)
            let made = try JSON(try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "admin", "label": "lent"}"#))
            let ofKey = try await Self.begin(target, on: Self.reader(live), key: made["key"].text)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(keys.app)/keys/\(made["id"].number)").status == 204)
            try await Self.expectCut(ofKey)
            let ofApp = try await Self.begin(target, on: Self.reader(live), key: keys.admin)
            let place = target + (target.contains("?") ? "&" : "?") + "app=\(keys.app)"
            let ofOperator = try await Self.begin(place, on: HTTPConnection(.file(live.api.controlSocket)), key: nil)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(keys.app)").status == 204)
            for reader in [ofApp, ofOperator] { try await Self.expectCut(reader) }
        }
    }

    /// A client whose kernel keeps less than it would by itself.
    private static func reader(_ live: LiveDaemon) throws -> HTTPConnection {
        try HTTPConnection(.port(live.api.port), receiveBuffer: 256 << 10)
    }

    /// Begins an export and reads its head only.
    private static func begin(_ target: String, on reader: HTTPConnection, key: String?) async throws -> HTTPConnection {
        try await reader.send(TestClient.bytes("GET", target, key: key, headers: ["Connection": "close"]))
        #expect(try await reader.head().status == 200)
        return reader
    }

    private static func expectCut(_ reader: HTTPConnection) async throws {
        // A complete response ends with an empty chunk.
        #expect(try await !reader.raw(atLeast: .max).suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8))
    }

    @Test func `an export is limited by the events' timestamps`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await Self.fill(live, clock)
            let second = Day(of: Self.start + .days(1))
            let target = "/v1/export?from=\(second.start.rfc3339)&to=\(Day(number: second.number + 1).start.rfc3339)"
            let lines = try await live.api.get(target, key: keys.read).lines
            #expect(lines.count == 1_900)
            #expect(lines.allSatisfy { $0.contains(#""id":"1-"#) })
        }
    }

    @Test func `a CSV export quotes fields and disables formulas`() async throws {
        try await withDaemon(clock: ManualClock(Self.start).clock) { live in
            let keys = try await live.api.makeApp()
            let body = #"[{"id": "=1+1", "name": "a", "user_id": "x,\"y\"", "context": {"platform": "ios"}, "params": {"p": "line\nbreak"}}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 1))
            let reply = try await live.api.get("/v1/export?format=csv", key: keys.read)
            #expect(reply.headers["content-type"] == "text/csv; charset=utf-8")
            let lines = reply.text.split(separator: "\r\n")
            #expect(lines.count == 2)
            #expect(lines[0].hasPrefix("seq,id,name,timestamp,received_at,user_id,installation_id,session_id,platform,"))
            #expect(lines[1].hasPrefix(#"1,'=1+1,a,2026-11-19T09:00:00.000Z,2026-11-19T09:00:00.000Z,"x,""y""",,,ios,"#))
            #expect(lines[0].hasSuffix(",params,flags") && lines[1].hasSuffix(#","{""p"": ""line\nbreak""}","#))
        }
    }

    @Test func `a CSV export has the flags of each event`() async throws {
        try await withDaemon(clock: ManualClock(Self.start).clock) { live in
            let keys = try await live.api.makeApp()
            let body = #"""
                [{"name": "plain"}, {"name": "late", "timestamp": "2026-11-10T00:00:00Z", "params": {"bad name": 1}},
                 {"name": "ahead", "timestamp": "2026-11-25T00:00:00Z"}]
                """#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 3))
            let lines = try await live.api.get("/v1/export?format=csv", key: keys.read).text.split(separator: "\r\n")
            #expect(lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).last } == ["flags", "", "late corrected", "clock"])
        }
    }

    @Test func `an exported event has all its fields`() async throws {
        try await withDaemon(clock: ManualClock(Self.start).clock) { live in
            let keys = try await live.api.makeApp()
            let body = #"""
                {"installation_id": "i", "context": {"platform": "ios", "app_version": "1.2"}, "events": [
                  {"id": "0190B0C8-0000-7000-8000-000000000001", "name": "level_up", "timestamp": "2026-11-19T10:59:00.5+02:00", "user_id": "ü",
                   "session_id": "s", "params": {"a": 1.50, "b": "ä\t", "c": true}, "context": {"platform": "android"}}]}
                """#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 1))
            let line = try JSON(await live.api.get("/v1/export", key: keys.read))
            #expect(line["id"].text == "0190b0c8-0000-7000-8000-000000000001")
            #expect(line["timestamp"].text == "2026-11-19T08:59:00.500Z")
            #expect(line["received_at"].text == Self.start.rfc3339)
            #expect([line["user_id"].text, line["installation_id"].text, line["session_id"].text] == ["ü", "i", "s"])
            #expect(line["context"]["platform"].text == "android")
            #expect(line["context"]["app_version"].text == "1.2")
            #expect(line["params"]["b"].text == "ä\t")
            #expect(line["params"]["c"].bool)
        }
    }
}
