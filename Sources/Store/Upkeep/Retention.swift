package import Platform
import SQLite

extension Store {
    /// What a round of retention did.
    package struct RetentionReport: Sendable, Equatable {
        package var removedDays: [Day] = []
        package var removedEvents = 0
    }

    /// Removes what has been kept long enough: whole files where every app's time has passed, rows in small chunks where only some
    /// apps' has. A file's roll-ups go to the history first.
    package func retain() async throws -> RetentionReport {
        var report = RetentionReport()
        let today = Day(of: clock.now())
        let apps = directory.now.apps.values
        let longest = apps.map(\.settings.retentionDays).max() ?? 0
        for day in try await readers.read({ try $0.days() }) where day < today {
            let age = Int(today.number) - Int(day.number)
            if age > longest {
                if try await drop(day) { report.removedDays.append(day) }
                continue
            }
            let kept = apps.filter { $0.settings.retentionDays >= age }.map(\.id)
            report.removedEvents += try await thin(day, keeping: kept)
        }
        return report
    }

    /// False for the file that is still written to: nothing came since that day, and the next event turns to a new one.
    private func drop(_ day: Day) async throws -> Bool {
        let paths = paths
        let isOver = try await change { context in
            guard day != context.currentDay else { return false }
            try context.copyToHistory(day)
            context.forgottenDays.append(day)
            return true
        }
        if !isOver { return false }
        // The history is durable before the file goes; a kill in between leaves the file, and the next round copies the same again.
        for name in try Folder.names(in: paths.events) where name.hasPrefix(day.text) {
            try Folder.remove(paths.events + "/" + name)
        }
        try Folder.sync(paths.events)
        return true
    }

    /// Deletes the rows of all apps but some, a chunk at a time so that ingest goes on in between.
    private func thin(_ day: Day, keeping apps: [AppID]) async throws -> Int {
        let others = try await readers.read { session in
            try session.day(day)?.appsWithEvents().filter { !apps.contains($0) } ?? []
        }
        var removed = 0
        for app in others {
            try await change { try $0.copyToHistory(day, only: app) }
            while true {
                let chunk = try await change { try $0.write(to: day) { try $0.deleteChunk(of: app) } ?? 0 }
                removed += chunk
                if chunk == 0 { break }
            }
        }
        return removed
    }
}

extension Connection {
    fileprivate func appsWithEvents() throws -> [AppID] {
        try statement("SELECT DISTINCT app FROM rollups").all { AppID(rawValue: $0.integer(0)) }
    }

    /// Removes up to some thousand events of an app with what belongs to them; the last chunk also its counts.
    fileprivate func deleteChunk(of app: AppID) throws -> Int {
        let seqs = try statement("SELECT seq FROM events WHERE app = ? LIMIT 5000").all(.integer(app.rawValue)) { $0.integer(0) }
        for seq in seqs {
            for table in ["events", "details", "purchases"] {
                try statement("DELETE FROM \(table) WHERE seq = ?").run(.integer(seq))
            }
        }
        if seqs.isEmpty {
            for table in ["rollups", "actives", "presence", "quarantine", "quarantine_counts", "ids"] {
                try statement("DELETE FROM \(table) WHERE app = ?").run(.integer(app.rawValue))
            }
        }
        return seqs.count
    }
}

extension ChangeContext {
    /// Copies a day's roll-ups to the history; done twice it changes nothing, for each row names the day it came from.
    fileprivate func copyToHistory(_ day: Day, only app: AppID? = nil) throws {
        let rows = try write(to: day) { file in
            try file.statement(
                """
                SELECT r.app, r.metric, CASE r.grain WHEN 1 THEN 4 ELSE r.grain END, CASE r.grain WHEN 1 THEN r.bucket / 15 ELSE r.bucket END,
                       ifnull(w.text, CAST(r.word AS TEXT)), sum(r.count), sum(r.amount)
                FROM rollups r LEFT JOIN words w ON w.id = r.word AND r.metric IN (1, 2)
                WHERE r.grain IN (1, 3) AND (?1 IS NULL OR r.app = ?1) GROUP BY 1, 2, 3, 4, 5
                """
            ).all(.integer(app?.rawValue)) { row in
                [
                    Value.integer(row.integer(0)), .integer(row.integer(1)), .integer(row.integer(2)), .integer(row.integer(3)), .text(row.text(4)),
                    .integer(row.integer(5)), .integer(row.integer(6)),
                ]
            }
        }
        let insert = try main.statement(
            "INSERT OR REPLACE INTO history (app, metric, grain, bucket, word, count, amount, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for row in rows ?? [] {
            try insert.run(row + [.integer(Int64(day.number))])
        }
    }
}
