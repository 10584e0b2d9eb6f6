// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

extension MessageStore {
    /// Leaves out numbers that may have been given after the backup: receivers know deliveries, and readers of streams their place, by numbers.
    package static func prepareRestored(_ path: String) throws {
        try MessageDB.change(path) { try $0.skipRowNumbers() }
    }
}

extension MessageDB {
    /// More devices and deliveries than were made.
    private static let skippedRowNumbers: Int64 = 1 << 32

    fileprivate func skipRowNumbers() throws {
        let tables = try statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'").all { $0.text(0) }
        for table in tables {
            let last = try last(table)
            try statement("DELETE FROM sqlite_sequence WHERE name = ?").run(.text(table))
            try statement("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(.text(table), .integer(last + Self.skippedRowNumbers))
        }
    }
}
