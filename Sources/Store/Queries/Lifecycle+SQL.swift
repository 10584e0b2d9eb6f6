import Events
import Platform

extension Asking {
    func lifecycle(_ query: LifecycleQuery) throws -> QueryAnswer<LifecycleAnswer> {
        // The first bucket is compared with the one before it.
        let range = try query.range.withBucketBefore()
        let people = try peopleInTime(range.buckets)
        var (new, returning, resurrecting, dormant) = (people.none, people.none, people.none, people.none)
        for person in people.all {
            let born = range.buckets.index(of: Timestamp(milliseconds: person.firstSeen))
            for bucket in 1..<range.buckets.count {
                let (before, now) = (person.there.contains(bucket - 1), person.there.contains(bucket))
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
    struct Person {
        var there: BucketBits
        var firstSeen: Int64
    }

    var buckets: Int
    var all: [Person]

    var none: [Int] { [Int](repeating: 0, count: buckets) }
}

extension Asking {
    /// The whole range is one period: an installation belongs to the same person in all its buckets.
    func peopleInTime(_ buckets: TimeBuckets) throws -> PeopleInTime {
        let people = try peopleByKey(buckets)
        return PeopleInTime(buckets: buckets.count, all: Array(people.values))
    }

    func peopleByKey(_ buckets: TimeBuckets) throws -> [UInt64: PeopleInTime.Person] {
        let (table, identity): (PresenceTable, Identity)
        if buckets.isOfQuarters {
            table = try presence(buckets)
            identity = try self.identity(in: table, from: buckets.from, to: buckets.to)
        } else {
            table = try presenceFromEvents(buckets)
            identity = try self.identity(from: buckets.from, to: buckets.to)
        }
        let known = try firstSeen()
        var first: [UInt64: Int64] = [:]
        for pair in table.pairs {
            let person = identity.person(user: pair.user, installation: pair.installation)
            let key = pair.user != 0 ? pair.user : pair.installation
            first[person] = min(first[person] ?? .max, known[key] ?? .max)
        }
        return table.people(identity).reduce(into: [:]) { people, entry in
            people[entry.key] = .init(there: entry.value, firstSeen: first[entry.key] ?? .max)
        }
    }

    /// For edges between the quarter-hours, such as those of zones before there were time zones.
    private func presenceFromEvents(_ buckets: TimeBuckets) throws -> PresenceTable {
        var table = PresenceTable(buckets: buckets.count)
        for part in try scan(
            EventScan(buckets), into: table,
            { table, event in
                guard event.user != 0 || event.installation != 0, let bucket = buckets.index(of: Timestamp(milliseconds: event.time)) else { return }
                table.mark(.init(installation: event.installation, user: event.user), bucket: bucket, at: event.time)
            })
        {
            table.add(part)
        }
        return table
    }
}
