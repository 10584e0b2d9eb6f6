// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The presence of people: a set of buckets for each pair of an installation and a user.
///
/// Active users, lifecycle and cohort retention are counted from this table rather than from events. Each pair has one bit per bucket. A
/// user of 0 means that the installation named none. Three hours, in which installation i names user a at 11:20:
///
///     pair     10  11  12    first
///     (i, 0)    1   1   0    10:00
///     (i, a)    0   1   0    11:15
///
///     people(owners)     a: 1 1 0        one period, so all of i belongs to a
///     total              1               a
///     counts(of: hours)  1 1 0           i at 10, a at 11 (each hour is its own period)
struct PresenceTable: Sendable {
    /// The limit in bytes: about three million pairs in up to 64 buckets.
    private static let limit = 256 << 20

    private(set) var people: PeopleNumbers
    private var pairs: PairLines

    var lines: Lines { pairs.lines }
    /// The first presence of each pair in the range.
    var firsts: [Int64] { pairs.firsts }
    var buckets: Int { lines.buckets }
    /// The number of pairs, with those that are not in the range.
    var count: Int { firsts.count }

    init(buckets: Int) {
        people = PeopleNumbers()
        pairs = PairLines(buckets: buckets)
    }

    /// - Parameter people: The people of the lines, and perhaps of a larger set.
    init(_ people: PeopleNumbers, _ pairs: PairLines) {
        self.people = people
        self.pairs = pairs
        self.pairs.grow(to: people.pairs.count)
    }

    mutating func mark(installation: UInt64, user: UInt64, bucket: Int, at time: Int64) throws(Refusal) {
        let place = try place(installation: installation, user: user)
        pairs.mark(place, bucket, at: time)
    }

    mutating func add(_ other: PresenceTable) throws(Refusal) {
        for (i, pair) in other.people.pairs.enumerated() {
            let user = other.people.users.keys[Int(pair.user)]
            let place = try place(installation: other.people.installations.keys[Int(pair.installation)], user: user)
            pairs.add(at: place, other.pairs, at: i)
        }
    }

    private mutating func place(installation: UInt64, user: UInt64) throws(Refusal) -> Int {
        let place = people.pair(installation: installation, user: user)
        if place == count {
            pairs.grow(to: place + 1)
            guard pairs.bytes + people.bytes <= PresenceTable.limit else { throw .tooManyPeople }
        }
        return place
    }

    /// The keys of a pair.
    func keys(at place: Int) -> (installation: UInt64, user: UInt64) {
        let pair = people.pairs[place]
        return (people.installations.keys[Int(pair.installation)], people.users.keys[Int(pair.user)])
    }

    /// Whether a pair is in the range.
    func isPresent(at place: Int) -> Bool { firsts[place] != .max }

    /// Returns the number of different people of periods, each a range of buckets.
    func counts(of periods: [Range<Int>]) -> [Int] {
        if periods.count <= PeriodBits.limit { return PeriodBits(self, periods).counts }
        let census = Census(self)
        let windows = Dictionary(uniqueKeysWithValues: Set(periods.map(\.count)).map { ($0, census.counts(window: $0)) })
        return periods.map { windows[$0.count]?[$0.upperBound - 1] ?? 0 }
    }

    /// The number of different people if all buckets are one period.
    var total: Int { counts(of: [0..<buckets])[0] }
}

/// The buckets and the first presence of pairs by number.
struct PairLines: Sendable {
    private(set) var lines: Lines
    /// The first presence of each pair in the range, in milliseconds since 1970: the start of a quarter-hour, or a moment in a table made
    /// from events. The largest integer for pairs that are not in the range.
    private(set) var firsts: [Int64]

    init(buckets: Int, count: Int = 0) {
        lines = Lines(buckets: buckets, count: count)
        firsts = [Int64](repeating: .max, count: count)
    }

    var bytes: Int { lines.bytes + firsts.count * 8 }

    /// Adds pairs without presence up to a count.
    mutating func grow(to count: Int) {
        lines.grow(to: count)
        while firsts.count < count { firsts.append(.max) }
    }

    mutating func mark(_ place: Int, _ bucket: Int, at time: Int64) {
        lines.mark(at: place, bucket)
        if time < firsts[place] { firsts[place] = time }
    }

    mutating func add(at place: Int, _ other: PairLines, at otherPlace: Int) {
        lines.add(at: place, other.lines, at: otherPlace)
        if other.firsts[otherPlace] < firsts[place] { firsts[place] = other.firsts[otherPlace] }
    }

    /// Marks rows of a day.
    mutating func mark(_ rows: DayRows, _ mask: QuarterMasks.Mask, day: Int32) {
        let (start, quarterLength) = (Int64(day) * Day.milliseconds, QuarterHour.milliseconds)
        for i in rows.pairs.indices {
            let (early, late) = (rows.early[i] & mask.early, rows.late[i] & mask.late)
            if early | late == 0 { continue }
            let quarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
            mark(Int(rows.pairs[i]), mask.bucket, at: start + Int64(quarter) * quarterLength)
        }
    }
}
