// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import MessageStore
import Platform
import SQLite

extension Backup {
    /// From now on no number is given that may have been given after the backup this came from: receivers know deliveries by numbers, and readers of streams,
    /// exports and tails their place.
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
    /// More events than were taken in since any backup, and small enough for a restore a week for as long as anybody lives.
    private static let seqsLeftOut: Int64 = 1 << 40
    /// The last number the main file knows of is that of an earlier day, less than a day's worth behind.
    fileprivate func leaveSeqsOut() throws {
        try statement("INSERT INTO meta (key, value) VALUES ('last_seq', ?1) ON CONFLICT DO UPDATE SET value = value + ?1").run(
            .integer(Self.seqsLeftOut))
    }
}

extension MessageDB {
    /// More devices and deliveries than were made.
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
