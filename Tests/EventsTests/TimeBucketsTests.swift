// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Events

@Suite struct TimeBucketsTests {
    private static func time(_ text: String) throws -> Timestamp {
        let time = Timestamp(text: Array(text.utf8).span)
        return try #require(time)
    }

    private static func buckets(_ from: String, _ to: String, _ interval: Interval, _ zone: String) throws -> TimeBuckets {
        try TimeBuckets(from: time(from), to: time(to), interval: interval, zone: try #require(ZoneOffsets(zone)))
    }

    /// A range, and the length of each of its buckets in minutes.
    private static let lengths: [(zone: String, interval: Interval, from: String, to: String, minutes: [Int64])] = [
        ("UTC", .day, "2026-03-28T12:00:00Z", "2026-03-30T00:00:00Z", [1_440, 1_440]),
        ("Europe/Berlin", .day, "2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z", [1_440, 1_380, 1_440]),
        ("Europe/Berlin", .day, "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z", [1_440, 1_500, 1_440]),
        // Clocks change at midnight: one day begins at one o'clock, another ends an hour late.
        ("Africa/Cairo", .day, "2026-04-23T12:00:00Z", "2026-04-25T12:00:00Z", [1_440, 1_380, 1_440]),
        ("Africa/Cairo", .day, "2026-10-28T12:00:00Z", "2026-10-30T12:00:00Z", [1_440, 1_500, 1_440]),
        ("Asia/Kathmandu", .day, "2026-11-20T18:14:59Z", "2026-11-20T18:15:01Z", [1_440, 1_440]),
        // Half an hour of summer time.
        ("Australia/Lord_Howe", .day, "2026-04-04T00:00:00Z", "2026-04-06T00:00:00Z", [1_440, 1_470, 1_440]),
        ("Australia/Lord_Howe", .day, "2026-10-03T00:00:00Z", "2026-10-05T00:00:00Z", [1_440, 1_410, 1_440]),
        ("UTC", .week, "2026-11-18T00:00:00Z", "2026-11-24T00:00:00Z", [10_080, 10_080]),
        ("Europe/Berlin", .week, "2026-10-20T00:00:00Z", "2026-10-20T01:00:00Z", [10_140]),
        ("UTC", .month, "2026-01-15T00:00:00Z", "2026-03-01T00:00:00Z", [44_640, 40_320]),
        ("UTC", .month, "2028-02-15T00:00:00Z", "2028-02-16T00:00:00Z", [41_760]),
        ("UTC", .month, "2026-12-15T00:00:00Z", "2027-01-02T00:00:00Z", [44_640, 44_640]),
        ("Asia/Kathmandu", .hour, "2026-11-21T00:20:00Z", "2026-11-21T01:20:00Z", [60, 60]),
        ("UTC", .minute, "2026-11-21T00:00:30Z", "2026-11-21T00:02:00Z", [1, 1]),
    ]

    @Test(arguments: lengths.indices)
    func `buckets follow the time zone's calendar`(index: Int) throws {
        let row = Self.lengths[index]
        let buckets = try Self.buckets(row.from, row.to, row.interval, row.zone)
        #expect(zip(buckets.edges, buckets.edges.dropFirst()).map { ($1 - $0).milliseconds / 60_000 } == row.minutes)
        #expect(try buckets.from <= Self.time(row.from) && buckets.to >= Self.time(row.to))
    }

    @Test func `days begin at local midnight, weeks on Monday, months on the first`() throws {
        #expect(try Self.buckets("2026-11-21T00:00:00Z", "2026-11-21T01:00:00Z", .day, "Asia/Kathmandu").from == Self.time("2026-11-20T18:15:00Z"))
        #expect(try Self.buckets("2026-11-21T00:00:00Z", "2026-11-21T01:00:00Z", .week, "UTC").from == Self.time("2026-11-16T00:00:00Z"))
        #expect(try Self.buckets("2026-11-16T00:00:00Z", "2026-11-16T01:00:00Z", .week, "UTC").from == Self.time("2026-11-16T00:00:00Z"))
        #expect(
            try Self.buckets("2026-11-01T02:00:00Z", "2026-11-01T03:00:00Z", .month, "America/St_Johns").from == Self.time("2026-10-01T02:30:00Z"))
        #expect(try Self.buckets("1969-12-31T23:00:00Z", "1970-01-01T00:00:00Z", .week, "UTC").from == Self.time("1969-12-29T00:00:00Z"))
    }

    @Test(arguments: ["UTC", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns", "Africa/Cairo"], Interval.allCases)
    func `every time of a range is in exactly one bucket`(zone: String, interval: Interval) throws {
        let buckets = try Self.buckets("2026-10-01T00:00:00Z", interval == .minute ? "2026-10-05T00:00:00Z" : "2026-11-15T00:00:00Z", interval, zone)
        for (number, edge) in buckets.edges.dropLast().enumerated() {
            #expect(buckets.index(of: edge) == number)
            #expect(buckets.index(of: Timestamp(milliseconds: buckets.edges[number + 1].milliseconds - 1)) == number)
        }
        #expect(buckets.edges == buckets.edges.sorted() && Set(buckets.edges).count == buckets.edges.count)
        #expect(buckets.index(of: buckets.to) == nil)
        #expect(buckets.index(of: Timestamp(milliseconds: buckets.from.milliseconds - 1)) == nil)
    }

    @Test func `an empty range and too many buckets are rejected`() throws {
        #expect(throws: Refusal.self) { try Self.buckets("2026-11-21T00:00:00Z", "2026-11-21T00:00:00Z", .day, "UTC") }
        #expect(throws: Refusal.self) { try Self.buckets("2026-11-22T00:00:00Z", "2026-11-21T00:00:00Z", .day, "UTC") }
        #expect(throws: Refusal.self) { try Self.buckets("2026-01-01T00:00:00Z", "2026-11-21T00:00:00Z", .minute, "UTC") }
        #expect(try Self.buckets("2026-11-14T00:00:00Z", "2026-11-21T00:00:00Z", .minute, "UTC").count == 10_080)
    }
}
