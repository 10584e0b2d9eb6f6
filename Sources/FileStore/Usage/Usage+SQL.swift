// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

extension FileDB {
    func usage(_ account: FileAccount) throws -> FileUsage {
        try statement("SELECT bytes, files, uploads, reserved FROM usage WHERE app = ? AND owner = ?").first(
            .integer(account.app.rawValue), .text(account.owner), row: { FileDB.usage($0, from: 0) }) ?? FileUsage()
    }

    /// Returns the usage of an app's users in the order of their IDs.
    func usages(_ app: AppID, after owner: String, limit: Int) throws -> [FileOwnerUsage] {
        try statement("SELECT owner, bytes, files, uploads, reserved FROM usage WHERE app = ? AND owner > ? ORDER BY owner LIMIT ?").all(
            .integer(app.rawValue), .text(owner), .integer(limit)
        ) { FileOwnerUsage(owner: $0.text(0), usage: FileDB.usage($0, from: 1)) }
    }

    func largestUsages(_ app: AppID, limit: Int) throws -> [FileOwnerUsage] {
        try statement("SELECT owner, bytes, files, uploads, reserved FROM usage WHERE app = ? AND owner > '' ORDER BY bytes DESC, owner LIMIT ?").all(
            .integer(app.rawValue), .integer(limit)
        ) { FileOwnerUsage(owner: $0.text(0), usage: FileDB.usage($0, from: 1)) }
    }

    private static func usage(_ row: Row, from first: Int32) -> FileUsage {
        FileUsage(bytes: row.integer(first), files: row.integer(first + 1), uploads: row.integer(first + 2), reserved: row.integer(first + 3))
    }

    /// Adds to the usage of an owner, the app and all apps. The row of an owner goes with the last file and upload.
    func add(_ change: FileUsage, of owner: String?, app: AppID) throws {
        let update = try statement(
            """
            INSERT INTO usage (app, owner, bytes, files, uploads, reserved) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (app, owner) DO UPDATE SET
                bytes = bytes + ?3, files = files + ?4, uploads = uploads + ?5, reserved = reserved + ?6
            """)
        let removeEmpty = try statement("DELETE FROM usage WHERE app = ? AND owner = ? AND files = 0 AND uploads = 0 AND app <> 0")
        for account in FileAccount.of(owner, app: app) {
            let key: [Value] = [.integer(account.app.rawValue), .text(account.owner)]
            try update.run(key + [.integer(change.bytes), .integer(change.files), .integer(change.uploads), .integer(change.reserved)])
            if change.files < 0 || change.uploads < 0 { try removeEmpty.run(key) }
        }
    }
}
