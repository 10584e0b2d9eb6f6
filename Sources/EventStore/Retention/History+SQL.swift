// SPDX-License-Identifier: Apache-2.0

import Database
import Events
package import Platform
import SQLite

/// An app's counts in one day's file, in the form in which they outlive the file.
///
/// Words are texts instead of the file's numbers, and minutes are added up to quarter-hours:
///
///     rollups of 20 October   events, minute 28,000,001, word 7     → history  events, quarter 1,866,666, "purchase", source 20 October
package struct DayHistory: Sendable {
    fileprivate struct Count: Sendable {
        var metric: Int64
        var grain: Int64
        var bucket: Int64
        var word: String
        var count: Int64
        var amount: Int64
    }

    fileprivate let day: Day
    fileprivate let app: AppID
    fileprivate let counts: [Count]

    /// The numbers of the UTC days that have counts.
    package var days: [Int64] { counts.filter { $0.grain == Grain.day.rawValue }.map(\.bucket) }
}

extension EventStore {
    /// Returns an app's counts in a sealed day's file; nil if the file no longer exists.
    package func history(of app: AppID, in day: Day) async throws -> DayHistory? {
        try await sealedDays.write(to: day) { DayHistory(day: day, app: app, counts: try $0.history(of: app)) }
    }

    /// Stores the counts of a day in the main file. Each row names the day it came from, so a repetition replaces it.
    package func keep(_ history: DayHistory) async throws {
        try await change { try $0.main.keep(history) }
    }
}

extension DayDB {
    fileprivate func history(of app: AppID) throws -> [DayHistory.Count] {
        try statement(
            """
            SELECT r.metric, CASE r.grain WHEN \(sql: Grain.minute) THEN \(sql: Grain.quarter) ELSE r.grain END,
                   CASE r.grain WHEN \(sql: Grain.minute) THEN r.bucket / 15 ELSE r.bucket END,
                   ifnull(w.text, CAST(r.word AS TEXT)), sum(r.count), \(AmountSum.columns("r.amount"))
            FROM rollups r LEFT JOIN words w ON w.id = r.word AND r.metric IN (\(sql: RollupMetric.events), \(sql: RollupMetric.screens))
            WHERE r.app = ? AND r.grain IN (\(sql: Grain.minute), \(sql: Grain.day)) GROUP BY 1, 2, 3, 4
            """
        ).all(.integer(app.rawValue)) { row in
            DayHistory.Count(
                metric: row.integer(0), grain: row.integer(1), bucket: row.integer(2), word: row.text(3), count: row.integer(4),
                amount: AmountSum.read(row, at: 5))
        }
    }
}

extension MainDB {
    fileprivate func keep(_ history: DayHistory) throws {
        let insert = try statement(
            "INSERT OR REPLACE INTO history (app, metric, grain, bucket, word, count, amount, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for row in history.counts {
            try insert.run(
                .integer(history.app.rawValue), .integer(row.metric), .integer(row.grain), .integer(row.bucket), .text(row.word),
                .integer(row.count), .integer(row.amount), .integer(Int64(history.day.number)))
        }
    }
}
