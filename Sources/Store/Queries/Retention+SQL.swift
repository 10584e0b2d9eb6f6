import Events
import Platform

extension Asking {
    func retention(_ query: RetentionQuery) throws -> QueryAnswer<RetentionAnswer> {
        let cohorts = query.range.buckets.count
        // The last cohort's periods lie behind the range.
        let buckets = try query.range.extended(by: query.periods - 1).buckets
        let people = try comingsAndGoings(query, buckets)
        var sizes = [Int](repeating: 0, count: cohorts)
        var cells = [[Int]](repeating: [Int](repeating: 0, count: query.periods), count: cohorts)
        for person in people {
            for start in person.starts where start < cohorts {
                sizes[start] += 1
                for period in 0..<query.periods where person.returns.contains(start + period) { cells[start][period] += 1 }
            }
        }
        let now = query.range.now
        let answer = RetentionAnswer(
            cohorts: (0..<cohorts).map { cohort in
                let shown = (0..<query.periods).filter { buckets.edges[cohort + $0] < now }
                return .init(
                    t: Moment(buckets.edges[cohort]), size: sizes[cohort],
                    cells: shown.map { period in
                        .init(period: period, people: cells[cohort][period], of: sizes[cohort], complete: buckets.edges[cohort + period + 1] <= now)
                    })
            })
        let fromRows = query.start != nil || query.returning != nil || !query.filters.isEmpty
        return QueryAnswer(AnswerRange(query.range, source: fromRows ? .raw : .rollup), answer)
    }

    private struct Coming {
        /// The buckets whose cohorts a person belongs to.
        var starts: [Int]
        var returns: BucketBits
    }

    private func comingsAndGoings(_ query: RetentionQuery, _ buckets: TimeBuckets) throws -> [Coming] {
        let identity = try identity(from: buckets.from, to: buckets.to, askedBeyond: query.start != nil)
        let returns = try there(query.returning, query.filters, buckets, identity)
        if let start = query.start {
            var starts = try there(start, query.filters, buckets, identity)
            if query.cohort == .firstTime {
                for (person, bits) in starts { starts[person] = bits.firstOnly }
                for person in try earlier(start, query.filters, before: buckets.from, identity) { starts[person] = nil }
            }
            return starts.map { Coming(starts: $0.value.buckets, returns: returns[$0.key] ?? BucketBits(buckets: buckets.count)) }
        }
        // There is only one first time, whether or not it is asked for again.
        let filtered = try query.filters.isEmpty ? [:] : there(nil, query.filters, buckets, identity)
        return try peopleByKey(buckets).compactMap { key, person in
            guard let born = buckets.index(of: Timestamp(milliseconds: person.firstSeen)),
                query.filters.isEmpty || filtered[key]?.contains(born) == true
            else { return nil }
            return Coming(starts: [born], returns: returns[key] ?? BucketBits(buckets: buckets.count))
        }
    }

    /// In which buckets each person did something; nil stands for anything.
    private func there(_ event: String?, _ filters: [Filter], _ buckets: TimeBuckets, _ identity: Identity) throws -> [UInt64: BucketBits] {
        if event == nil && filters.isEmpty { return try peopleByKey(buckets).mapValues(\.there) }
        let scan = EventScan(buckets, names: event.map { [$0] }, filters: filters)
        let parts = try self.scan(scan, into: [UInt64: BucketBits]()) { people, event in
            let person = identity.person(user: event.user, installation: event.installation)
            guard person != 0, let bucket = buckets.index(of: Timestamp(milliseconds: event.time)) else { return }
            people[person, default: BucketBits(buckets: buckets.count)].insert(bucket)
        }
        var people: [UInt64: BucketBits] = [:]
        for part in parts { people.merge(part) { $0.union($1) } }
        return people
    }

    /// Who did something before the range, as far back as events are kept.
    private func earlier(_ event: String, _ filters: [Filter], before end: Timestamp, _ identity: Identity) throws -> Set<UInt64> {
        let start = try session.days().first.map { $0.start - .days(3_650) } ?? end
        guard start < end else { return [] }
        var scan = EventScan(TimeBuckets(edges: [start, end]), names: [event], filters: filters)
        scan.identity = identity
        let parts = try self.scan(scan, into: Set<UInt64>()) { people, event in
            people.insert(identity.person(user: event.user, installation: event.installation))
        }
        return parts.reduce(into: []) { $0.formUnion($1) }
    }
}

extension BucketBits {
    fileprivate var buckets: [Int] {
        var all: [Int] = []
        each { all.append($0) }
        return all
    }

    fileprivate var firstOnly: BucketBits {
        var first = BucketBits(like: self)
        if let bucket = buckets.first { first.insert(bucket) }
        return first
    }

    fileprivate func union(_ other: BucketBits) -> BucketBits {
        var all = self
        all.add(other)
        return all
    }
}
