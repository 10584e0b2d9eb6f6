// SPDX-License-Identifier: Apache-2.0

import Database
import Files
import Platform
import SQLite

extension FileDB {
    private static let revocableLinksOfPath = 100

    /// Adds the row of a link that can be revoked, and returns its number.
    func addLink(_ path: FilePath, app: AppID, expires: Timestamp, at now: Timestamp) throws -> Int64 {
        let count = try statement("SELECT count(*) FROM links WHERE app = ? AND path = ? AND expires > ?").first(
            .integer(app.rawValue), .text(path.text), .integer(now.milliseconds), row: { $0.int(0) })
        if count ?? 0 >= FileDB.revocableLinksOfPath { throw FileFault.tooManyLinks }
        try statement("INSERT INTO links (app, path, expires) VALUES (?, ?, ?)").run(
            .integer(app.rawValue), .text(path.text), .integer(expires.milliseconds))
        return lastInsertedRow
    }

    func hasLink(_ id: Int64, to path: FilePath, app: AppID) throws -> Bool {
        try statement("SELECT 1 FROM links WHERE id = ? AND app = ? AND path = ?").first(
            .integer(id), .integer(app.rawValue), .text(path.text), row: { $0.int(0) == 1 }) ?? false
    }

    /// Revokes a link. Returns whether there was one.
    func removeLink(_ id: Int64, to path: FilePath, app: AppID) throws -> Bool {
        try statement("DELETE FROM links WHERE id = ? AND app = ? AND path = ?").run(
            .integer(id), .integer(app.rawValue), .text(path.text))
        return changes > 0
    }

    func removeLinks(of path: FilePath, app: AppID) throws {
        try statement("DELETE FROM links WHERE app = ? AND path = ?").run(.integer(app.rawValue), .text(path.text))
    }

    /// Removes links to paths below a folder, also to those without a file. Returns their number.
    func removeLinks(below folder: String, app: AppID, atMost limit: Int) throws -> Int {
        try statement("DELETE FROM links WHERE id IN (SELECT id FROM links WHERE app = ? AND path >= ? AND path < ? LIMIT ?)").run(
            .integer(app.rawValue), .text(folder), .utf8(FileListingScan.end(of: Array(folder.utf8))), .integer(limit))
        return changes
    }

    func removeLinks(endedAt now: Timestamp, atMost limit: Int) throws -> Int {
        try statement("DELETE FROM links WHERE id IN (SELECT id FROM links WHERE expires <= ? ORDER BY expires LIMIT ?)").run(
            .integer(now.milliseconds), .integer(limit))
        return changes
    }
}
