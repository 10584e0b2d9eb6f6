// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform
import Testing

@Suite struct CronScheduleTests {
    private static func moment(_ text: String) throws -> Timestamp {
        guard let moment = Timestamp(rfc3339: text.utf8.span) else { throw CancellationError() }
        return moment
    }

    private static func times(_ cron: String, _ zone: String = "UTC", after: String, count: Int) throws -> [String] {
        let offsets = try #require(ZoneOffsets(zone))
        let schedule = try #require(CronSchedule(cron, zone: offsets))
        var (time, found) = (try moment(after), [String]())
        for _ in 0..<count {
            time = try #require(schedule.next(after: time))
            found.append(time.rfc3339)
        }
        return found
    }

    @Test(arguments: [
        ("* * * * *", "2026-11-26T20:00:30Z", ["2026-11-26T20:01:00.000Z", "2026-11-26T20:02:00.000Z"]),
        ("*/15 * * * *", "2026-11-26T20:45:00Z", ["2026-11-26T21:00:00.000Z", "2026-11-26T21:15:00.000Z"]),
        ("10/20 9 * * *", "2026-11-26T09:00:00Z", ["2026-11-26T09:10:00.000Z", "2026-11-26T09:30:00.000Z", "2026-11-26T09:50:00.000Z"]),
        ("0 9 * * 1-5", "2026-11-27T10:00:00Z", ["2026-11-30T09:00:00.000Z", "2026-12-01T09:00:00.000Z"]),
        ("0 9 * * MON,fri", "2026-11-26T00:00:00Z", ["2026-11-27T09:00:00.000Z", "2026-11-30T09:00:00.000Z"]),
        ("0 0 * * 7", "2026-11-26T00:00:00Z", ["2026-11-29T00:00:00.000Z", "2026-12-06T00:00:00.000Z"]),
        ("59 23 31 12 *", "2026-12-31T23:59:00Z", ["2027-12-31T23:59:00.000Z"]),
        ("0 0 29 feb *", "2096-03-01T00:00:00Z", ["2104-02-29T00:00:00.000Z"]),
        ("0 0 13 * 5", "2026-11-12T12:00:00Z", ["2026-11-13T00:00:00.000Z", "2026-11-20T00:00:00.000Z", "2026-11-27T00:00:00.000Z"]),
        ("0 0 */2 * 1", "2026-11-01T12:00:00Z", ["2026-11-09T00:00:00.000Z", "2026-11-23T00:00:00.000Z"]),
        ("0 0 1 1 *", "1969-06-01T00:00:00Z", ["1970-01-01T00:00:00.000Z"]),
    ])
    func `a schedule has its times`(cron: String, after: String, expected: [String]) throws {
        #expect(try Self.times(cron, after: after, count: expected.count) == expected)
    }

    @Test func `a skipped time is taken at the next minute, once`() throws {
        // In Berlin the clock goes from 2:00 to 3:00.
        let found = try Self.times("*/20 2 * * *", "Europe/Berlin", after: "2026-03-28T02:00:00Z", count: 4)
        #expect(found == ["2026-03-29T01:00:00.000Z", "2026-03-30T00:00:00.000Z", "2026-03-30T00:20:00.000Z", "2026-03-30T00:40:00.000Z"])
    }

    @Test func `a time that comes twice is taken once`() throws {
        // In Berlin the clock goes from 3:00 back to 2:00.
        let found = try Self.times("30 2 * * *", "Europe/Berlin", after: "2026-10-24T12:00:00Z", count: 2)
        #expect(found == ["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"])
        let within = try Self.times("*/30 * * * *", "Europe/Berlin", after: "2026-10-25T01:10:00Z", count: 2)
        #expect(within == ["2026-10-25T02:00:00.000Z", "2026-10-25T02:30:00.000Z"])
    }

    @Test(arguments: [
        "", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 13 * ", "* * * * 8", "*/0 * * * *", "5-1 * * * *",
        "1,,2 * * * *", "a * * * *", "-1 * * * *", "1- * * * *", "* * * febr *", "0 0 30 2 *", "0 0 31 4,6,9,11 *", "*/60 * * * *", "+1 * * * *",
        "１ * * * *", String(repeating: "0,", count: 200) + "0 * * * *",
    ])
    func `what is no schedule is refused`(cron: String) {
        #expect(CronSchedule(cron, zone: .utc) == nil)
    }

    @Test func `each next time is later, fits, and none between was left out`() throws {
        var generator = SeededGenerator(7)
        let zone = try #require(ZoneOffsets("America/New_York"))
        for _ in 0..<100 {
            let (minute, hour) = (Int.random(in: 0..<60, using: &generator), Int.random(in: 0..<24, using: &generator))
            let schedule = try #require(CronSchedule("\(minute) \(hour) * * *", zone: zone))
            var time = try Self.moment("2026-01-01T00:00:00Z")
            for _ in 0..<400 {
                let next = try #require(schedule.next(after: time))
                #expect(next > time && next - time <= .hours(50))
                time = next
            }
            // 400 runs are 400 days.
            #expect(Day(of: time).text.hasPrefix("2027-02-0"))
        }
    }
}
