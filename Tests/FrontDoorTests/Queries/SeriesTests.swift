// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct SeriesTests {
    /// A time zone and a moment some days after a clock change.
    private static let zones: [(String, Timestamp)] = [
        ("UTC", Day(year: 2026, month: 3, day: 3).start), ("Asia/Kathmandu", Day(year: 2026, month: 3, day: 3).start),
        ("Africa/Cairo", Day(year: 2026, month: 4, day: 27).start), ("Africa/Cairo", Day(year: 2026, month: 11, day: 2).start),
        ("America/St_Johns", Day(year: 2026, month: 3, day: 11).start), ("America/St_Johns", Day(year: 2026, month: 11, day: 4).start),
        ("Australia/Lord_Howe", Day(year: 2026, month: 4, day: 8).start),
    ]

    @Test(arguments: zones)
    func `every series matches a recount in any time zone and interval`(zone: String, start: Timestamp) async throws {
        let clock = ManualClock(start + .hours(11))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            var sent = SentEvents(seed: 7)
            for _ in 0..<3 {
                try await sent.post(300, to: live, key: keys.ingest, daysBack: 12, now: clock.now)
                clock.advance(by: .days(1))
            }
            #expect(try live.dayFiles.count == 3)
            for (word, interval) in [("hour", Calendar.Component.hour), ("day", .day), ("week", .weekOfYear), ("month", .month)] {
                for name in [nil, "event_1", "never_sent"] {
                    try await Self.compare(live, keys, sent, zone, word, interval, name, from: start - .days(11) - .minutes(7), to: clock.now)
                }
            }
            try await Self.compare(live, keys, sent, zone, "minute", .minute, nil, from: start - .days(3), to: start + .hours(3))
        }
    }

    private static func compare(
        _ live: LiveDaemon, _ keys: AppKeys, _ sent: SentEvents, _ zone: String, _ word: String, _ interval: Calendar.Component, _ name: String?,
        from: Timestamp, to: Timestamp
    ) async throws {
        let event = name.map { "&event=\($0)" } ?? ""
        let reply = try await live.api.get(
            "/v1/query/series?interval=\(word)&tz=\(zone)&from=\(from.rfc3339)&to=\(to.rfc3339)" + event, key: keys.read)
        let series = try Series(reply)
        let expected = try sent.recount(interval, in: zone, named: name, from: series.from, to: series.to)
        #expect(series.points.filter { $0.value != 0 } == expected, "\(zone) \(word) \(name ?? "all")")
        #expect(series.total == expected.values.reduce(0, +))
        #expect(series.from <= from && series.to >= to)
        // Each point occurs once, in order from the start of the range.
        #expect(series.times.first == series.from && series.times == series.times.sorted() && series.points.count == series.times.count)
    }

    @Test func `the default range is the last seven days in the app's time zone`() async throws {
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start + .hours(20))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            _ = try await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "a"}]"#)
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"tz": "Asia/Kathmandu"}"#.utf8)).status == 200)
            let reply = try await live.api.get("/v1/query/series", key: keys.read)
            let json = try JSON(reply)
            #expect(json["tz"].text == "Asia/Kathmandu")
            #expect(json["source"].text == "rollup")
            #expect(json["complete"].bool == false)
            #expect(json["from"].text == "2026-11-14T18:15:00.000Z")
            let series = try Series(reply)
            #expect(series.total == 1 && series.times.count == 8)
            // 20:00 UTC is the next morning in Kathmandu.
            #expect(series.points[series.times[7]] == 1)
        }
    }
}
