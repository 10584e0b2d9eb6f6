// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Days, weeks and months in local time; all expectations were computed by hand.
@Suite struct QueryCalendarTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var zone: String
        var interval: String
        /// The time of the query and its range.
        var now: String
        var from: String
        var to: String
        /// The times of the events.
        var events: [String]
        /// The start of each bucket and its number of events.
        var expected: [(String, Int)]

        var testDescription: String { "\(zone), \(interval), \(from)" }
    }

    private static let cases = [
        // 29 March 2026 has 23 hours in Berlin.
        Case(
            zone: "Europe/Berlin", interval: "day", now: "2026-03-31T12:00:00Z", from: "2026-03-28T00:00:00Z", to: "2026-03-30T12:00:00Z",
            events: ["2026-03-28T22:59:59.999Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59.999Z", "2026-03-29T22:00:00Z"],
            expected: [("2026-03-27T23:00", 1), ("2026-03-28T23:00", 2), ("2026-03-29T22:00", 1)]),
        // 25 October 2026 has 25 hours in Berlin.
        Case(
            zone: "Europe/Berlin", interval: "day", now: "2026-10-27T12:00:00Z", from: "2026-10-24T00:00:00Z", to: "2026-10-26T12:00:00Z",
            events: ["2026-10-24T21:59:59.999Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59.999Z", "2026-10-25T23:00:00Z"],
            expected: [("2026-10-23T22:00", 1), ("2026-10-24T22:00", 2), ("2026-10-25T23:00", 1)]),
        // 24 April 2026 begins at 01:00 in Cairo.
        Case(
            zone: "Africa/Cairo", interval: "day", now: "2026-04-26T12:00:00Z", from: "2026-04-23T12:00:00Z", to: "2026-04-25T12:00:00Z",
            events: ["2026-04-23T21:59:59.999Z", "2026-04-23T22:00:00Z", "2026-04-24T20:59:59.999Z", "2026-04-24T21:00:00Z"],
            expected: [("2026-04-22T22:00", 1), ("2026-04-23T22:00", 2), ("2026-04-24T21:00", 1)]),
        Case(
            zone: "Asia/Kathmandu", interval: "day", now: "2026-11-21T12:00:00Z", from: "2026-11-20T12:00:00Z", to: "2026-11-21T12:00:00Z",
            events: ["2026-11-20T18:14:00Z", "2026-11-20T18:15:00Z", "2026-11-20T18:16:00Z"],
            expected: [("2026-11-19T18:15", 1), ("2026-11-20T18:15", 2)]),
        // In Apia 29 December 2011 was followed by the 31st.
        Case(
            zone: "Pacific/Apia", interval: "day", now: "2012-01-05T12:00:00Z", from: "2011-12-29T10:00:00Z", to: "2012-01-01T10:00:00Z",
            events: ["2011-12-29T10:00:00Z", "2011-12-30T09:59:59.999Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"],
            expected: [("2011-12-29T10:00", 2), ("2011-12-30T10:00", 1), ("2011-12-31T10:00", 1)]),
        Case(
            zone: "UTC", interval: "week", now: "2027-01-10T12:00:00Z", from: "2026-12-31T00:00:00Z", to: "2027-01-06T00:00:00Z",
            events: ["2026-12-27T23:59:59.999Z", "2026-12-28T00:00:00Z", "2027-01-01T00:00:00Z", "2027-01-03T23:59:59.999Z", "2027-01-04T00:00:00Z"],
            expected: [("2026-12-28T00:00", 3), ("2027-01-04T00:00", 1)]),
        Case(
            zone: "Asia/Kathmandu", interval: "month", now: "2027-01-10T12:00:00Z", from: "2026-12-15T00:00:00Z", to: "2027-01-06T00:00:00Z",
            events: ["2026-11-30T18:14:59Z", "2026-11-30T18:15:00Z", "2026-12-31T18:14:59Z", "2026-12-31T18:15:00Z"],
            expected: [("2026-11-30T18:15", 2), ("2026-12-31T18:15", 1)]),
    ]

    @Test(arguments: cases)
    func `an event is counted in its local day, week or month`(_ row: Case) async throws {
        try await Self.asking(at: row.now) { live, keys in
            try await Self.send(row.events.map { ("u", $0) }, to: live, keys)
            let range = "interval=\(row.interval)&tz=\(row.zone)&from=\(row.from)&to=\(row.to)"
            // From roll-ups and from events.
            for more in ["", "&filter=name=a"] {
                let series = try Series(await live.api.get("/v1/query/series?\(range)\(more)", key: keys.read))
                #expect(series.times.map { String($0.rfc3339.prefix(16)) } == row.expected.map(\.0))
                #expect(series.times.map { series.points[$0] } == row.expected.map(\.1))
                // One person in all buckets.
                let users = try Series(await live.api.get("/v1/query/series?metric=users&\(range)\(more)", key: keys.read))
                #expect(users.times.map { users.points[$0] } == row.expected.map { min($0.1, 1) })
                #expect(users.total == 1)
            }
        }
    }

    @Test(arguments: [("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 23), ("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25)])
    func `a day has 23 or 25 hours when clocks change`(_ from: String, _ to: String, _ hours: Int) async throws {
        try await Self.asking(at: to) { live, keys in
            let range = "tz=Europe/Berlin&from=\(from)&to=\(to)"
            let hour = try Series(await live.api.get("/v1/query/series?interval=hour&\(range)", key: keys.read))
            #expect(hour.times.count == hours)
            let day = try Series(await live.api.get("/v1/query/series?interval=day&\(range)", key: keys.read))
            #expect(day.times.count == 1 && day.from == hour.from && day.to == hour.to)
        }
    }

    @Test func `daily, weekly and monthly users are counted across a clock change`() async throws {
        try await Self.asking(at: "2026-11-02T12:00:00Z") { live, keys in
            // In Berlin: a minute before 26 September, 26 September, 25 October twice, and 26 October twice.
            let there = [
                ("gone", "2026-09-25T21:59:00Z"), ("early", "2026-09-25T22:00:00Z"), ("ann", "2026-10-24T22:00:00Z"),
                ("bob", "2026-10-25T22:59:59.999Z"), ("eve", "2026-10-25T23:00:00Z"), ("ann", "2026-10-26T12:00:00Z"),
            ]
            try await Self.send(there, to: live, keys)
            let range = "tz=Europe/Berlin&from=2026-10-24T22:00:00Z&to=2026-11-01T23:00:00Z"
            let answer = try JSON(await live.api.get("/v1/query/active-users?\(range)", key: keys.read))
            #expect(answer["points"].items.map(\.["dau"].number) == [2, 2, 0, 0, 0, 0, 0, 0])
            #expect(answer["points"].items.map(\.["wau"].number) == [2, 3, 3, 3, 3, 3, 3, 2])
            #expect(answer["points"].items.map(\.["mau"].number) == [3, 3, 3, 3, 3, 3, 3, 3])
            #expect(answer["points"][1]["t"].text == "2026-10-25T23:00:00.000Z")
            // Ann is one person on two days.
            #expect(answer["total"].number == 3)
        }
    }

    @Test func `a range with an unfinished bucket is incomplete`() async throws {
        try await Self.asking(at: "2026-11-21T12:00:00Z") { live, keys in
            try await Self.send([("ann", "2026-11-19T08:00:00Z")], to: live, keys)
            for (question, isComplete) in [
                ("series", false), ("series?to=2026-11-21T00:00:00Z", true), ("series?to=2026-11-21T00:00:01Z", false),
                ("series?interval=hour", true), ("series?interval=minute&from=-1h", true), ("series?interval=month&to=2026-11-01T00:00:00Z", true),
                ("top?to=2026-11-21T12:00:00Z", true), ("top?to=2026-11-21T12:00:01Z", false), ("active-users", false), ("sessions", false),
                ("revenue?to=2026-11-21T00:00:00Z", true), ("lifecycle?interval=week", false), ("realtime", false),
            ] {
                let from = question.contains("month") ? "&from=2026-10-01T00:00:00Z" : ""
                let answer = try JSON(await live.api.get("/v1/query/" + question + from, key: keys.read))
                #expect(answer["complete"].exists && answer["complete"].bool == isComplete, "\(question)")
            }
            let retention = try JSON(await live.api.get("/v1/query/retention?periods=3&from=2026-11-19T00:00:00Z", key: keys.read))
            #expect(retention["cohorts"].items.map { $0["cells"].items.map(\.["complete"].bool) } == [[true, true, false], [true, false], [false]])
            #expect(retention["cohorts"].items.map { $0["cells"].items.map(\.["people"].number) } == [[1, 0, 0], [0, 0], [0]])
            #expect(retention["cohorts"].items.map(\.["size"].number) == [1, 0, 0])
        }
    }

    /// Sends an event of each person at the given time.
    private static func send(_ seen: [(person: String, time: String)], to live: LiveDaemon, _ keys: AppKeys) async throws {
        let body = seen.map { #"{"name": "a", "user_id": "\#($0.person)", "timestamp": "\#($0.time)"}"# }.joined(separator: ",")
        #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, "[\(body)]")) == Taken(accepted: seen.count))
    }

    private static func asking(at now: String, _ body: @Sendable (LiveDaemon, AppKeys) async throws -> Void) async throws {
        let time = Timestamp(rfc3339: Array(now.utf8).span)
        try await withDaemon(clock: ManualClock(try #require(time)).clock) { live in
            try await body(live, try await live.api.makeApp())
        }
    }
}
