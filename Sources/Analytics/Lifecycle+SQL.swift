// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
import Platform

extension QueryContext {
    package func lifecycle(_ query: LifecycleQuery) throws -> RangedResult<LifecycleResult> {
        // The first bucket is compared with the bucket before it.
        let range = try query.range.withBucketBefore()
        let counts = try figures(.lifecycle, range.buckets) {
            let found = try sums(of: .lifecycle, range.buckets)
            return (found.sums, found.people)
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

/// The people of a range: their buckets, and the times at which they were first seen.
struct PeopleInTime {
    let buckets: TimeBuckets
    private let people: PeopleLines
    private let numbers: PeopleNumbers
    private let firstBuckets: FirstBuckets
    /// The presence by line.
    var lines: Lines { people.lines }

    init(_ buckets: TimeBuckets, _ table: PresenceTable, _ owners: Owners, _ known: FirstSeen) {
        self.buckets = buckets
        people = PeopleLines(table, owners, known)
        numbers = table.people
        firstBuckets = FirstBuckets(buckets)
    }

    /// Returns the bucket in which a person was first seen; nil outside of the range.
    func firstBucket(of line: Int) -> Int? { firstBuckets[people.firstSeen[line]] }

    /// Returns the key of a line's person.
    func key(of line: Int) -> UInt64 { people.key(of: line, numbers) }
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
