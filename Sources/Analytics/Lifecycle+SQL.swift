// SPDX-License-Identifier: Apache-2.0

package import Events
import Platform

extension QueryContext {
    package func lifecycle(_ query: LifecycleQuery) throws -> QueryAnswer<LifecycleAnswer> {
        // The first bucket is compared with the one before it.
        let range = try query.range.withBucketBefore()
        let people = try peopleInTime(range.buckets)
        let none = [Int](repeating: 0, count: range.buckets.count)
        var (new, returning, resurrecting, dormant) = (none, none, none, none)
        for place in people.there.keys.indices {
            let born = range.buckets.index(of: Timestamp(milliseconds: people.firstSeen[place]))
            for bucket in 1..<range.buckets.count {
                let (before, now) = (people.there.contains(at: place, bucket - 1), people.there.contains(at: place, bucket))
                switch (now, before) {
                case (true, _) where born == bucket: new[bucket] += 1
                case (true, true): returning[bucket] += 1
                case (true, false): resurrecting[bucket] += 1
                case (false, true): dormant[bucket] += 1
                case (false, false): break
                }
            }
        }
        let points = (1..<range.buckets.count).map { bucket in
            LifecycleAnswer.Point(
                t: Moment(range.buckets.edges[bucket]), new: new[bucket], returning: returning[bucket], resurrecting: resurrecting[bucket],
                dormant: dormant[bucket])
        }
        return QueryAnswer(AnswerRange(query.range, source: .rollup), LifecycleAnswer(points: points))
    }
}

/// Everybody who was there in a range, in which of its buckets, and since when they are known.
struct PeopleInTime {
    var there: BitLines
    /// In the order of the lines.
    var firstSeen: [Int64]
}

extension QueryContext {
    /// The whole range is one period: an installation belongs to the same person in all its buckets.
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

    /// Who was there, and who is who where all of it is one period.
    func presenceAndIdentity(_ buckets: TimeBuckets, askedBeyond: Bool = false) throws -> (PresenceTable, Identity) {
        if buckets.isOfQuarters {
            let table = try presence(buckets)
            return (table, try identity(in: table, from: buckets.from, to: buckets.to, askedBeyond: askedBeyond))
        }
        return (try presenceFromEvents(buckets), try identity(from: buckets.from, to: buckets.to))
    }

    /// Who was there in which bucket.
    func there(_ buckets: TimeBuckets) throws -> PresenceTable {
        try buckets.isOfQuarters ? presence(buckets) : presenceFromEvents(buckets)
    }

    /// For edges between the quarter-hours, such as those of zones before there were time zones.
    private func presenceFromEvents(_ buckets: TimeBuckets) throws -> PresenceTable {
        try scan(EventScan(buckets), into: PresenceTable(buckets: buckets.count)) { table, event in
            guard event.user != 0 || event.installation != 0, let bucket = buckets.index(of: Timestamp(milliseconds: event.time)) else { return }
            try table.mark(installation: event.installation, user: event.user, bucket: bucket, at: event.time)
        } joining: {
            try $0.add($1)
        }
    }
}
