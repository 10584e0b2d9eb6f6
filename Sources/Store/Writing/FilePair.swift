// SPDX-License-Identifier: Apache-2.0

import SQLite

/// The main file and that of today, which one writer changes together.
struct FilePair {
    let main: MainDB
    var day: DayFile

    var connections: [Connection] { [main.connection, day.db.connection] }

    /// Rows changed since both were opened.
    var totalChanges: Int { main.connection.totalChanges + day.db.connection.totalChanges }

    /// Pages in both logs.
    var walPages: Int { main.connection.walPages + day.db.connection.walPages }

    /// Commits what was begun. The main file goes first: it takes only what may be told twice.
    func commit() throws {
        if main.connection.inTransaction { try main.connection.commit() }
        try day.db.connection.commit()
    }

    func rollback() {
        for connection in connections { connection.rollback() }
    }

    /// Does something inside the day's transaction that goes on where this fails; answers why it did.
    func attempt(_ body: () throws -> Void) throws -> (any Error)? {
        if !main.connection.inTransaction { try main.connection.begin() }
        for connection in connections { try connection.execute("SAVEPOINT change") }
        do {
            try body()
        } catch {
            for connection in connections { try connection.execute("ROLLBACK TO change; RELEASE change") }
            return error
        }
        for connection in connections { try connection.execute("RELEASE change") }
        return nil
    }

    /// Brings in both logs and empties them; answers whether no reader needs anything there any more.
    func emptyLogs() throws -> Bool {
        var areEmpty = true
        for connection in connections where try connection.checkpoint(.truncate).log != 0 { areEmpty = false }
        return areEmpty
    }
}
