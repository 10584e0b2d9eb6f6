// SPDX-License-Identifier: Apache-2.0

import Database
import Files
import Platform
import SQLite

extension FileDB {
    private static let personPaths = "person_paths"

    /// Returns the folders that were set; without a setting the usual one.
    func personPaths(of app: AppID) throws -> [PersonFolder] {
        let text = try statement("SELECT value FROM settings WHERE app = ? AND name = ?").first(
            .integer(app.rawValue), .text(FileDB.personPaths), row: { $0.text(0) })
        guard let text else { return [.usual] }
        return text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { PersonFolder(String(Substring($0))) }
    }

    /// Stores the folders, one a line: a path has no line ends.
    func set(_ folders: [PersonFolder], app: AppID) throws {
        try statement("INSERT OR REPLACE INTO settings (app, name, value) VALUES (?, ?, ?)").run(
            .integer(app.rawValue), .text(FileDB.personPaths), .text(folders.map(\.description).joined(separator: "\n")))
    }

    func files(ofOwner owner: String, app: AppID, after path: FilePath?, limit: Int) throws -> [StoredFile] {
        try statement("SELECT \(FileDB.objectColumns) FROM objects WHERE app = ? AND owner = ? AND path > ? ORDER BY path LIMIT ?").all(
            .integer(app.rawValue), .text(owner), .text(path?.text ?? ""), .integer(limit)
        ) { try FileDB.file($0, app: app) }
    }

    func files(below folder: String, app: AppID, after path: FilePath?, limit: Int) throws -> [StoredFile] {
        let end = FileListingScan.end(of: Array(folder.utf8))
        return try statement(
            "SELECT \(FileDB.objectColumns) FROM objects WHERE app = ? AND path >= ? AND path < ? AND path > ? ORDER BY path LIMIT ?"
        ).all(.integer(app.rawValue), .text(folder), .utf8(end), .text(path?.text ?? ""), .integer(limit)) { try FileDB.file($0, app: app) }
    }

    /// Returns open uploads of an app below a folder. There are few open uploads.
    func uploads(below folder: String, app: AppID, limit: Int) throws -> [StoredUpload] {
        try uploads(app, limit: .max).filter { $0.request.path?.text.utf8.starts(with: folder.utf8) == true }.prefix(limit).map(\.self)
    }

    /// Returns the numbers of changes that are about a person, among the next ones of an app, and the number to go on after; nil at the end.
    func changes(of person: String, below folders: [String], app: AppID, after seq: Int64, limit: Int) throws -> (found: [Int64], next: Int64?) {
        let rows = try statement("SELECT seq, path, owner FROM changes WHERE app = ? AND seq > ? ORDER BY seq LIMIT ?").all(
            .integer(app.rawValue), .integer(seq), .integer(limit)
        ) { (seq: $0.integer(0), path: $0.text(1), owner: $0.optionalText(2)) }
        let found = rows.filter { row in
            row.owner.map { $0.hasSameBytes(as: person) } ?? false || folders.contains { row.path.utf8.starts(with: $0.utf8) }
        }
        return (found.map(\.seq), rows.count == limit ? rows.last?.seq : nil)
    }

    func removeChanges(_ numbers: [Int64]) throws {
        let delete = try statement("DELETE FROM changes WHERE seq = ?")
        for number in numbers { try delete.run(integers: [number]) }
    }
}
