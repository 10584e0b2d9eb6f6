// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

extension Connection {
    /// Copies the database, as this connection sees it, to a new file at `path`.
    ///
    /// Call it inside a read transaction: the source is then stable, and the copy does not restart during writes.
    package func copy(to path: String, pagesAtATime: Int32 = 1_024) throws(SQLiteError) {
        let target = try Connection(path, .write)
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else { throw target.error(SQLITE_ERROR, nil) }
        var code = SQLITE_OK
        while code == SQLITE_OK {
            code = sqlite3_backup_step(backup, pagesAtATime)
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw target.error(end, nil) }
    }
}
