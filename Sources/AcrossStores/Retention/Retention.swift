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
    /// Runs a round of data retention.
    ///
    /// The unit is the file of a day, which holds all apps. Its age counts from the last day on which it received events. Per file, the
    /// apps whose `retentionDays` have passed are due: first their counts are copied to the history in the main file, then their rows are
    /// deleted. The whole file is removed once no app keeps events that long:
    ///
    ///     the file of 20 October; app A keeps 30 days, app B keeps 90
    ///     age 30    nothing
    ///     age 31    A is due: its counts to the history, its rows deleted in chunks
    ///     age 91    B is due too: its counts to the history, the file removed
    ///
    /// Counts are durable before their rows are deleted, and copying twice changes nothing, so an interrupted round is completed by the
    /// next. A failure is reported and does not stop the round for other days and apps. Data is not deleted by age while `ClockWatch`
    /// distrusts the clock. Data of deleted apps is removed from today's file too.
    package func retain() async throws -> RetentionReport {
        defer { events.sealedDays.lookAgain() }
        try await events.forgetDeletedApps()
        for store in companions { try await store.forgetDeletedApps() }
        try await events.turn()
        var report = RetentionReport()
        try await removeDeletedAppsFromToday(&report)
        guard clockWatch.isBelieved else {
            report.distrustsClock = true
            return report
        }
        let today = Day(of: clock.now())
        let apps = Array(events.directory.now.apps.values)
        for store in companions {
            let count = try await store.retain(apps)
            if count > 0 { report.removedRows[type(of: store).fileName] = count }
        }
        for day in try events.sealedDays.days() where day < today {
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
        try await events.sealedDays.remove(day)
        let path = paths.file(of: day)
        // An idle pooled connection would keep the file's disk space.
        readers.pool.forget { $0 == path }
    }

    private func thin(_ day: Day, of apps: [AppID], _ report: inout RetentionReport) async throws {
        for app in apps {
            if let reason = try await failure(of: { report.removedEvents += try await removeRows(of: app, from: day) }) {
                report.failures.append(.init(day: day, app: app, reason: reason))
            }
        }
    }

    /// Deletes an app's rows in chunks, so that other work on the file is served in between.
    private func removeRows(of app: AppID, from day: Day) async throws -> Int {
        var (removed, last) = (0, Int64(0))
        while let rows = try await events.sealedDays.write(to: day, { [last] in try $0.deleteEvents(of: app, after: last) }), let end = rows.last {
            removed += rows.count
            last = end
        }
        try await events.sealedDays.write(to: day) { try $0.deleteCounts(of: app) }
        return removed
    }

    /// Returns the reason why work failed, so that a round can go on; nil if it succeeded.
    ///
    /// Rethrows `StoreError.stopped`, after which nothing can succeed.
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
        // A day before the earliest plausible time was named by an unset clock. It lasted until the clock was set.
        if day.start < ClockTrust.earliest { return try events.sealedDays.days().first { $0.start >= ClockTrust.earliest } ?? today }
        return try await readers.read { try $0.day(day)?.lastDayOfReceipt(in: day, until: today) } ?? day
    }

    func apps(in day: Day) async throws -> [AppID] {
        try await readers.read { try $0.day(day)?.apps() ?? [] }
    }
}

extension DayDB {
    /// Returns the apps with data in this file.
    fileprivate func apps() throws -> [AppID] {
        try apps(in: ["rollups", "quarantine_counts", "actives"]).sorted().map(AppID.init(rawValue:))
    }

    /// Returns the next rows of an app, at most 5,000.
    func rows(of app: AppID, in table: String, after row: Int64) throws -> [Int64] {
        let find = "SELECT rowid FROM \(table) NOT INDEXED WHERE app = ? AND rowid > ? ORDER BY rowid LIMIT 5000"
        return try statement(find).all(.integer(app.rawValue), .integer(row)) { $0.integer(0) }
    }

    /// Deletes rows in ascending order, so that each page is visited once. Returns their number.
    ///
    /// The app is compared because another app may have reused a row number since.
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

    /// Deletes up to 5,000 of an app's rows from a table sorted by app. Returns their number.
    ///
    /// The last 5,000 rows stay, because they show that the app has data here until everything else is deleted.
    func deleteChunk(of app: AppID, from table: String, by key: String) throws -> Int {
        let chunk = "SELECT \(key) FROM \(table) WHERE app = ?1 LIMIT 5000 OFFSET 5000"
        try statement("DELETE FROM \(table) WHERE app = ?1 AND (\(key)) IN (\(chunk))").run(.integer(app.rawValue))
        return changes
    }

    /// Deletes an app's other rows in this file.
    func deleteCounts(of app: AppID) throws {
        for table in ["rollups", "actives", "presence", "quarantine", "quarantine_counts", "ids", "words", "contexts"] {
            try statement("DELETE FROM \(table) WHERE app = ?").run(.integer(app.rawValue))
        }
    }
}
