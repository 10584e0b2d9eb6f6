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
        let since = Timestamp(milliseconds: buckets.from.milliseconds.flooredQuotient(by: QuarterHour.milliseconds) * QuarterHour.milliseconds)
        let until = Timestamp(
            milliseconds: ((buckets.to.milliseconds - 1).flooredQuotient(by: QuarterHour.milliseconds) + 1) * QuarterHour.milliseconds)
        let topEvents = top(events.counts, query.limit)
        let result = RealtimeResult(
            events: counts.reduce(0, +), users: try presence(TimeBuckets(edges: [since, until])).total, usersSince: Moment(since),
            points: zip(buckets.edges, counts).map { SeriesResult.Point($0, .count($1)) }, topEvents: topEvents,
            topScreens: top(screens.lines, query.limit))
        return RangedResult(ResultRange(query.range, source: screens.source), result)
    }

    private func top(_ lines: [ExactText: SparseLine], _ limit: Int) -> [RealtimeResult.Item] {
        lines.map { (name: $0.key, count: $0.value.total) }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
            .prefix(limit).map { RealtimeResult.Item(name: $0.name.text, count: $0.count) }
    }
}
