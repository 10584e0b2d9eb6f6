// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// The steps of data retention on the files of events.
extension EventStore {
    /// Returns the apps with data in a day's file, none if the file no longer exists.
    package func apps(in day: Day) async throws -> [AppID] {
        try await readers.read { try $0.day(day)?.apps() ?? [] }
    }

    /// Returns the day on which a file received its newest event.
    package func lastDayOfReceipt(in day: Day, until today: Day) async throws -> Day {
        // A day before the earliest plausible time was named by an unset clock. It lasted until the clock was set.
        if day.start < ClockTrust.earliest { return try sealedDays.days().first { $0.start >= ClockTrust.earliest } ?? today }
        return try await readers.read { try $0.day(day)?.lastDayOfReceipt(in: day, until: today) } ?? day
    }

    /// Removes the file of a sealed day.
    package func drop(_ day: Day) async throws {
        try await change { $0.forgottenDays.append(day) }
        try await sealedDays.remove(day)
        withdrawals.forget(day)
        let path = paths.file(of: day)
        // An idle pooled connection would keep the file's disk space.
        readers.pool.forget { $0 == path }
    }

    /// Deletes an app's rows from a sealed day's file in chunks, so that other work on the file is served in between. Returns the number of
    /// events.
    package func removeRows(of app: AppID, from day: Day) async throws -> Int {
        var (removed, last) = (0, Int64(0))
        while let rows = try await sealedDays.write(to: day, { [last] in try $0.deleteEvents(of: app, after: last) }), let end = rows.last {
            removed += rows.count
            last = end
        }
        try await sealedDays.write(to: day) { try $0.deleteCounts(of: app) }
        presence.forget(app)
        sessions.stopRecording(app)
        return removed
    }

    /// Deletes an app's rows from today's file in chunks, so that other jobs are served in between. Returns the number of events.
    ///
    /// If the day ends, the rest is removed with the sealed days.
    package func removeRows(of app: AppID, fromToday day: Day) async throws -> Int {
        let removed = try await removeRows(of: app, from: .events, ofToday: day)
        for table in [TableInOrder.quarantine, .ids, .sessionChunks] { _ = try await removeRows(of: app, from: table, ofToday: day) }
        for table in TableByApp.allCases {
            while let count = try await changeToday(day, { try $0.deleteChunk(of: app, from: table) }), count > 0 {}
        }
        try await change { context in
            guard context.day == day else { return }
            try context.keepLastSeq()
            context.removedApps.insert(app)
            try context.today.deleteCounts(of: app)
        }
        presence.forget(app)
        sessions.stopRecording(app)
        return removed
    }

    /// Removes rows that a reader finds. The search reads all rows of the table and must not block the writer.
    private func removeRows(of app: AppID, from table: TableInOrder, ofToday day: Day) async throws -> Int {
        var (removed, last) = (0, Int64(0))
        while true {
            let after = last
            let rows = try await readers.read(.large, seconds: ReaderPool.removalSeconds) {
                try $0.day(day)?.rows(of: app, in: table, after: after) ?? []
            }
            guard let end = rows.last else { return removed }
            removed += try await changeToday(day) { try $0.delete(rows, of: app, from: table) } ?? 0
            last = end
        }
    }

    /// Changes today's file. Returns nil if that day has ended.
    @discardableResult
    private func changeToday<T: Sendable>(_ day: Day, _ body: @escaping @Sendable (DayDB) throws -> T) async throws -> T? {
        try await change { context in
            guard context.day == day else { return nil }
            try context.keepLastSeq()
            return try body(context.today)
        }
    }

    /// Empties the write-ahead logs, so that removed rows are in no file.
    package func emptyLogs() async throws {
        try await change { $0.emptiesLogs = true }
        // Logs are truncated after a commit. This one waits until that is done.
        try await turn()
    }
}
