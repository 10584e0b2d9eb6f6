import Events
import Platform

extension Asking {
    func realtime(_ query: RealtimeQuery) throws -> QueryAnswer<RealtimeAnswer> {
        let buckets = query.range.buckets
        let events = try rollups(.events, buckets, byWord: true)
        let screens = try rollups(.screens, buckets, byWord: true)
        let counts = events.all.map(\.count)
        let since = Timestamp(milliseconds: buckets.from.milliseconds.flooredQuotient(by: 900_000) * 900_000)
        let until = Timestamp(milliseconds: ((buckets.to.milliseconds - 1).flooredQuotient(by: 900_000) + 1) * 900_000)
        let answer = RealtimeAnswer(
            events: counts.reduce(0, +), users: try presence(TimeBuckets(edges: [since, until])).census.total, usersSince: Moment(since),
            points: zip(buckets.edges, counts).map { SeriesAnswer.Point($0, .count($1)) }, topEvents: top(events, query.limit),
            topScreens: top(screens, query.limit))
        return QueryAnswer(AnswerRange(query.range, source: .rollup), answer)
    }

    private func top(_ sums: RollupSums, _ limit: Int) -> [RealtimeAnswer.Item] {
        sums.lines.map { RealtimeAnswer.Item(name: $0.key, count: $0.value.reduce(0) { $0 + $1.count }) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefix(limit).map(\.self)
    }
}
