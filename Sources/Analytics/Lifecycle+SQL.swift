// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
import Platform

extension QueryContext {
    package func lifecycle(_ query: LifecycleQuery) throws -> RangedResult<LifecycleResult> {
        // The first bucket is compared with the bucket before it.
        let range = try query.range.withBucketBefore()
        let counts = try figures(.lifecycle, range.buckets) {
            let people = try peopleInTime(range.buckets)
            return (LifecycleCounts(people).numbers, people.count)
        }
        let buckets = range.buckets.count
        let points = (1..<buckets).map { bucket in
            LifecycleResult.Point(
                t: Moment(range.buckets.edges[bucket]), new: counts[bucket], returning: counts[buckets + bucket],
                resurrecting: counts[2 * buckets + bucket], dormant: counts[3 * buckets + bucket])
        }
        return RangedResult(ResultRange(query.range, source: .rollup), LifecycleResult(points: points))
    }
}

/// New, returning, resurrecting and dormant people by bucket.
private struct LifecycleCounts {
    /// The counts of all buckets for each kind, in that order.
    private(set) var numbers: [Int]

    init(_ people: PeopleInTime) {
        let buckets = people.lines.buckets
        numbers = [Int](repeating: 0, count: 4 * buckets)
        let lines = people.lines
        for line in 0..<lines.count where !lines.isEmpty(at: line) {
            let first = people.firstBucket(of: line)
            var last = -2
            lines.each(at: line) { bucket in
                let kind = bucket == first ? 0 : last == bucket - 1 ? 1 : 2
                numbers[kind * buckets + bucket] += 1
                if last >= 0, last < bucket - 1 { numbers[3 * buckets + last + 1] += 1 }
                last = bucket
            }
            if last >= 0, last + 1 < buckets { numbers[3 * buckets + last + 1] += 1 }
        }
    }
}

/// The people of a range: their buckets, and the times at which they were first seen.
struct PeopleInTime {
    let buckets: TimeBuckets
    private let people: PeopleLines
    private let numbers: PeopleNumbers
    /// The presence by line.
    var lines: Lines { people.lines }
    /// The bucket of each quarter-hour of the range, or -1 where an edge divides it.
    private let bucketOfQuarter: [Int32]
    private let span: Range<Int64>
    private let firstQuarter: Int64
    private let quarterLength = QuarterHour.milliseconds

    /// The number of people in the range.
    var count: Int { (0..<lines.count).count { !lines.isEmpty(at: $0) } }

    init(_ buckets: TimeBuckets, _ table: PresenceTable, _ owners: Owners, _ known: FirstSeen) {
        self.buckets = buckets
        people = PeopleLines(table, owners, known)
        numbers = table.people
        bucketOfQuarter = PeopleInTime.bucketsOfQuarters(buckets)
        span = buckets.from.milliseconds..<buckets.to.milliseconds
        firstQuarter = buckets.from.milliseconds.flooredQuotient(by: quarterLength)
    }

    /// Returns the bucket in which a person was first seen; nil outside of the range.
    func firstBucket(of line: Int) -> Int? {
        let time = people.firstSeen[line]
        guard span.contains(time) else { return nil }
        let bucket = bucketOfQuarter[Int(time.flooredQuotient(by: quarterLength) - firstQuarter)]
        return bucket >= 0 ? Int(bucket) : buckets.index(of: Timestamp(milliseconds: time))
    }

    /// Returns the key of a line's person.
    func key(of line: Int) -> UInt64 { people.key(of: line, numbers) }

    private static func bucketsOfQuarters(_ buckets: TimeBuckets) -> [Int32] {
        let first = buckets.from.milliseconds.flooredQuotient(by: QuarterHour.milliseconds)
        var places = [Int32](repeating: -1, count: Int((buckets.to.milliseconds - 1).flooredQuotient(by: QuarterHour.milliseconds) - first) + 1)
        for bucket in 0..<buckets.count {
            let start = -(-buckets.edges[bucket].milliseconds).flooredQuotient(by: QuarterHour.milliseconds)
            let end = buckets.edges[bucket + 1].milliseconds.flooredQuotient(by: QuarterHour.milliseconds)
            for quarter in start..<max(start, end) { places[Int(quarter - first)] = Int32(truncatingIfNeeded: bucket) }
        }
        return places
    }
}

extension QueryContext {
    /// Returns the people of a range. The range is one period, so an installation belongs to the same person in all buckets.
    func peopleInTime(_ buckets: TimeBuckets) throws -> PeopleInTime {
        let people = try peopleAndOwners(buckets, needsFirstSeen: true)
        let first = try people.firstSeen ?? firstSeen(people.table.people)
        return PeopleInTime(buckets, people.table, people.owners, first)
    }

    /// The presence in a range, and the owners of its installations with the range as one period.
    struct OwnedPresence {
        var table: PresenceTable
        var owners: Owners
        var firstSeen: FirstSeen?
    }

    func peopleAndOwners(_ buckets: TimeBuckets, needsFirstSeen: Bool = false, askedBeyond: Bool = false) throws -> OwnedPresence {
        if buckets.isOfQuarters {
            let people = try peopleOfRange(buckets, needsFirstSeen: needsFirstSeen)
            let owners = try owners(in: people.table, isExact: false, askedBeyond: askedBeyond)
            return OwnedPresence(table: people.table, owners: owners, firstSeen: people.firstSeen)
        }
        let table = try presenceFromEvents(buckets)
        return OwnedPresence(table: table, owners: try owners(in: table, isExact: true, askedBeyond: askedBeyond))
    }

    /// Returns the presence in a range.
    func there(_ buckets: TimeBuckets) throws -> PresenceTable {
        try buckets.isOfQuarters ? presence(buckets) : presenceFromEvents(buckets)
    }

    /// Returns presence read from events and aliases, for edges between quarter-hours: minutes, and those of local mean time.
    private func presenceFromEvents(_ buckets: TimeBuckets) throws -> PresenceTable {
        var events = EventScan(buckets)
        events.includesWithdrawn = true
        var table = try scan(events, into: PresenceTable(buckets: buckets.count)) { table, batch in
            for row in batch.rows {
                let (user, installation, time) = (batch.users[row], batch.installations[row], batch.times[row])
                guard user != 0 || installation != 0, let bucket = buckets.index(of: Timestamp(milliseconds: time)) else { continue }
                try table.mark(installation: installation, user: user, bucket: bucket, at: time)
            }
        } joining: {
            try $0.add($1)
        }
        try eachAlias(in: buckets) { installation, user, time, bucket in
            try table.mark(installation: installation, user: user, bucket: bucket, at: time)
        }
        return table
    }

    /// Calls a closure with the installation, the user, the time and the bucket of each alias.
    func eachAlias(in buckets: TimeBuckets, _ body: (UInt64, UInt64, Int64, Int) throws -> Void) throws {
        for day in try days(from: buckets.from, to: buckets.to) {
            guard let file = try session.day(day) else { continue }
            try file.eachAlias(of: app, from: buckets.from, to: buckets.to) { installation, user, time in
                if let bucket = buckets.index(of: Timestamp(milliseconds: time)) { try body(installation, user, time, bucket) }
            }
        }
    }
}
