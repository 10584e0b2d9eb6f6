// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// A day's table whose rows have no index by app. A search reads all its rows.
enum TableInOrder: String, Sendable {
    case events, quarantine, ids
    case sessionChunks = "session_chunks"

    /// The number of rows that one step reads or deletes. A chunk has up to 32 KiB.
    var rowsAtOnce: Int { self == .sessionChunks ? 200 : 5_000 }
}

/// A day's table that is sorted by app.
enum TableByApp: String, Sendable, CaseIterable {
    case actives, rollups

    /// The columns of the primary key after `app`.
    var key: String {
        switch self {
        case .actives: "day, installation, user"
        case .rollups: "metric, grain, bucket, word"
        }
    }
}

extension DayDB {
    /// The limit of rows that one step reads or deletes.
    private static let rowsAtOnce = 5_000

    /// Returns the apps with data in this file.
    func apps() throws -> [AppID] {
        try apps(in: ["rollups", "quarantine_counts", "actives"]).sorted().map(AppID.init(rawValue:))
    }

    /// Returns the next rows of an app, at most `rowsAtOnce` of the table.
    func rows(of app: AppID, in table: TableInOrder, after row: Int64) throws -> [Int64] {
        let find = "SELECT rowid FROM \(table.rawValue) NOT INDEXED WHERE app = ? AND rowid > ? ORDER BY rowid LIMIT \(table.rowsAtOnce)"
        return try statement(find).all(.integer(app.rawValue), .integer(row)) { $0.integer(0) }
    }

    /// Deletes rows in ascending order, so that each page is visited once. Returns their number.
    ///
    /// The app is compared because another app may have reused a row number since.
    @discardableResult
    func delete(_ rows: [Int64], of app: AppID, from table: TableInOrder) throws -> Int {
        let delete = try statement("DELETE FROM \(table.rawValue) WHERE rowid = ? AND app = ?")
        for row in rows { try delete.run(.integer(row), .integer(app.rawValue)) }
        if table == .events {
            for part in ["details", "purchases"] {
                let delete = try statement("DELETE FROM \(part) WHERE seq = ?")
                for row in rows { try delete.run(.integer(row)) }
            }
        }
        return rows.count
    }

    func deleteEvents(of app: AppID, after row: Int64) throws -> [Int64] {
        let rows = try rows(of: app, in: .events, after: row)
        try delete(rows, of: app, from: .events)
        return rows
    }

    /// Deletes up to `rowsAtOnce` of an app's rows from a table. Returns their number.
    ///
    /// The last of them stay, because they show that the app has data here until everything else is deleted.
    func deleteChunk(of app: AppID, from table: TableByApp) throws -> Int {
        let chunk = "SELECT \(table.key) FROM \(table.rawValue) WHERE app = ?1 LIMIT \(Self.rowsAtOnce) OFFSET \(Self.rowsAtOnce)"
        try statement("DELETE FROM \(table.rawValue) WHERE app = ?1 AND (\(table.key)) IN (\(chunk))").run(.integer(app.rawValue))
        return changes
    }

    /// Deletes an app's other rows in this file.
    func deleteCounts(of app: AppID) throws {
        let tables = [
            "rollups", "actives", "presence", "quarantine", "quarantine_counts", "ids", "words", "contexts", "aliases", "session_chunks", "withdrawn",
        ]
        for table in tables {
            try statement("DELETE FROM \(table) WHERE app = ?").run(.integer(app.rawValue))
        }
    }
}
