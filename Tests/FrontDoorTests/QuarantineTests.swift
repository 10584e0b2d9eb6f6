// SPDX-License-Identifier: Apache-2.0

import EventStore
import AcrossStores
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct QuarantineTests {
    private static func names(_ answer: Reply) throws -> [String] {
        try JSON(answer)["items"].items.map { try JSON(Array($0["raw"].text.utf8))["name"].text }
    }

    @Test func `a quarantined event has its reason and bytes and is listed in pages`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let bad = (1...7).map { #"{"id": "e\#($0)", "name": "bad name \#($0)"}"# }.joined(separator: ",")
            let answer = try await live.api.post("/v1/events", key: keys.ingest, #"[\#(bad), {"name": "firebase_x"}, 7, {"name": "good"}]"#)
            #expect(try Taken(answer) == Taken(accepted: 1, quarantined: 9))
            let results = try JSON(answer)["results"].items
            #expect(results.map(\.["index"].number) == Array(0..<9))
            #expect(results[0]["result"].text == "quarantined")
            #expect(results[0]["number"].number == 2)
            #expect(results[7]["number"].number == 13)

            var seen: [Int] = []
            var target: String? = "/v1/quarantine?limit=2"
            while let page = target {
                let list = try JSON(await live.api.get(page, key: keys.read))
                seen += list["items"].items.map(\.["seq"].number)
                target = list["next"].exists ? "/v1/quarantine?limit=2&after=\(list["next"].text)" : nil
            }
            #expect(seen.count == 9)
            #expect(seen == seen.sorted(by: >))
            let first = try JSON(await live.api.get("/v1/quarantine?reason=bad_event_name&limit=1", key: keys.read))["items"][0]
            #expect(first["raw"].text == #"{"id": "e7", "name": "bad name 7"}"#)
            #expect(first["id"].text == "e7")
            #expect(first["code"].text == "bad_event_name")
            #expect(!first["message"].text.isEmpty && first["field"].text == "name")
        }
    }

    @Test func `a page is limited in bytes`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let large = String(repeating: "x", count: 3 << 20)
            for number in 1...3 {
                let answer = try await live.api.post("/v1/events", key: keys.ingest, #"[{"name": \#(number), "text": "\#(large)"}]"#)
                #expect(try Taken(answer) == Taken(quarantined: 1))
            }
            let first = try JSON(await live.api.get("/v1/quarantine?limit=1000", key: keys.read))
            #expect(first["items"].items.count == 2)
            let second = try JSON(await live.api.get("/v1/quarantine?limit=1000&after=\(first["next"].text)", key: keys.read))
            #expect(second["items"].items.count == 1 && !second["next"].exists)
        }
    }

    @Test func `the envelope counts against the byte limit for each quarantined event`() async throws {
        try await withDaemon(configure: { $0.store.events.quarantineBytes = 20_000 }) { live in
            let keys = try await live.api.makeApp()
            let entries = Array(repeating: "1", count: 100).joined(separator: ",")
            let body = #"{"user_id": "\#(String(repeating: "u", count: 200))", "events": [\#(entries)]}"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(quarantined: 100))
            let counts = try JSON(await live.api.get("/v1/quarantine", key: keys.read))["counts"][0]
            #expect((40..<100).contains(counts["kept"].number) && counts["kept"].number + counts["only_counted"].number == 100)
        }
    }

    @Test func `beyond the limit reasons are still counted, also across a restart`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Timestamp(milliseconds: 1_790_000_000_000)).clock
        @Sendable func counts(_ live: LiveDaemon, _ keys: AppKeys) async throws -> [Int] {
            let list = try JSON(await live.api.get("/v1/quarantine", key: keys.read))
            let bad = list["counts"].items.first { $0["code"].text == "bad_event_name" }
            return [list["items"].items.count, bad?["kept"].number ?? 0, bad?["only_counted"].number ?? 0]
        }
        let five = "[" + Array(repeating: #"{"name": "not a name"}"#, count: 5).joined(separator: ",") + "]"
        let keys = try await withDaemon(in: folder, clock: clock, configure: { $0.store.events.quarantineRows = 3 }) { live in
            let keys = try await live.api.makeApp()
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, five)) == Taken(quarantined: 5))
            #expect(try await counts(live, keys) == [3, 3, 2])
            // Another app has its own limit.
            let other = try await live.api.makeApp("other")
            #expect(try Taken(await live.api.post("/v1/events", key: other.ingest, five)) == Taken(quarantined: 5))
            #expect(try await counts(live, other) == [3, 3, 2])
            return keys
        }
        try await withDaemon(in: folder, clock: clock, configure: { $0.store.events.quarantineRows = 3 }) { live async throws in
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, five)) == Taken(quarantined: 5))
            #expect(try await counts(live, keys) == [3, 3, 7])
        }
    }

    @Test func `a replay after a settings change stores events once`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            func patch(_ body: String) async throws -> Int {
                try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(body.utf8)).status
            }
            #expect(try await patch(#"{"name_length": 5}"#) == 200)
            let body = #"[{"id": "1", "name": "too_long_name"}, {"name": "too_long_name"}, {"name": "in valid"}, {"name": "short"}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 1, quarantined: 3))
            let still = try await live.api.post("/v1/quarantine/replay", key: keys.admin, "")
            #expect(try Taken(still) == Taken(quarantined: 3))

            #expect(try await patch(#"{"name_length": 40}"#) == 200)
            #expect(try Taken(await live.api.post("/v1/quarantine/replay", key: keys.admin, "")) == Taken(accepted: 2, quarantined: 1))
            #expect(try Taken(await live.api.post("/v1/quarantine/replay", key: keys.admin, "")) == Taken(quarantined: 1))
            let left = try await live.api.get("/v1/quarantine", key: keys.read)
            #expect(try Self.names(left) == ["in valid"])
            // Replayed events are no longer counted as quarantined.
            #expect(try JSON(left)["counts"].items.map(\.["kept"].number) == [1])
            #expect(try await live.api.get("/v1/export", key: keys.read).text.split(separator: "\n").count == 3)
            // A retry by the client is a duplicate.
            #expect(
                try Taken(await live.api.post("/v1/events", key: keys.ingest, #"[{"id": "1", "name": "too_long_name"}]"#)) == Taken(duplicates: 1))
        }
    }

    @Test func `a replay proceeds in pages past invalid events and frees space`() async throws {
        try await withDaemon(configure: { $0.store.events.quarantineRows = 6 }) { live in
            let keys = try await live.api.makeApp()
            _ = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"name_length": 5}"#.utf8))
            func send(_ names: [String]) async throws -> Taken {
                let events = names.map { #"{"name": "\#($0)"}"# }.joined(separator: ",")
                return try Taken(await live.api.post("/v1/events", key: keys.ingest, "[\(events)]"))
            }
            #expect(try await send(["too_long_1", "too_long_2", "in valid 1", "in valid 2", "in valid 3", "in valid 4"]) == Taken(quarantined: 6))
            _ = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"name_length": 40}"#.utf8))

            var pages: [Taken] = []
            var target: String? = "/v1/quarantine/replay?limit=2"
            while let page = target, pages.count < 9 {
                let answer = try await live.api.post(page, key: keys.admin, "")
                pages.append(try Taken(answer))
                let next = try JSON(answer)["next"]
                target = next.exists ? "/v1/quarantine/replay?limit=2&after=\(next.text)" : nil
            }
            #expect(pages == [Taken(quarantined: 2), Taken(quarantined: 2), Taken(accepted: 2), Taken()])

            // Two events have left, so two more are stored and the next is only counted.
            #expect(try await send(["in valid 5", "in valid 6", "in valid 7"]) == Taken(quarantined: 3))
            let list = try JSON(await live.api.get("/v1/quarantine", key: keys.read))
            #expect(list["items"].items.count == 6)
            #expect(list["counts"][0]["kept"].number == 6 && list["counts"][0]["only_counted"].number == 1)
        }
    }

    @Test func `an event rejected again at the limit stays quarantined`() async throws {
        try await withDaemon(configure: { $0.store.events.quarantineRows = 1 }) { live in
            let keys = try await live.api.makeApp()
            func limitNames(to count: Int) async throws {
                let body = Array(#"{"event_names": \#(count)}"#.utf8)
                #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: body).status == 200)
            }
            func items() async throws -> String { try await live.api.get("/v1/quarantine", key: keys.read).text }
            try await limitNames(to: 1)
            let two = #"[{"name": "first"}, {"id": "2", "name": "second"}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, two)) == Taken(accepted: 1, quarantined: 1))
            let kept = try await items()
            #expect(kept.contains("too_many_event_names"))
            #expect(try Taken(await live.api.post("/v1/quarantine/replay", key: keys.admin, "")) == Taken(quarantined: 1))
            #expect(try await items() == kept)
            try await limitNames(to: 2)
            #expect(try Taken(await live.api.post("/v1/quarantine/replay", key: keys.admin, "")) == Taken(accepted: 1))
        }
    }

    @Test func `quarantined events of sealed days are replayed`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_790_000_000_000))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            for name in ["too_long_1", "too_long_2", "in valid"] {
                _ = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"name_length": 5}"#.utf8))
                #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "\#(name)"}]"#)) == Taken(quarantined: 1))
                clock.advance(by: .days(1))
            }
            _ = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"name_length": 40}"#.utf8))
            #expect(try Taken(await live.api.post("/v1/quarantine/replay", key: keys.admin, "")) == Taken(accepted: 2, quarantined: 1))
            let left = try await live.api.get("/v1/quarantine", key: keys.read)
            #expect(try Self.names(left) == ["in valid"])
            #expect(try JSON(left)["counts"].items.map(\.["kept"].number) == [1])
        }
    }

    @Test func `a replayed event has its envelope, with or without an ID`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            _ = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"name_length": 5}"#.utf8))
            let body =
                #"{"user_id": "ann", "context": {"platform": "ios"}, "events": [{"id": null, "name": "too_long_name"}, {"id": "", "name": "too_long_too"}]}"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(quarantined: 2))
            #expect(try Taken(await live.api.post("/v1/users", key: keys.ingest, #"{"users": [{"name": "short"}]}"#)) == Taken(quarantined: 1))
            _ = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"name_length": 40}"#.utf8))
            let kept = try JSON(await live.api.get("/v1/quarantine", key: keys.read))
            #expect(kept["items"].items.map(\.["source"].text) == ["users", "events", "events"])
            #expect(kept["items"][1]["envelope"]["context.platform"].text == "ios")
            // A user update is not replayed as an event.
            #expect(try Taken(await live.api.post("/v1/quarantine/replay", key: keys.admin, "")) == Taken(accepted: 2, quarantined: 1))
            let lines = try await live.api.get("/v1/export", key: keys.read).text.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains(#""user_id":"ann""#) && $0.contains(#""platform":"ios""#) })
        }
    }

    @Test func `an invalid line is quarantined alone, an invalid document rejects the request`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let lines = #"{"name": "a"}"# + "\n{\"name\": \n\n" + #"{"name": "b"}"# + "\n"
            let answer = try await live.api.post(
                "/v1/events?installation_id=i1", key: keys.ingest, headers: ["Content-Type": "application/x-ndjson"], lines)
            #expect(try Taken(answer) == Taken(accepted: 2, quarantined: 1))
            #expect(try JSON(answer)["results"][0]["code"].text == "invalid_json")
            #expect(try JSON(answer)["results"][0]["index"].number == 1)
            for body in ["", "{", "[{\"name\": \"a\"}", "[{\"name\": \"a\"}] x", "\u{0}", "nul"] {
                let broken = try await live.api.post("/v1/events", key: keys.ingest, body)
                #expect(broken.status == 400, "\(body)")
                #expect(try JSON(broken)["code"].text == "invalid_json", "\(body)")
            }
            for body in ["7", "null", "{}", #"{"events": 7}"#, #"{"events": null}"#] {
                #expect(try await live.api.post("/v1/events", key: keys.ingest, body).status == 400, "\(body)")
            }
            #expect(live.stored == 2)
            #expect(try await live.api.get("/v1/export", key: keys.read).text.contains(#""installation_id":"i1""#))
        }
    }

    @Test func `an invalid parameter is dropped and reported with Firebase's number`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let long = String(repeating: "x", count: 101)
            let many = (0..<26).map { #""p\#($0)": 1"# }.joined(separator: ",")
            let answer = try await live.api.post(
                "/v1/events", key: keys.ingest,
                #"""
                [{"name": "a", "params": {"9bad": 1, "good": 2}}, {"name": "b", "params": {"v": "\#(long)"}}, {"name": "c", "params": {\#(many)}},
                 {"name": "d", "params": {"firebase_x": 1}}]
                """#)
            #expect(try Taken(answer) == Taken(accepted: 4))
            let results = try JSON(answer)["results"].items
            #expect(results.map(\.["result"].text) == Array(repeating: "corrected", count: 4))
            #expect(results.map(\.["number"].number) == [3, 4, 5, 14])
            #expect(results[0]["field"].text == "params.9bad")
            let export = try await live.api.get("/v1/export", key: keys.read).text
            #expect(export.contains(#""good":2"#) && !export.contains("9bad") && export.contains(#""flags":["corrected"]"#))
        }
    }

    @Test func `the debug route reports verdicts and stores nothing`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = #"[{"id": "1", "name": "a"}, {"id": "1", "name": "a"}, {"name": "not a name"}]"#
            #expect(try Taken(await live.api.post("/v1/debug/events", key: keys.ingest, body)) == Taken(accepted: 1, duplicates: 1, quarantined: 1))
            #expect(try JSON(await live.api.get("/v1/quarantine", key: keys.read))["items"].items.isEmpty)
            #expect(try await live.api.get("/v1/export", key: keys.read).text.isEmpty)
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 1, duplicates: 1, quarantined: 1))
        }
    }
}
