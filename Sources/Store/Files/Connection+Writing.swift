// SPDX-License-Identifier: Apache-2.0

import SQLite

extension Connection {
    /// What a page of each file takes, and of its log.
    static let pageBytes = 8_192

    /// Opens a file for the thread that writes it, and brings it up to date.
    ///
    /// A commit returns when it is on the disk, and only then is anybody answered. Whatever is deleted is overwritten, not only where a person
    /// is erased: an erasure could not find what an earlier change has left in pages that are free.
    static func forWriting(_ path: String, _ migration: Migration, cacheKiB: Int = 8_192) throws -> Connection {
        let connection = try Connection(path, .write)
        try connection.execute(
            """
            PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA cache_size = -\(cacheKiB); PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 67108864
            """)
        try migration.apply(to: connection)
        return connection
    }
}
