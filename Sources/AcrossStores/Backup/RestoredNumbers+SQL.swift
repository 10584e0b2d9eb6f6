// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import MessageStore
import Platform
import SQLite

extension Backup {
    /// Skips the numbers that may have been assigned after the backup was made.
    ///
    /// Endpoints identify deliveries by number, and readers of streams, exports and tails their position. A number that was used twice
    /// would be dropped as a duplicate or skipped.
    static func leaveNumbersOut(main: String, messages: String) throws {
        try changed(main) { (main: MainDB) in try main.leaveSeqsOut() }
        if Folder.exists(messages) { try changed(messages) { (messages: MessageDB) in try messages.leaveRowNumbersOut() } }
    }

    private static func changed<DB: TypedDatabase>(_ path: String, _ change: (DB) throws -> Void) throws {
        let file = try DB.open(writing: path)
        try file.connection.begin()
        try change(file)
        try file.connection.commit()
        try file.connection.checkpoint(.truncate)
    }
}

extension MainDB {
    /// More events than any store accepts between a backup and its restoration. The numbers suffice for eight million restorations.
    private static let seqsLeftOut: Int64 = 1 << 40
    /// The main file's last number is that of an earlier day, less than a day's events behind.
    fileprivate func leaveSeqsOut() throws {
        try statement("INSERT INTO meta (key, value) VALUES ('last_seq', ?1) ON CONFLICT DO UPDATE SET value = value + ?1").run(
            .integer(Self.seqsLeftOut))
    }
}

extension MessageDB {
    /// More rows than any table gets between a backup and its restoration.
    private static let rowNumbersLeftOut: Int64 = 1 << 32

    fileprivate func leaveRowNumbersOut() throws {
        let tables = try statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'").all { $0.text(0) }
        for table in tables {
            let last = try last(table)
            try statement("DELETE FROM sqlite_sequence WHERE name = ?").run(.text(table))
            try statement("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(.text(table), .integer(last + Self.rowNumbersLeftOut))
        }
    }
}
