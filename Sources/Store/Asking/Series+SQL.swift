package import Events
package import Platform
import SQLite

extension Store {
    /// Counts events per bucket from roll-ups; of one name, or of all.
    package func eventSeries(app: AppID, event: String?, buckets: TimeBuckets) async throws -> [Int64] {
        let key = event.map { hash(.name, app: app, Array($0.utf8).span) }
        return try await readers.read { session in
            var series = RollupSeries(app: app, buckets: buckets)
            let main = try session.main()
            // The history is asked twice and must not grow in between.
            try main.execute("BEGIN")
            for day in try session.days() {
                guard let file = try session.day(day), try !main.hasHistory(of: app, from: file, day) else { continue }
                try series.add(file, key: key)
            }
            try series.addHistory(main, event: event)
            return series.counts
        }
    }
}

/// Sums of one metric per bucket: each stretch of time is read in the coarsest grain that lies wholly inside one bucket.
private struct RollupSeries {
    let app: AppID
    let buckets: TimeBuckets
    var counts: [Int64]

    init(app: AppID, buckets: TimeBuckets) {
        self.app = app
        self.buckets = buckets
        counts = [Int64](repeating: 0, count: buckets.count)
    }

    mutating func add(_ file: Connection, key: UInt64?) throws {
        var word: Int64?
        if let key {
            word = try file.statement("SELECT id FROM words WHERE key = ?").first(.key(key)) { $0.integer(0) }
            if word == nil { return }
        }
        let sql = """
            SELECT bucket, sum(count) FROM rollups
            WHERE app = ?1 AND metric = ?2 AND grain = ?3 AND bucket >= ?4 AND bucket < ?5 AND (?6 IS NULL OR word = ?6) GROUP BY bucket
            """
        let app = app.rawValue
        try add(.day, finer: [.hour, .minute], from: buckets.from, to: buckets.to) { grain, from, to, row in
            try file.statement(sql).each(
                [.integer(app), .integer(RollupMetric.events.rawValue), .integer(grain.rawValue), .integer(from), .integer(to), .integer(word)],
                row: row)
        }
    }

    mutating func addHistory(_ main: Connection, event: String?) throws {
        let sql = """
            SELECT bucket, sum(count) FROM history
            WHERE app = ?1 AND metric = ?2 AND grain = ?3 AND bucket >= ?4 AND bucket < ?5 AND (?6 IS NULL OR word = ?6) GROUP BY bucket
            """
        let app = app.rawValue
        try add(.day, finer: [.quarter], from: buckets.from, to: buckets.to) { grain, from, to, row in
            try main.statement(sql).each(
                [.integer(app), .integer(RollupMetric.events.rawValue), .integer(grain.rawValue), .integer(from), .integer(to), .text(event)],
                row: row)
        }
    }

    private typealias Fetch = (Grain, Int64, Int64, (Row) throws -> Void) throws -> Void

    private mutating func add(_ grain: Grain, finer: [Grain], from: Timestamp, to: Timestamp, _ fetch: Fetch) throws {
        let unit = grain.milliseconds
        let first = from.milliseconds.flooredQuotient(by: unit)
        let last = (to.milliseconds - 1).flooredQuotient(by: unit)
        var torn: [Int64] = []
        var found: [(Int, Int64)] = []
        try fetch(grain, first, last + 1) { row in
            let start = row.integer(0) * unit
            let bucket = buckets.index(of: Timestamp(milliseconds: start))
            if let bucket, bucket == buckets.index(of: Timestamp(milliseconds: start + unit - 1)) {
                found.append((bucket, row.integer(1)))
            } else {
                torn.append(start)
            }
        }
        for (bucket, count) in found { counts[bucket] += count }
        guard let next = finer.first else { return }
        for start in torn {
            let from = max(from, Timestamp(milliseconds: start))
            let to = min(to, Timestamp(milliseconds: start + unit))
            try add(next, finer: Array(finer.dropFirst()), from: from, to: to, fetch)
        }
    }
}

extension Connection {
    /// Whether an app's counts of a file are in the history already: retention writes them before it takes the rows, and a kill may
    /// come in between. It writes all or nothing, so one of them tells of all.
    fileprivate func hasHistory(of app: AppID, from file: Connection, _ day: Day) throws -> Bool {
        let sample = try file.statement(
            "SELECT r.bucket, w.text FROM rollups r JOIN words w ON w.id = r.word WHERE r.app = ? AND r.metric = ? AND r.grain = ? LIMIT 1"
        ).first(.integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.day.rawValue)) { ($0.integer(0), $0.text(1)) }
        guard let (bucket, name) = sample else { return false }
        return try statement("SELECT 1 FROM history WHERE app = ? AND metric = ? AND grain = ? AND bucket = ? AND word = ? AND source = ?").first(
            .integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.day.rawValue), .integer(bucket), .text(name),
            .integer(Int64(day.number))
        ) { _ in true } ?? false
    }
}
