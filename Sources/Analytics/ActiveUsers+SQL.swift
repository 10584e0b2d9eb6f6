// SPDX-License-Identifier: Apache-2.0

package import Events
import Platform

extension QueryContext {
    package func activeUsers(_ query: ActiveUsersQuery) throws -> RangedResult<ActiveUsersResult> {
        let range = query.range
        let days = range.buckets.count
        // The window of the first day begins 29 days before it. One more day is read, because a time zone may have skipped one.
        let longer = try QueryRange(
            from: range.zone.moment(ofLocal: range.zone.local(range.from) - .days(30)), to: range.to, interval: .day, zone: range.zone,
            now: range.now
        ).buckets
        let windows = [1, 7, 30]
        func period(_ day: Int, _ window: Int) -> TimeBuckets {
            let last = longer.count - days + day
            return TimeBuckets(edges: [longer.edges[last + 1 - window], longer.edges[last + 1]])
        }
        let periods = windows.flatMap { window in (0..<days).map { period($0, window) } } + [range.whole]
        let counts = try peopleCounts(periods, within: longer, now: range.now)
        let points = (0..<days).map { day in
            ActiveUsersResult.Point(t: Moment(range.buckets.edges[day]), dau: counts[day], wau: counts[days + day], mau: counts[2 * days + day])
        }
        return RangedResult(ResultRange(range, source: .rollup), ActiveUsersResult(points: points, total: counts[3 * days]))
    }
}
