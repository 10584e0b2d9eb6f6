// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite

/// A version of a database file of any kind, held by a read transaction while writers go on.
///
///     let snapshot = try FileSnapshot("/data/main.db")     the version of now
///     …                                                    commits go to the write-ahead log
///     try snapshot.copy(to: "/backup/main.db")             the version of then
package struct FileSnapshot {
    private let connection: Connection

    package init(_ path: String) throws {
        connection = try Connection(path, .read)
        try connection.execute("BEGIN")
        // SQLite starts a read transaction with the first read.
        _ = try connection.statement("SELECT count(*) FROM sqlite_schema").first { $0.int(0) }
    }

    /// Returns nil if the file no longer exists.
    package init?(ifExists path: String) throws {
        do {
            try self.init(path)
        } catch let error as SQLiteError where error.code.primary == .cannotOpen && !Folder.exists(path) {
            return nil
        }
    }

    /// Copies the version to a new file.
    package func copy(to path: String) throws { try connection.copy(to: path) }

    /// Checks the whole file. Returns the first problem; nil if there is none.
    package func problem() throws -> String? {
        let found = try connection.statement("PRAGMA quick_check(1)").first { $0.text(0) }
        return found == "ok" ? nil : found ?? "unreadable"
    }

    /// Returns the version as a file of one kind.
    package func file<DB: TypedDatabase>() -> DB { DB(connection: connection) }
}

extension StoreError {
    /// Whether an error comes from a file: of the disk, or of SQLite.
    package static func isOfFile(_ error: any Error) -> Bool { error is FileError || error is SQLiteError }
}
