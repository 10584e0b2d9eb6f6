// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import EventStore
import Platform
import SQLite

extension Stores {
    /// Removes what deleted apps have in today's file, which waits for nobody's retention. What comes afterwards, from requests that were on
    /// their way, goes with the next round.
    func removeDeletedAppsFromToday(_ report: inout RetentionReport) async throws {
        let today = try await events.change { $0.day }
        // The file is asked before the directory: an app that is made in between has nothing there yet.
        let found = try await apps(in: today)
        let known = events.directory.now.apps
        let deleted = found.filter { known[$0] == nil }
        if deleted.isEmpty { return }
        for app in deleted {
            if let reason = try await failure(of: { report.removedEvents += try await removeRows(of: app, fromToday: today) }) {
                report.failures.append(.init(day: today, app: app, reason: reason))
            }
        }
        // The logs are emptied behind a commit; with the next one that is done.
        try await events.change { $0.emptiesLogs = true }
        try await events.turn()
    }

    /// Some thousand rows at a time, so that others are served in between. What a day that has turned still holds is met among those that are over.
    private func removeRows(of app: AppID, fromToday day: Day) async throws -> Int {
        let removed = try await removeRows(of: app, from: "events", ofToday: day)
        for table in ["quarantine", "ids"] { _ = try await removeRows(of: app, from: table, ofToday: day) }
        for (table, key) in [("actives", "day, installation, user"), ("rollups", "metric, grain, bucket, word")] {
            while let count = try await changeToday(day, { try $0.deleteChunk(of: app, from: table, by: key) }), count > 0 {}
        }
        try await changeToday(day) { try $0.deleteCounts(of: app) }
        return removed
    }

    /// The writer removes what a reader has found: in these tables nothing leads to an app's rows but reading all of them.
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

    /// Removes something from today's file; nil once the day has turned.
    @discardableResult
    private func changeToday<T: Sendable>(_ day: Day, _ body: @escaping @Sendable (DayDB) throws -> T) async throws -> T? {
        try await events.change { context in
            guard context.day == day else { return nil }
            try context.keepLastSeq()
            return try body(context.today)
        }
    }
}
