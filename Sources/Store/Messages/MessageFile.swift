import Platform
import SQLite

extension StorePaths {
    package var messages: String { root + "/messages.db" }
}

/// The messages' file, open for writing.
enum MessageFile {
    static let pageBytes = 8_192

    static func open(_ paths: StorePaths) throws -> Connection {
        let connection = try Connection(paths.messages, .write)
        try connection.execute(
            """
            PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = 67108864
            """)
        try Migration.messages.apply(to: connection)
        return connection
    }
}
