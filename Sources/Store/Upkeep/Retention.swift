import Events
package import Platform
import SQLite

extension Store {
    /// What a round of retention did.
    package struct RetentionReport: Sendable, Equatable {
        package var removedDays: [Day] = []
        package var removedEvents = 0
        package var removedCrashes = 0
        /// Nothing was removed because the clock has just leapt ahead.
        package var distrustsClock = false
    }

    /// Removes what has been kept long enough: whole files where every app's time has passed, rows in small chunks where only some
    /// apps' has. A file's roll-ups go to the history first.
    package func retain() async throws -> RetentionReport {
        defer { closed.lookAgain() }
        try await messages.forgetDeletedApps()
        try await crashes.forgetDeletedApps()
        try await turn()
        var report = RetentionReport()
        guard clockWatch.isBelieved else {
            report.distrustsClock = true
            return report
        }
        let today = Day(of: clock.now())
        let apps = directory.now.apps.values
        report.removedCrashes = try await crashes.retain(Array(apps))
        let longest = apps.map(\.settings.retentionDays).max() ?? 0
        for day in try closed.days() where day < today {
            let age = Int(today.number) - Int(try await lastDayOfReceipt(in: day, until: today).number)
            if age > longest {
                try await drop(day)
                report.removedDays.append(day)
            } else {
                let kept = apps.filter { $0.settings.retentionDays >= age }.map(\.id)
                report.removedEvents += try await thin(day, keeping: kept)
            }
        }
        return report
    }

    /// The history is durable before the file goes; a kill in between leaves the file, and the next round copies the same again.
    private func drop(_ day: Day) async throws {
        for app in try await apps(in: day) { try await copyToHistory(day, of: app) }
        try await change { $0.forgottenDays.append(day) }
        try await closed.remove(day)
        let path = paths.file(of: day)
        // A connection that waits for its next question would keep the space.
        readers.pool.forget { $0 == path }
    }

    /// Deletes the rows of all apps but some, a chunk at a time so that others get at the file in between.
    private func thin(_ day: Day, keeping kept: [AppID]) async throws -> Int {
        var removed = 0
        for app in try await apps(in: day) where !kept.contains(app) {
            try await copyToHistory(day, of: app)
            var last: Int64 = 0
            while let chunk = try await closed.write(to: day, { [last] in try $0.deleteChunk(of: app, after: last) }), chunk.count > 0 {
                removed += chunk.count
                last = chunk.last
            }
            try await closed.write(to: day) { try $0.deleteCounts(of: app) }
        }
        return removed
    }

    /// Where the clock was not believed at once a day's file has days behind it too; what it then told of days to come is not asked.
    private func lastDayOfReceipt(in day: Day, until today: Day) async throws -> Day {
        // A day that was named by a clock nobody had set lasted until the clock was set.
        if day.start < ClockTrust.earliest { return try closed.days().first { $0.start >= ClockTrust.earliest } ?? today }
        let newest = "SELECT received FROM events ORDER BY seq DESC LIMIT 1"
        let received = try await readers.read { session in
            try session.day(day)?.statement(newest).first { Day(of: Timestamp(milliseconds: $0.integer(0))) }
        }
        return received.map { day < $0 && $0 <= today ? $0 : day } ?? day
    }

    private func apps(in day: Day) async throws -> [AppID] {
        try await readers.read { try $0.day(day)?.apps() ?? [] }
    }

    /// Copies an app's counts of a day to the history; done twice it changes nothing, for each row names the day it came from. Those
    /// of an app that was deleted are not kept.
    private func copyToHistory(_ day: Day, of app: AppID) async throws {
        guard let known = directory.now.apps[app], let rows = try await closed.write(to: day, { try $0.history(of: app) }) else { return }
        try await keepPeopleCounts(of: known, on: rows.filter { $0.grain == Grain.day.rawValue }.map(\.bucket))
        try await change { context in
            let insert = try context.main.statement(
                "INSERT OR REPLACE INTO history (app, metric, grain, bucket, word, count, amount, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            for row in rows { try insert.run(row.values(app, day)) }
        }
    }
}

extension Store {
    /// Different people cannot be counted from counts: those of each day, week and month that some UTC days are part of are kept as
    /// numbers, in the app's own zone.
    private func keepPeopleCounts(of app: App, on days: [Int64]) async throws {
        guard let first = days.min(), let last = days.max(), let zone = ZoneOffsets(app.settings.timeZone) else { return }
        let (chunk, now) = (Int64(200), clock.now())
        for start in stride(from: first - 1, through: last + 31, by: Int(chunk)) {
            let from = Timestamp(milliseconds: start * Day.milliseconds)
            let range = try QueryRange(from: from, to: from + .days(min(chunk, last + 32 - start)), interval: .day, zone: zone, now: now)
            _ = try await answer(.activeUsers(ActiveUsersQuery(range: range)), app.id)
        }
        try await savePeopleCounts()
    }
}

/// A count as it is kept after its day's file is gone.
private struct HistoryRow: Sendable {
    var metric: Int64
    var grain: Int64
    var bucket: Int64
    var word: String
    var count: Int64
    var amount: Int64

    func values(_ app: AppID, _ day: Day) -> [Value] {
        [
            .integer(app.rawValue), .integer(metric), .integer(grain), .integer(bucket), .text(word), .integer(count), .integer(amount),
            .integer(Int64(day.number)),
        ]
    }
}

extension Connection {
    /// Every app that has something in this file.
    fileprivate func apps() throws -> [AppID] {
        try statement("SELECT app FROM rollups UNION SELECT app FROM quarantine_counts").all { AppID(rawValue: $0.integer(0)) }
    }

    fileprivate func history(of app: AppID) throws -> [HistoryRow] {
        try statement(
            """
            SELECT r.metric, CASE r.grain WHEN 1 THEN 4 ELSE r.grain END, CASE r.grain WHEN 1 THEN r.bucket / 15 ELSE r.bucket END,
                   ifnull(w.text, CAST(r.word AS TEXT)), sum(r.count), sum(r.amount)
            FROM rollups r LEFT JOIN words w ON w.id = r.word AND r.metric IN (1, 2)
            WHERE r.app = ? AND r.grain IN (1, 3) GROUP BY 1, 2, 3, 4
            """
        ).all(.integer(app.rawValue)) { row in
            HistoryRow(
                metric: row.integer(0), grain: row.integer(1), bucket: row.integer(2), word: row.text(3), count: row.integer(4),
                amount: row.integer(5))
        }
    }

    /// Removes up to some thousand events of an app, in the order of their numbers so that each page is met once.
    fileprivate func deleteChunk(of app: AppID, after seq: Int64) throws -> (count: Int, last: Int64) {
        let find = "SELECT seq FROM events NOT INDEXED WHERE app = ? AND seq > ? ORDER BY seq LIMIT 5000"
        let seqs = try statement(find).all(.integer(app.rawValue), .integer(seq)) { $0.integer(0) }
        for seq in seqs {
            for table in ["events", "details", "purchases"] {
                try statement("DELETE FROM \(table) WHERE seq = ?").run(.integer(seq))
            }
        }
        return (seqs.count, seqs.last ?? seq)
    }

    /// Removes what else an app has in this file.
    fileprivate func deleteCounts(of app: AppID) throws {
        for table in ["rollups", "actives", "presence", "quarantine", "quarantine_counts", "ids"] {
            try statement("DELETE FROM \(table) WHERE app = ?").run(.integer(app.rawValue))
        }
    }
}
