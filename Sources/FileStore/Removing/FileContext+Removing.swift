// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

extension FileContext {
    /// Removes some rows of an app. Returns their number.
    func removeSome(ofApp app: AppID, atMost limit: Int) throws -> Int {
        let uploads = try file.uploads(app, limit: limit)
        for upload in uploads { try cancel(upload) }
        let files = try file.someFiles(of: app, atMost: limit)
        for file in files { try remove(file) }
        let pending = try file.pendingFiles(of: app, after: "", limit: limit)
        for one in pending { try dropPending(one.file.path, app: app) }
        let count = uploads.count + files.count + pending.count
        if count > 0 { return count }
        return try file.removeRest(of: app, atMost: limit)
    }
}

extension FileDB {
    fileprivate func someFiles(of app: AppID, atMost limit: Int) throws -> [StoredFile] {
        try statement("SELECT \(FileDB.objectColumns) FROM objects WHERE app = ? LIMIT ?").all(.integer(app.rawValue), .integer(limit)) {
            try FileDB.file($0, app: app)
        }
    }

    /// Removes rows of an app that has no files and uploads any more.
    fileprivate func removeRest(of app: AppID, atMost limit: Int) throws -> Int {
        var removed = 0
        for sql in [
            "DELETE FROM links WHERE id IN (SELECT id FROM links WHERE app = ? LIMIT ?)",
            "DELETE FROM changes WHERE seq IN (SELECT seq FROM changes WHERE app = ? LIMIT ?)",
        ] {
            try statement(sql).run(.integer(app.rawValue), .integer(limit))
            removed += changes
        }
        for sql in ["DELETE FROM rules WHERE app = ?", "DELETE FROM settings WHERE app = ?", "DELETE FROM usage WHERE app = ?"] {
            try statement(sql).run(.integer(app.rawValue))
            removed += changes
        }
        return removed
    }
}
