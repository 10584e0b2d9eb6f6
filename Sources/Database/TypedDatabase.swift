// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// A database file of one kind: its schema and, in extensions, its statements.
///
/// A store declares one such type, and no SQL runs on a bare connection, so a statement cannot reach a file of another kind:
///
///     struct NoteDB: TypedDatabase {
///         static let schema = Migration(steps: ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"])
///         let connection: Connection
///     }
///
///     extension NoteDB {
///         func add(_ text: String) throws { try statement("INSERT INTO notes (text) VALUES (?)").run(.text(text)) }
///     }
package protocol TypedDatabase {
    /// The steps that bring a file of any earlier version up to date.
    static var schema: Migration { get }
    var connection: Connection { get }

    init(connection: Connection)
}

extension TypedDatabase {
    /// Opens a file for reading. Its schema is what its writer has left there.
    package static func open(reading path: String) throws -> Self {
        Self(connection: try Connection(path, .read))
    }

    /// Opens a file for the one thread that writes it, and brings it up to date.
    ///
    /// A commit returns when it is on the disk (`synchronous = FULL`). Deleted rows are overwritten (`secure_delete`) by every change, because
    /// an erasure could not find what an earlier change left in free pages.
    package static func open(writing path: String, cacheKiB: Int = 8_192, sortsInMemory: Bool = true) throws -> Self {
        let connection = try Connection(path, .write)
        try connection.execute(
            """
            PRAGMA page_size = \(databasePageBytes); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA cache_size = -\(cacheKiB); PRAGMA temp_store = \(sortsInMemory ? "MEMORY" : "FILE"); PRAGMA secure_delete = ON;
            PRAGMA journal_size_limit = 67108864
            """)
        try schema.apply(to: connection)
        return Self(connection: connection)
    }

    /// A statement, prepared once for the life of the connection.
    package func statement(_ sql: String) throws(SQLiteError) -> Statement { try connection.statement(sql) }

    /// A statement whose text differs from call to call.
    package func uncached(_ sql: String) throws(SQLiteError) -> Statement { try connection.uncached(sql) }

    /// Runs statements that take no values and give no rows.
    package func execute(_ sql: String) throws(SQLiteError) { try connection.execute(sql) }

    /// Rows that the last statement changed.
    package var changes: Int { connection.changes }

    package var lastInsertedRow: Int64 { connection.lastInsertedRow }

    /// The apps that tables have rows of. Each app is found by the one before it, so no table is read as a whole.
    package func apps(in tables: [String]) throws -> Set<Int64> {
        var apps: Set<Int64> = []
        for table in tables {
            let next = try statement("SELECT app FROM \(table) WHERE app > ? ORDER BY app LIMIT 1")
            var last: Int64? = 0
            while let app = last {
                last = try next.first(.integer(app)) { $0.integer(0) }
                if let last { apps.insert(last) }
            }
        }
        return apps
    }
}

/// The size of a page of each database file and of its log.
package let databasePageBytes = 8_192
