// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
import Platform

extension QueryContext {
    package func realtime(_ query: RealtimeQuery) throws -> RangedResult<RealtimeResult> {
        let buckets = query.range.buckets
        let events = try rollups(.events, buckets, byWord: true)
        let screens = try screens(buckets)
        let counts = events.all.map(\.count)
        let (users, since) = try people(buckets)
        let topEvents = top(events.counts, query.limit)
        let result = RealtimeResult(
            events: counts.reduce(0, +), users: users, usersSince: Moment(since),
            points: zip(buckets.edges, counts).map { SeriesResult.Point($0, .count($1)) }, topEvents: topEvents,
            topScreens: top(screens.lines, query.limit))
        return RangedResult(ResultRange(query.range, source: screens.source), result)
    }

    /// Returns the number of people and the time from which they are counted: the start of the thirty minutes, or of their quarter-hour while
    /// the writer does not know all of them.
    private func people(_ buckets: TimeBuckets) throws -> (count: Int, since: Timestamp) {
        if let count = recent.count(app: app, from: buckets.from, to: buckets.to) { return (count, buckets.from) }
        let quarter = QuarterHour.milliseconds
        let since = Timestamp(milliseconds: buckets.from.milliseconds.flooredQuotient(by: quarter) * quarter)
        let until = Timestamp(milliseconds: ((buckets.to.milliseconds - 1).flooredQuotient(by: quarter) + 1) * quarter)
        return (try presence(TimeBuckets(edges: [since, until])).total, since)
    }

    private func top(_ lines: [ExactText: SparseLine], _ limit: Int) -> [RealtimeResult.Item] {
        lines.map { (name: $0.key, count: $0.value.total) }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
            .prefix(limit).map { RealtimeResult.Item(name: $0.name.text, count: $0.count) }
    }
}
