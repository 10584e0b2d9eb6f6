// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform
import TestSupport
import Testing

/// Random schedules around clock changes, compared with a walk over all minutes.
@Suite struct CronWalkTests {
    private struct Model {
        let minutes, hours: Set<Int>
        let weekdays: Set<Int>
        let zone: ZoneOffsets

        var text: String {
            func list(_ values: Set<Int>) -> String { values.sorted().map(String.init).joined(separator: ",") }
            return "\(list(minutes)) \(list(hours)) * * \(list(weekdays))"
        }

        private func fits(_ local: Int64) -> Bool {
            let weekday = Int((local / 1_440 + 4) % 7)
            return minutes.contains(Int(local % 60)) && hours.contains(Int(local / 60 % 24)) && weekdays.contains(weekday)
        }

        private func local(_ minute: Int64) -> Int64 { zone.local(Timestamp(milliseconds: minute * 60_000)).milliseconds / 60_000 }

        /// The first minute after another at which a local time that fits is reached for the first time.
        func next(after time: Timestamp) -> Timestamp? {
            let start = time.milliseconds / 60_000
            // The newest local minute before the start, as of the days before: a repeated hour is not new.
            var newest = (start - 2_880...start).map(local).max() ?? 0
            for minute in start + 1...start + 10 * 1_440 {
                let now = local(minute)
                if now > newest, (newest + 1...now).contains(where: fits) { return Timestamp(milliseconds: minute * 60_000) }
                newest = max(newest, now)
            }
            return nil
        }
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC", "America/Sao_Paulo"])
    func `a schedule's next time is the first new local minute that fits`(name: String) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed)
        let zone = try #require(ZoneOffsets(name))
        // Clock changes of 2026 and of 2018, when São Paulo had some.
        let changes = ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2026-03-08T07:00:00Z", "2026-04-04T15:00:00Z", "2018-11-04T03:00:00Z"]
        for round in 0..<20 {
            let change = try Self.moment(changes[round % changes.count])
            let start = change + Timestamp.Span(milliseconds: .random(in: -2 * 86_400_000...86_400_000, using: &random))
            let model = Model(
                minutes: Self.some(60, &random), hours: Self.some(24, &random).union([1, 2]), weekdays: Self.some(7, &random).union([0]), zone: zone)
            let schedule = try #require(CronSchedule(model.text, zone: zone))
            var time = start
            for _ in 0..<4 {
                let expected = try #require(model.next(after: time))
                let found = try #require(schedule.next(after: time))
                #expect(found == expected, "\(model.text) \(name) after \(time.rfc3339): \(found.rfc3339), not \(expected.rfc3339); seed \(seed)")
                time = expected
            }
        }
    }

    private static func moment(_ text: String) throws -> Timestamp {
        guard let moment = Timestamp(rfc3339: text.utf8.span) else { throw CancellationError() }
        return moment
    }

    private static func some(_ count: Int, _ random: inout SeededGenerator) -> Set<Int> {
        Set((0..<3).map { _ in Int.random(in: 0..<count, using: &random) })
    }
}
