// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

/// A second writer of `audit.db` that holds its lock, so that the daemon's writes fail.
struct AuditLock {
    private let connection: Connection

    init(_ folder: String) throws {
        connection = try Connection(folder + "/audit.db", .write)
        try connection.execute("BEGIN IMMEDIATE")
    }

    func release() throws { try connection.execute("ROLLBACK") }
}
