// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import CrashStore
import Database
import EventStore
import Events
import MessageStore
import Platform
import SQLite

extension Stores {
    /// Removes what has been kept long enough: whole files where every app's time has passed, rows in small chunks where only some
    /// apps' has. A file's roll-ups go to the history first. What deleted apps have goes from today's file, too. What cannot be removed holds
    /// up nothing else.
    package func retain() async throws -> RetentionReport {
        defer { events.closed.lookAgain() }
        try await events.forgetDeletedApps()
        try await messages.forgetDeletedApps()
        try await crashes.forgetDeletedApps()
        try await events.turn()
        var report = RetentionReport()
        try await removeDeletedAppsFromToday(&report)
        guard clockWatch.isBelieved else {
            report.distrustsClock = true
            return report
        }
        let today = Day(of: clock.now())
        let apps = Array(events.directory.now.apps.values)
        report.removedCrashes = try await crashes.retain(apps)
        for day in try events.closed.days() where day < today {
            if let reason = try await failure(of: { try await retain(day, until: today, apps, &report) }) {
                report.failures.append(.init(day: day, reason: reason))
            }
        }
        return report
    }

    private func retain(_ day: Day, until today: Day, _ apps: [App], _ report: inout RetentionReport) async throws {
        let age = Int(today.number) - Int(try await lastDayOfReceipt(in: day, until: today).number)
        let kept = Set(apps.filter { $0.settings.retentionDays >= age }.map(\.id))
        let due = try await self.apps(in: day).filter { !kept.contains($0) }
        let copied = try await copyToHistory(day, of: due, &report)
        if kept.isEmpty && copied == due {
            try await drop(day)
            report.removedDays.append(day)
        } else {
            try await thin(day, of: copied, &report)
        }
    }

    private func drop(_ day: Day) async throws {
        try await events.change { $0.forgottenDays.append(day) }
        try await events.closed.remove(day)
        let path = paths.file(of: day)
        // A connection that waits for its next question would keep the space.
        readers.pool.forget { $0 == path }
    }

    private func thin(_ day: Day, of apps: [AppID], _ report: inout RetentionReport) async throws {
        for app in apps {
            if let reason = try await failure(of: { report.removedEvents += try await removeRows(of: app, from: day) }) {
                report.failures.append(.init(day: day, app: app, reason: reason))
            }
        }
    }

    /// Deletes an app's rows, a chunk at a time so that others get at the file in between.
    private func removeRows(of app: AppID, from day: Day) async throws -> Int {
        var (removed, last) = (0, Int64(0))
        while let rows = try await events.closed.write(to: day, { [last] in try $0.deleteEvents(of: app, after: last) }), let end = rows.last {
            removed += rows.count
            last = end
        }
        try await events.closed.write(to: day) { try $0.deleteCounts(of: app) }
        return removed
    }

    /// Why a piece of work failed, so that the others are done all the same; nil where it did not. Once the store has stopped none can be.
    func failure(of work: () async throws -> Void) async throws -> String? {
        do {
            try await work()
            return nil
        } catch StoreError.stopped {
            throw StoreError.stopped
        } catch {
            return "\(error)"
        }
    }

    private func lastDayOfReceipt(in day: Day, until today: Day) async throws -> Day {
        // A day that was named by a clock nobody had set lasted until the clock was set.
        if day.start < ClockTrust.earliest { return try events.closed.days().first { $0.start >= ClockTrust.earliest } ?? today }
        return try await readers.read { try $0.day(day)?.lastDayOfReceipt(in: day, until: today) } ?? day
    }

    func apps(in day: Day) async throws -> [AppID] {
        try await readers.read { try $0.day(day)?.apps() ?? [] }
    }
}

extension DayDB {
    /// Every app that has something in this file.
    fileprivate func apps() throws -> [AppID] {
        try apps(in: ["rollups", "quarantine_counts", "actives"]).sorted().map(AppID.init(rawValue:))
    }

    /// The next numbers of an app's rows, some thousand of them.
    func rows(of app: AppID, in table: String, after row: Int64) throws -> [Int64] {
        let find = "SELECT rowid FROM \(table) NOT INDEXED WHERE app = ? AND rowid > ? ORDER BY rowid LIMIT 5000"
        return try statement(find).all(.integer(app.rawValue), .integer(row)) { $0.integer(0) }
    }

    /// Removes rows in the order of their numbers, so that each page is met once; answers how many there were. An id's number may have gone
    /// to another app since it was found.
    @discardableResult
    func delete(_ rows: [Int64], of app: AppID, from table: String) throws -> Int {
        let delete = try statement("DELETE FROM \(table) WHERE rowid = ? AND app = ?")
        for row in rows { try delete.run(.integer(row), .integer(app.rawValue)) }
        if table == "events" {
            for part in ["details", "purchases"] {
                let delete = try statement("DELETE FROM \(part) WHERE seq = ?")
                for row in rows { try delete.run(.integer(row)) }
            }
        }
        return rows.count
    }

    fileprivate func deleteEvents(of app: AppID, after row: Int64) throws -> [Int64] {
        let rows = try rows(of: app, in: "events", after: row)
        try delete(rows, of: app, from: "events")
        return rows
    }

    /// Removes some thousand of an app's rows from a table that is sorted by app; answers how many. As many stay, to show that the app has
    /// something here until nothing else is left.
    func deleteChunk(of app: AppID, from table: String, by key: String) throws -> Int {
        let chunk = "SELECT \(key) FROM \(table) WHERE app = ?1 LIMIT 5000 OFFSET 5000"
        try statement("DELETE FROM \(table) WHERE app = ?1 AND (\(key)) IN (\(chunk))").run(.integer(app.rawValue))
        return changes
    }

    /// Removes what else an app has in this file.
    func deleteCounts(of app: AppID) throws {
        for table in ["rollups", "actives", "presence", "quarantine", "quarantine_counts", "ids", "words", "contexts"] {
            try statement("DELETE FROM \(table) WHERE app = ?").run(.integer(app.rawValue))
        }
    }
}
