// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import EventStore
import Platform
import SQLite

extension Stores {
    /// Removes the data of deleted apps from today's file, to which retention by age does not apply.
    ///
    /// Requests under way may still add some, which the next round removes.
    func removeDeletedAppsFromToday(_ report: inout RetentionReport) async throws {
        let today = try await events.change { $0.day }
        // The file was read before the directory, so an app created in between has no rows in the list.
        let found = try await apps(in: today)
        let known = events.directory.now.apps
        let deleted = found.filter { known[$0] == nil }
        if deleted.isEmpty { return }
        for app in deleted {
            if let reason = try await failure(of: { report.removedEvents += try await removeRows(of: app, fromToday: today) }) {
                report.failures.append(.init(day: today, app: app, reason: reason))
            }
        }
        // Logs are truncated after a commit. The next one waits until that is done.
        try await events.change { $0.emptiesLogs = true }
        try await events.turn()
    }

    /// Removes an app's rows in chunks, so that other jobs are served in between.
    ///
    /// If the day ends, the rest is removed with the sealed days.
    private func removeRows(of app: AppID, fromToday day: Day) async throws -> Int {
        let removed = try await removeRows(of: app, from: "events", ofToday: day)
        for table in ["quarantine", "ids"] { _ = try await removeRows(of: app, from: table, ofToday: day) }
        for (table, key) in [("actives", "day, installation, user"), ("rollups", "metric, grain, bucket, word")] {
            while let count = try await changeToday(day, { try $0.deleteChunk(of: app, from: table, by: key) }), count > 0 {}
        }
        try await changeToday(day) { try $0.deleteCounts(of: app) }
        return removed
    }

    /// Removes rows that a reader finds. These tables have no index by app, so the search reads all rows and must not block the writer.
    private func removeRows(of app: AppID, from table: String, ofToday day: Day) async throws -> Int {
        var (removed, last) = (0, Int64(0))
        while true {
            let after = last
            let rows = try await readers.read(.large, seconds: 120) { try $0.day(day)?.rows(of: app, in: table, after: after) ?? [] }
            guard let end = rows.last else { return removed }
            removed += try await changeToday(day) { try $0.delete(rows, of: app, from: table) } ?? 0
            last = end
        }
    }

    /// Changes today's file. Returns nil if that day has ended.
    @discardableResult
    private func changeToday<T: Sendable>(_ day: Day, _ body: @escaping @Sendable (DayDB) throws -> T) async throws -> T? {
        try await events.change { context in
            guard context.day == day else { return nil }
            try context.keepLastSeq()
            return try body(context.today)
        }
    }
}
