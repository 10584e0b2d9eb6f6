// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
import Platform

extension QueryContext {
    package func lifecycle(_ query: LifecycleQuery) throws -> RangedResult<LifecycleResult> {
        // The first bucket is compared with the bucket before it.
        let range = try query.range.withBucketBefore()
        let people = try peopleInTime(range.buckets)
        let none = [Int](repeating: 0, count: range.buckets.count)
        var (new, returning, resurrecting, dormant) = (none, none, none, none)
        for place in people.there.keys.indices {
            let firstBucket = range.buckets.index(of: Timestamp(milliseconds: people.firstSeen[place]))
            for bucket in 1..<range.buckets.count {
                let (before, now) = (people.there.contains(at: place, bucket - 1), people.there.contains(at: place, bucket))
                switch (now, before) {
                case (true, _) where firstBucket == bucket: new[bucket] += 1
                case (true, true): returning[bucket] += 1
                case (true, false): resurrecting[bucket] += 1
                case (false, true): dormant[bucket] += 1
                case (false, false): break
                }
            }
        }
        let points = (1..<range.buckets.count).map { bucket in
            LifecycleResult.Point(
                t: Moment(range.buckets.edges[bucket]), new: new[bucket], returning: returning[bucket], resurrecting: resurrecting[bucket],
                dormant: dormant[bucket])
        }
        return RangedResult(ResultRange(query.range, source: .rollup), LifecycleResult(points: points))
    }
}

/// The people of a range: their buckets, and the times at which they were first seen.
struct PeopleInTime {
    var there: BitLines
    /// The times at which people were first seen, in the order of the lines.
    var firstSeen: [Int64]
}

extension QueryContext {
    /// Returns the people of a range. The range is one period, so an installation belongs to the same person in all buckets.
    func peopleInTime(_ buckets: TimeBuckets) throws -> PeopleInTime {
        let (table, identity) = try presenceAndIdentity(buckets)
        let there = table.people(identity)
        var first = [Int64](repeating: .max, count: there.keys.count)
        let known = try firstSeen(table.pairs.lazy.map(\.own))
        for pair in table.pairs {
            guard let place = there.known(identity.person(user: pair.user, installation: pair.installation)) else { continue }
            first[place] = min(first[place], known.time(of: pair.own))
        }
        return PeopleInTime(there: there, firstSeen: first)
    }

    /// Returns the presence in a range, and its identity with the range as one period.
    func presenceAndIdentity(_ buckets: TimeBuckets, askedBeyond: Bool = false) throws -> (PresenceTable, Identity) {
        if buckets.isOfQuarters {
            let table = try presence(buckets)
            return (table, try identity(in: table, from: buckets.from, to: buckets.to, askedBeyond: askedBeyond))
        }
        return (try presenceFromEvents(buckets), try identity(from: buckets.from, to: buckets.to))
    }

    /// Returns the presence in a range.
    func there(_ buckets: TimeBuckets) throws -> PresenceTable {
        try buckets.isOfQuarters ? presence(buckets) : presenceFromEvents(buckets)
    }

    /// Returns presence read from events, for edges between quarter-hours, such as those of local mean time.
    private func presenceFromEvents(_ buckets: TimeBuckets) throws -> PresenceTable {
        try scan(EventScan(buckets), into: PresenceTable(buckets: buckets.count)) { table, batch in
            for row in batch.rows {
                let (user, installation, time) = (batch.users[row], batch.installations[row], batch.times[row])
                guard user != 0 || installation != 0, let bucket = buckets.index(of: Timestamp(milliseconds: time)) else { continue }
                try table.mark(installation: installation, user: user, bucket: bucket, at: time)
            }
        } joining: {
            try $0.add($1)
        }
    }
}
