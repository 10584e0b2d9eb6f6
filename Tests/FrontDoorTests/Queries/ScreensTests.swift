// SPDX-License-Identifier: Apache-2.0

import Platform
import AcrossStores
import TestSupport
import Testing

@testable import ingestd

/// Roll-ups count the first 2,000 screens of a day by name.
@Suite struct ScreensTests {
    private static let day = Day(year: 2026, month: 11, day: 21).start

    private static func send(_ screens: [String], to live: LiveDaemon, _ keys: AppKeys) async throws {
        let events = screens.map { #"{"name": "screen_view", "params": {"screen_name": "\#($0)"}}"# }
        let answer = try await live.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]")
        #expect(try Taken(answer) == Taken(accepted: screens.count))
    }

    /// Fills a day with screens and views a new one more often than any other.
    private static func crowd(_ live: LiveDaemon, _ keys: AppKeys) async throws {
        try await send((1...2_000).map { "Page \($0)" }, to: live, keys)
        try await send((2_001...2_100).map { "Page \($0)" } + Array(repeating: "Popular", count: 50), to: live, keys)
    }

    private static func top(to end: String = "2026-11-24") -> String {
        "/v1/query/top?field=params.screen_name&metric=screen_views&limit=1&from=2026-11-20T00:00:00Z&to=\(end)T00:00:00Z"
    }

    private static let series = "/v1/query/series?breakdown=params.screen_name&metric=screen_views&limit=1"

    @Test func `the most viewed screen is named beyond the roll-up's limit`() async throws {
        let clock = ManualClock(Self.day + .hours(12))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            try await Self.crowd(live, keys)
            let top = try JSON(await live.api.get(Self.top(), key: keys.read))
            #expect(top["source"].text == "raw" && top["items"][0]["name"].text == "Popular" && top["items"][0]["value"].number == 50)
            #expect(top["items"][1]["name"].text == "(other)" && top["items"][1]["value"].number == 2_100)
            let series = try JSON(await live.api.get(Self.series, key: keys.read))
            #expect(series["source"].text == "raw" && series["series"][0]["name"].text == "Popular" && series["series"][0]["total"].number == 50)
            let realtime = try JSON(await live.api.get("/v1/query/realtime", key: keys.read))
            #expect(realtime["source"].text == "raw" && realtime["events"].number == 2_150)
            #expect(realtime["top_screens"][0]["name"].text == "Popular" && realtime["top_screens"][0]["count"].number == 50)
        }
    }

    @Test func `days below the limit use roll-ups and add up with others`() async throws {
        let clock = ManualClock(Self.day + .hours(12))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            try await Self.send(Array(repeating: "Popular", count: 7) + ["Home"], to: live, keys)
            #expect(try JSON(await live.api.get(Self.top(), key: keys.read))["source"].text == "rollup")
            clock.advance(by: .days(1))
            try await Self.crowd(live, keys)
            let both = try JSON(await live.api.get(Self.top(), key: keys.read))
            #expect(both["source"].text == "raw" && both["items"][0]["value"].number == 57 && both["items"][1]["value"].number == 2_101)
            let before = try JSON(await live.api.get(Self.top(to: "2026-11-22"), key: keys.read))
            #expect(before["source"].text == "rollup" && before["items"][0]["value"].number == 7)
        }
    }

    @Test func `after their events are removed, uncounted screens are grouped as (other)`() async throws {
        let clock = ManualClock(Self.day + .hours(12))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            try await Self.crowd(live, keys)
            clock.advance(by: .days(100))
            #expect(try await live.daemon.store.retain().removedDays.count == 1)
            let top = try JSON(await live.api.get(Self.top(), key: keys.read))
            #expect(top["source"].text == "rollup" && top["items"][0]["value"].number == 1)
            #expect(top["items"][1]["name"].text == "(other)" && top["items"][1]["value"].number == 2_149)
        }
    }
}
