import Events
import Platform

extension Asking {
    func activeUsers(_ query: ActiveUsersQuery) throws -> QueryAnswer<ActiveUsersAnswer> {
        // The first day's month begins 29 days before it; one more, for a zone may have left a day out.
        let before = 30
        let range = query.range
        let longer = try QueryRange(
            from: range.zone.moment(ofLocal: range.zone.local(range.from) - .days(Int64(before))), to: range.to, interval: .day, zone: range.zone,
            now: range.now)
        let table = try presence(longer.buckets)
        let skipped = longer.buckets.count - range.buckets.count
        let (dau, wau, mau) = (table.counts(window: 1), table.counts(window: 7), table.counts(window: 30))
        let points = range.buckets.edges.dropLast().enumerated().map { i, edge in
            ActiveUsersAnswer.Point(t: Moment(edge), dau: dau[skipped + i], wau: wau[skipped + i], mau: mau[skipped + i])
        }
        let total = try presence(range.whole).total
        return QueryAnswer(AnswerRange(range, source: .rollup), ActiveUsersAnswer(points: points, total: total))
    }
}
