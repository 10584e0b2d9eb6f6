// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
import Platform

extension QueryContext {
    package func retention(_ query: RetentionQuery) throws -> RangedResult<RetentionResult> {
        let cohorts = query.range.buckets.count
        // The periods of the last cohort extend beyond the range.
        let buckets = try query.range.extended(by: query.periods - 1).buckets
        let counts = try counts(query, buckets, cohorts)
        let (sizes, periods) = (counts.prefix(cohorts), query.periods)
        let cells = (0..<cohorts).map { cohort in Array(counts[(cohorts + cohort * periods)..<(cohorts + (cohort + 1) * periods)]) }
        let now = query.range.now
        let result = RetentionResult(
            cohorts: (0..<cohorts).map { cohort in
                let shown = (0..<query.periods).filter { buckets.edges[cohort + $0] < now }
                return .init(
                    t: Moment(buckets.edges[cohort]), size: sizes[cohort],
                    cells: shown.map { period in
                        .init(period: period, people: cells[cohort][period], of: sizes[cohort], complete: buckets.edges[cohort + period + 1] <= now)
                    })
            })
        let fromRows = query.start != nil || query.returning != nil || !query.filters.isEmpty
        return RangedResult(ResultRange(query.range, source: fromRows ? .raw : .rollup), result)
    }

    /// Returns the sizes of the cohorts, then the people of each cohort in each period.
    private func counts(_ query: RetentionQuery, _ buckets: TimeBuckets, _ cohorts: Int) throws -> [Int] {
        if query.start == nil && query.returning == nil && query.filters.isEmpty {
            return try figures(.retention(periods: query.periods), buckets) {
                let found = try sums(of: .cohorts(cohorts, periods: query.periods), buckets)
                return (found.sums, found.people)
            }
        }
        let (starts, returns) = try startsAndReturns(query, buckets)
        var counts = [Int](repeating: 0, count: cohorts * (1 + query.periods))
        for (place, person) in starts.keys.enumerated() {
            let back = returns.known(person)
            starts.each(at: place) { start in
                guard start < cohorts else { return }
                counts[start] += 1
                guard let back else { return }
                for period in 0..<query.periods where returns.contains(at: back, start + period) {
                    counts[cohorts + start * query.periods + period] += 1
                }
            }
        }
        return counts
    }

    /// Returns the buckets in which each person started, and those in which each returned.
    private func startsAndReturns(_ query: RetentionQuery, _ buckets: TimeBuckets) throws -> (starts: BitLines, returns: BitLines) {
        let people = try peopleAndOwners(buckets, askedBeyond: query.start != nil)
        let table = people.table
        let identity = identity(people.owners, in: table, askedBeyond: query.start != nil)
        func there(_ event: String?) throws -> BitLines {
            if event == nil && query.filters.isEmpty { return PeopleLines(table, people.owners).byKey(table.people) }
            return try doing(event, query.filters, buckets, identity)
        }
        let returns = try there(query.returning)
        guard let start = query.start else { return (try firstBuckets(buckets, among: query.filters.isEmpty ? nil : there(nil)), returns) }
        var starts = start == query.returning ? returns : try there(start)
        if query.cohort == .firstTime {
            for place in starts.keys.indices { starts.keepFirst(at: place) }
            let before = try earlier(start, query.filters, before: buckets.from, identity)
            for person in before.keys { if let place = starts.known(person) { starts.clear(at: place) } }
        }
        return (starts, returns)
    }

    /// Returns the bucket in which each person was first seen.
    ///
    /// - Parameter wanted: Buckets in which people match the filters; others do not count. Nil without filters.
    private func firstBuckets(_ buckets: TimeBuckets, among wanted: BitLines?) throws -> BitLines {
        let people = try peopleInTime(buckets)
        var firstBuckets = BitLines(buckets: buckets.count)
        for line in 0..<people.lines.count where !people.lines.isEmpty(at: line) {
            guard let bucket = people.firstBucket(of: line) else { continue }
            let person = people.key(of: line)
            if let wanted, wanted.known(person).map({ wanted.contains(at: $0, bucket) }) != true { continue }
            firstBuckets.mark(person, bucket)
        }
        return firstBuckets
    }

    /// Returns the buckets in which each person did something. Without an event, any event counts.
    private func doing(_ event: String?, _ filters: [Filter], _ buckets: TimeBuckets, _ identity: Identity) throws -> BitLines {
        var scan = EventScan(buckets, names: event.map { [$0] }, filters: filters)
        scan.identity = identity
        return try self.scan(scan, into: BitLines(buckets: buckets.count)) { people, batch in
            for row in batch.rows {
                let person = identity.person(user: batch.users[row], installation: batch.installations[row])
                guard person != 0, let bucket = buckets.index(of: Timestamp(milliseconds: batch.times[row])) else { continue }
                people.mark(person, bucket)
            }
        } joining: {
            $0.add($1)
        }
    }

    /// Returns the people with an event before the range, as far back as events are kept.
    private func earlier(_ event: String, _ filters: [Filter], before end: Timestamp, _ identity: Identity) throws -> BitLines {
        let start = Day(of: end - .days(10_000)).start
        return try doing(event, filters, TimeBuckets(edges: [start, end]), identity)
    }
}
