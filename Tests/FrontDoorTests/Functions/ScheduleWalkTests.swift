// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FunctionStore
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Schedules of a daemon whose clock makes steps of any length around clock changes, compared with a walk over all minutes.
@Suite struct ScheduleWalkTests {
    /// A daily time of a zone, and the moments at which it is due.
    private struct Model {
        let zone: ZoneOffsets
        let minuteOfDay: Int64

        init(_ zone: String, _ hour: Int64, _ minute: Int64) throws {
            self.zone = try #require(ZoneOffsets(zone))
            minuteOfDay = hour * 60 + minute
        }

        private func local(_ minute: Int64) -> Int64 { zone.local(Timestamp(milliseconds: minute * 60_000)).milliseconds / 60_000 }

        /// The first minute after another whose local time, or one that the clock skips, is the daily time for the first time.
        func next(after time: Timestamp) throws -> Timestamp {
            let start = time.milliseconds / 60_000
            var newest = (start - 2_880...start).map(local).max() ?? 0
            for minute in start + 1...start + 4_320 {
                let now = local(minute)
                if now > newest, (newest + 1...now).contains(where: { $0 % 1_440 == minuteOfDay }) { return Timestamp(milliseconds: minute * 60_000) }
                newest = max(newest, now)
            }
            throw CancellationError()
        }
    }

    private static func time(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(rfc3339: text.utf8.span) else { throw CancellationError() }
        return time
    }

    private static func put(_ live: LiveDaemon, _ keys: AppKeys, _ cron: String, _ zone: String, _ fields: String = "") async throws {
        let trigger = #"{"on": "schedule", "cron": "\#(cron)", "tz": "\#(zone)", "overlap": true\#(fields)}"#
        let body = Array(#"{"url": "https://api.example/", "triggers": [\#(trigger)]}"#.utf8)
        let made = try await live.api.request("PUT", "/v1/functions/f", key: keys.admin, body: body)
        #expect([200, 201].contains(made.status), "\(made.text)")
    }

    /// The times of all runs, oldest first.
    private static func times(_ live: LiveDaemon, _ keys: AppKeys) async throws -> [String] {
        let runs = try JSON(await live.api.get("/v1/functions/f/runs?limit=1000", key: keys.read))["items"].items
        var times: [String] = []
        for run in runs.reversed() {
            let whole = try JSON(await live.api.get("/v1/runs/\(run["id"].text)", key: keys.read))
            times.append(try JSON(Array(whole["data"].text.utf8))["time"].text)
        }
        return times
    }

    @Test(arguments: [
        ("30 2 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"]),
        ("30 2 * * *", "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]),
    ])
    func `a skipped time runs at the next minute, one that comes twice runs once`(cron: String, start: String, times: [String]) async throws {
        let clock = ManualClock(try Self.time(start))
        try await withDaemon(clock: clock.clock, sends: false) { live in
            let keys = try await live.api.makeApp()
            try await Self.put(live, keys, cron, "Europe/Berlin")
            for _ in 0..<(44 * 4) {
                clock.advance(by: .minutes(15))
                _ = try await live.daemon.store.functions.runDueSchedules()
            }
            #expect(try await Self.times(live, keys) == times)
        }
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo"], ["once", "skip"])
    func `any steps of the clock make the runs of a walk over all minutes`(zone: String, missed: String) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed)
        let changes = ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2026-03-08T07:00:00Z", "2026-04-04T15:00:00Z", "2018-11-04T03:00:00Z"]
        let start = try Self.time(try #require(changes.randomElement(using: &random))) - .hours(Int64.random(in: 1...30, using: &random))
        let model = try Model(zone, .random(in: 0...3, using: &random), .random(in: 0...59, using: &random))
        let clock = ManualClock(start)
        let cron = "\(model.minuteOfDay % 60) \(model.minuteOfDay / 60) * * *"
        let steps = (0..<60).map { _ in Int64.random(in: 1...240, using: &random) }
        try await withDaemon(clock: clock.clock, sends: false) { live in
            let keys = try await live.api.makeApp()
            try await Self.put(live, keys, cron, zone, #", "missed": "\#(missed)""#)
            var (expected, next): ([String], Timestamp) = ([], try model.next(after: start))
            for minutes in steps {
                clock.advance(by: .seconds(minutes * 60 + minutes % 50))
                _ = try await live.daemon.store.functions.runDueSchedules()
                guard next <= clock.now else { continue }
                if missed == "once" || clock.now - next <= .minutes(1) { expected.append(next.rfc3339) }
                next = try model.next(after: clock.now)
            }
            let found = try await Self.times(live, keys)
            #expect(found == expected, "\(cron) \(zone) \(missed) from \(start.rfc3339); seed \(seed)")
        }
    }

    @Test func `a clock that is set back repeats no run`() async throws {
        let clock = ManualClock(try Self.time("2026-06-01T00:30:00Z"))
        try await withDaemon(clock: clock.clock, sends: false) { live in
            let keys = try await live.api.makeApp()
            try await Self.put(live, keys, "0 * * * *", "UTC")
            for step in [40, -120, 100, 20, 60] as [Int64] {
                clock.advance(by: .minutes(step))
                _ = try await live.daemon.store.functions.runDueSchedules()
            }
            // 1:10, 23:10, 0:50, 1:10, 2:10
            #expect(try await Self.times(live, keys) == ["2026-06-01T01:00:00.000Z", "2026-06-01T02:00:00.000Z"])
        }
    }
}
