// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct OnceTests {
    private static let evening = Day(year: 2026, month: 11, day: 21).start - .seconds(1)

    @Test func `an event ID counts once across requests, midnight and restarts`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.evening)
        let body = #"[{"id": "0190b0c8-0000-7000-8000-000000000001", "name": "a"}, {"id": "mine", "name": "a"}]"#
        let keys = try await withDaemon(in: folder, clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 2))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(duplicates: 2))
            clock.advance(by: .seconds(2))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body.uppercasedHex)) == Taken(duplicates: 2))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, #"[{"id": "other", "name": "a"}]"#)) == Taken(accepted: 1))
            #expect(try live.dayFiles == ["2026-11-20.db", "2026-11-21.db"])
            return keys
        }
        try await withDaemon(in: folder, clock: clock.clock) { live in
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(duplicates: 2))
            let export = try await live.api.get("/v1/export", key: keys.read)
            #expect(export.text.split(separator: "\n").count == 3)
        }
    }

    @Test func `text IDs are compared byte by byte, UUIDs regardless of case`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let answer = try await live.api.post(
                "/v1/events", key: keys.ingest,
                #"""
                [{"id": "A", "name": "a"}, {"id": "a", "name": "a"}, {"id": "", "name": "a"}, {"id": "", "name": "a"}, {"id": "A", "name": "a"},
                 {"id": "0190B0C8-0000-7000-8000-0000000000AB", "name": "a"}, {"id": "0190b0c8-0000-7000-8000-0000000000ab", "name": "a"}]
                """#)
            #expect(try Taken(answer) == Taken(accepted: 5, duplicates: 2))
            let results = try JSON(answer)["results"].items
            #expect(results.map(\.["index"].number) == [4, 6])
            #expect(results.map(\.["code"].text) == ["event_duplicate", "event_duplicate"])
            #expect(results.map(\.["id"].text) == ["A", "0190b0c8-0000-7000-8000-0000000000ab"])
        }
    }

    @Test func `a transaction counts once while its first purchase is stored`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.evening)
        @Sendable func purchase(_ id: String, _ transaction: String, name: String = "purchase") -> String {
            #"[{"id": "\#(id)", "name": "\#(name)", "params": {"transaction_id": "\#(transaction)", "value": 9.99, "currency": "EUR"}}]"#
        }
        let keys = try await withDaemon(in: folder, clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, purchase("1", "T-1"))) == Taken(accepted: 1))
            let second = try await live.api.post("/v1/events", key: keys.ingest, purchase("2", "T-1", name: "in_app_purchase"))
            #expect(try Taken(second) == Taken(duplicates: 1))
            #expect(try JSON(second)["results"][0]["code"].text == "transaction_duplicate")
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, purchase("3", "t-1"))) == Taken(accepted: 1))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, purchase("4", ""))) == Taken(accepted: 1))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, purchase("5", ""))) == Taken(accepted: 1))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, purchase("6", "T-1", name: "refund"))) == Taken(accepted: 1))
            return keys
        }
        // Long after the dedupe window of event IDs, and across a restart.
        clock.advance(by: .days(40))
        try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, purchase("7", "T-1"))) == Taken(duplicates: 1))
            clock.advance(by: .days(1))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, purchase("8", "T-1"))) == Taken(duplicates: 1))
        }
    }

    @Test func `a duplicate transaction does not use up its event's ID`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = #"""
                [{"id": "1", "name": "purchase", "params": {"transaction_id": "T"}}, {"id": "2", "name": "purchase", "params": {"transaction_id": "T"}},
                 {"id": "2", "name": "plain"}]
                """#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 2, duplicates: 1))
        }
    }

    @Test(arguments: [false, true])
    func `an event ID is deduplicated for exactly the window's days`(restarting: Bool) async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.evening)
        let body = #"[{"id": "x", "name": "a"}]"#
        let keys = try await withDaemon(in: folder, clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 1))
            if restarting { return keys }
            try await Self.expectWindow(live, clock, keys, body)
            return keys
        }
        if !restarting { return }
        for (days, expected) in [(7, Taken(duplicates: 1)), (1, Taken(accepted: 1))] {
            clock.advance(by: .days(Int64(days)))
            try await withDaemon(in: folder, clock: clock.clock) { live async throws in
                #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == expected)
            }
        }
    }

    private static func expectWindow(_ live: LiveDaemon, _ clock: ManualClock, _ keys: AppKeys, _ body: String) async throws {
        for day in 1...8 {
            clock.advance(by: .days(1))
            // A new event each day, so that the day switches.
            let other = #"[{"id": "day \#(day)", "name": "a"}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, other)) == Taken(accepted: 1))
            let expected = day <= 7 ? Taken(duplicates: 1) : Taken(accepted: 1)
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == expected, "day \(day)")
        }
    }
}

extension String {
    fileprivate var uppercasedHex: String { replacing("0190b0c8", with: "0190B0C8") }
}
