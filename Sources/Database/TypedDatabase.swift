// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// A database file of one kind: its schema and, in extensions, its statements.
///
/// Each store declares its own types, and SQL never runs on a bare connection, so a statement cannot reach a file of another kind:
///
///     struct NoteDB: TypedDatabase {
///         static let schema = Migration(steps: ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"])
///         let connection: Connection
///     }
///
///     extension NoteDB {
///         func add(_ text: String) throws { try statement("INSERT INTO notes (text) VALUES (?)").run(.text(text)) }
///     }
package protocol TypedDatabase: SendableMetatype {
    /// The steps that bring a file of any earlier version up to date.
    static var schema: Migration { get }
    var connection: Connection { get }

    init(connection: Connection)
}

extension TypedDatabase {
    /// Opens a file for reading. The schema is the one that the writer left.
    package static func open(reading path: String) throws -> Self {
        Self(connection: try Connection(path, .read))
    }

    /// Opens a file for its writer and applies missing migrations.
    ///
    /// A commit returns once it is on the disk (`synchronous = FULL`). Deleted rows are overwritten (`secure_delete`) from the start,
    /// because an erasure could not find what earlier changes left in free pages. The copies that SQLite left in the gaps of pages before
    /// files were kept clean are overwritten once.
    package static func open(
        writing path: String, cacheKiB: Int = 8_192, pageBytes: Int = databasePageBytes, sortsInMemory: Bool = true
    ) throws -> Self {
        let connection = try Connection(path, .write)
        try connection.execute(
            """
            PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA cache_size = -\(cacheKiB); PRAGMA temp_store = \(sortsInMemory ? "MEMORY" : "FILE"); PRAGMA secure_delete = ON;
            PRAGMA journal_size_limit = 67108864
            """)
        try cleanOnce(connection)
        try schema.apply(to: connection)
        return Self(connection: connection)
    }

    /// Cleans the pages of a file that was made by a release that did not, and marks it. Left for the next start if a reader needs the log, or
    /// the disk has no space for the mark. After a kill the next start reads the file from its begin, and writes only the pages that are left.
    private static func cleanOnce(_ connection: Connection) throws {
        let mark = try connection.statement("PRAGMA application_id").first { $0.int(0) }
        guard mark != cleanFileMark, try connection.checkpoint(.truncate).log == 0 else { return }
        try connection.cleanPages()
        do {
            try connection.execute("PRAGMA application_id = \(cleanFileMark)")
        } catch {
            if error.code.primary != .full { throw error }
        }
    }

    /// Changes a file that no store has open, in one transaction.
    package static func change(_ path: String, _ body: (Self) throws -> Void) throws {
        let file = try open(writing: path)
        try file.connection.begin()
        try body(file)
        try file.connection.commit()
        try file.connection.checkpoint(.truncate)
    }

    /// Returns a statement that is prepared once per connection.
    package func statement(_ sql: String) throws(SQLiteError) -> Statement { try connection.statement(sql) }

    /// Returns a statement that is not cached, for texts that vary.
    package func uncached(_ sql: String) throws(SQLiteError) -> Statement { try connection.uncached(sql) }

    /// Runs statements without parameters and rows.
    package func execute(_ sql: String) throws(SQLiteError) { try connection.execute(sql) }

    /// The number of rows changed by the last statement.
    package var changes: Int { connection.changes }

    package var lastInsertedRow: Int64 { connection.lastInsertedRow }

    /// Returns the apps with rows in some tables. Each seek skips to the next app in the index, so no table is scanned.
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

/// The page size of the database files and their logs.
package let databasePageBytes = 8_192

/// The application ID, in the header of a file whose pages have been clean since it was made or cleaned.
private let cleanFileMark = 0x5342_0001
