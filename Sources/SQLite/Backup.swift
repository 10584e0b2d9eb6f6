// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

extension Connection {
    /// Copies the whole file, as this connection sees it, to a new one at `path`.
    ///
    /// Inside an open read transaction the source does not move, so the copy never starts over however much is written meanwhile.
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
