// SPDX-License-Identifier: Apache-2.0

import Database
import Files
import Platform
import SQLite

extension FileDB {
    private static let pendingRules = "pending_rules"
    private static let pendingColumns = "\(objectColumns), pending_until, depth, app"

    // MARK: Rules

    func pendingRules(of app: AppID) throws -> [PendingRule] {
        let text = try statement("SELECT value FROM settings WHERE app = ? AND name = ?").first(
            .integer(app.rawValue), .text(FileDB.pendingRules), row: { $0.text(0) })
        return text?.utf8.split(separator: UInt8(ascii: "\n")).compactMap { PendingRule(line: Substring($0).utf8) } ?? []
    }

    func set(_ rules: [PendingRule], app: AppID) throws {
        try statement("INSERT OR REPLACE INTO settings (app, name, value) VALUES (?, ?, ?)").run(
            .integer(app.rawValue), .text(FileDB.pendingRules), .text(rules.map(\.line).joined(separator: "\n")))
    }

    /// Returns the function that a new file of a client waits for.
    func functionToWaitFor(_ path: FilePath, app: AppID) throws -> String? {
        try pendingRules(of: app).filter { path.text.utf8.starts(with: $0.prefix.utf8) }.max { $0.prefix.utf8.count < $1.prefix.utf8.count }?.function
    }

    // MARK: Files

    private static func pending(_ row: Row) throws -> PendingFile {
        var pending = PendingFile(file: try FileDB.file(row, app: AppID(rawValue: row.integer(21))), function: row.text(19), depth: row.int(20))
        pending.file.pendingUntil = pending.function
        return pending
    }

    func pending(_ path: FilePath, app: AppID) throws -> PendingFile? {
        try statement("SELECT \(FileDB.pendingColumns) FROM pending WHERE app = ? AND path = ?").first(
            .integer(app.rawValue), .text(path.text), row: FileDB.pending)
    }

    func pendingFiles(of app: AppID, after path: String, limit: Int) throws -> [PendingFile] {
        try statement("SELECT \(FileDB.pendingColumns) FROM pending WHERE app = ? AND path > ? ORDER BY path LIMIT ?").all(
            .integer(app.rawValue), .text(path), .integer(limit), row: FileDB.pending)
    }

    func pendingFiles(afterApp app: AppID?, path: String, limit: Int) throws -> [PendingFile] {
        try statement("SELECT \(FileDB.pendingColumns) FROM pending WHERE (app, path) > (?, ?) ORDER BY app, path LIMIT ?").all(
            .integer(app?.rawValue ?? 0), .text(path), .integer(limit), row: FileDB.pending)
    }

    /// Returns the paths of files that wait and are a person's, in their order, after a path: those of the owner, and those below folders.
    func pendingPaths(ofOwner owner: String, below folders: [String], app: AppID, after path: FilePath?, limit: Int) throws -> [FilePath] {
        let place = path?.text ?? ""
        var found = try statement("SELECT path FROM pending WHERE app = ? AND owner = ? AND path > ? ORDER BY path LIMIT ?").all(
            .integer(app.rawValue), .text(owner), .text(place), .integer(limit), row: FileDB.path)
        for folder in folders {
            found += try statement("SELECT path FROM pending WHERE app = ? AND path >= ? AND path < ? AND path > ? ORDER BY path LIMIT ?").all(
                .integer(app.rawValue), .text(folder), .utf8(FileListingScan.end(of: Array(folder.utf8))), .text(place), .integer(limit),
                row: FileDB.path)
        }
        return Array(Set(found).sorted().prefix(limit))
    }

    private static func path(_ row: Row) throws -> FilePath {
        guard let path = FilePath(utf8: row.bytes(0)) else { throw FileStoreError.damaged }
        return path
    }

    /// Adds a file that waits, or replaces the one with its path.
    func put(_ pending: PendingFile) throws {
        let marks = Array(repeating: "?", count: 22).joined(separator: ", ")
        try statement("INSERT OR REPLACE INTO pending (\(FileDB.pendingColumns)) VALUES (\(marks))").run(
            FileDB.values(of: pending.file) + [.text(pending.function), .integer(pending.depth), .integer(pending.file.app.rawValue)])
    }

    func removePending(_ path: FilePath, app: AppID) throws {
        try statement("DELETE FROM pending WHERE app = ? AND path = ?").run(.integer(app.rawValue), .text(path.text))
    }
}
