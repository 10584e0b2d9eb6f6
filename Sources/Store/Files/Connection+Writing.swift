import SQLite

extension Connection {
    /// What a page of each file takes, and of its log.
    static let pageBytes = 8_192

    /// Opens a file for the thread that writes it, and brings it up to date.
    ///
    /// A commit returns when it is on the disk, and only then is anybody answered.
    static func forWriting(_ path: String, _ migration: Migration, cacheKiB: Int = 8_192) throws -> Connection {
        let connection = try Connection(path, .write)
        try connection.execute(
            """
            PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA cache_size = -\(cacheKiB); PRAGMA temp_store = MEMORY; PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = 67108864
            """)
        try migration.apply(to: connection)
        return connection
    }

    /// Overwrites what something deletes.
    func overwriting<T>(_ body: () throws -> T) throws -> T {
        try execute("PRAGMA secure_delete = ON")
        defer { try? execute("PRAGMA secure_delete = FAST") }
        return try body()
    }
}
