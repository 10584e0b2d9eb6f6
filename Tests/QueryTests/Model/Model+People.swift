// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

extension Model {
    /// DAU covers a day, WAU and MAU the 7 and 30 days that end with it.
    func activeUsers(_ query: ActiveUsersQuery) -> ActiveUsersResult {
        let range = query.range
        let points = zip(range.buckets.edges, range.buckets.edges.dropFirst()).map { edge, end in
            ActiveUsersResult.Point(
                t: Moment(edge), dau: people(from: edge, to: end), wau: people(from: range.zone.start(daysBefore: 6, edge), to: end),
                mau: people(from: range.zone.start(daysBefore: 29, edge), to: end))
        }
        return ActiveUsersResult(points: points, total: people(from: range.from, to: range.to))
    }

    func lifecycle(_ query: LifecycleQuery) throws -> LifecycleResult {
        let buckets = try query.range.withBucketBefore().buckets
        let there = presence(presence(from: buckets.from, to: buckets.to), buckets)
        let first = firstTimes(buckets)
        var points = buckets.edges.dropLast().map { LifecycleResult.Point(t: Moment($0), new: 0, returning: 0, resurrecting: 0, dormant: 0) }
        for (person, present) in there {
            for bucket in 1..<buckets.count {
                let (now, before) = (present.contains(bucket), present.contains(bucket - 1))
                if now, first[person].flatMap(buckets.index) == bucket {
                    points[bucket].new += 1
                } else if now {
                    if before { points[bucket].returning += 1 } else { points[bucket].resurrecting += 1 }
                } else if before {
                    points[bucket].dormant += 1
                }
            }
        }
        return LifecycleResult(points: Array(points.dropFirst()))
    }

    func retention(_ query: RetentionQuery) throws -> RetentionResult {
        let buckets = try query.range.extended(by: query.periods - 1).buckets
        let owners = owners(buckets)
        let back = asked(query.returning, query, before: nil, buckets, owners)
        let starts = starts(query, buckets, owners)
        let cohorts = (0..<query.range.buckets.count).map { cohort in
            let members = starts.filter { $0.value.contains(cohort) }.map(\.key)
            let cells = (0..<query.periods).filter { buckets.edges[cohort + $0] < query.range.now }.map { period in
                let people = members.count { back[$0]?.contains(cohort + period) ?? false }
                var cell = RetentionResult.Cell(
                    period: period, people: people, of: members.count, complete: buckets.edges[cohort + period + 1] <= query.range.now)
                cell.share = share(people, of: members.count)
                return cell
            }
            return RetentionResult.Cohort(t: Moment(buckets.edges[cohort]), size: members.count, cells: cells)
        }
        return RetentionResult(cohorts: cohorts)
    }

    /// Returns the periods in which each person enters a cohort.
    private func starts(_ query: RetentionQuery, _ buckets: TimeBuckets, _ owners: Owners) -> [Person: Set<Int>] {
        guard let event = query.start else {
            // A new person enters in the period of the first activity, if an event in it matches the filters.
            let there = asked(nil, query, before: nil, buckets, owners)
            return firstTimes(buckets).compactMapValues { buckets.index(of: $0) }.filter {
                query.filters.isEmpty || there[$0.key]?.contains($0.value) == true
            }
            .mapValues { [$0] }
        }
        let did = asked(event, query, before: nil, buckets, owners)
        if query.cohort == .recurring { return did }
        let earlier = asked(event, query, before: buckets.from, buckets, owners)
        return did.filter { earlier[$0.key] == nil }.compactMapValues { $0.min().map { [$0] } }
    }

    /// Returns the periods in which each person matched. With `before`, only people who matched earlier are returned, without periods.
    private func asked(
        _ event: String?, _ query: RetentionQuery, before end: Timestamp?, _ buckets: TimeBuckets, _ owners: Owners
    ) -> [Person: Set<Int>] {
        let found = end.map { end in events.filter { $0.time < end } } ?? events(from: buckets.from, to: buckets.to)
        if event == nil, query.filters.isEmpty, end == nil { return presence(presence(from: buckets.from, to: buckets.to), buckets) }
        return presence(found.filter { passes($0, names: event.map { [$0] }, query.filters, owners) }, buckets)
    }

    private func presence(_ found: [LoggedEvent], _ buckets: TimeBuckets) -> [Person: Set<Int>] {
        let owners = owners(buckets)
        var there: [Person: Set<Int>] = [:]
        for event in found {
            guard let person = owners.person(of: event) else { continue }
            there[person, default: []].formUnion([buckets.index(of: event.time)].compactMap(\.self))
        }
        return there
    }
}

extension ZoneOffsets {
    /// Returns the midnight `days` days before another one. A day skipped by the zone does not count.
    fileprivate func start(daysBefore days: Int, _ midnight: Timestamp) -> Timestamp {
        (0..<days).reduce(midnight) { midnight, _ in moment(ofLocal: Day(of: local(midnight - .init(milliseconds: 1))).start) }
    }
}
