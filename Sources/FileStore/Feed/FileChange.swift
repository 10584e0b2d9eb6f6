// SPDX-License-Identifier: Apache-2.0

import Database
package import Files
import Platform
import SQLite

/// A change of a file, for readers with a cursor such as triggers.
package struct FileChange: Sendable, Hashable {
    package enum Kind: Int64, Sendable {
        /// A file was uploaded or copied, in place of an older one or not.
        case finalized = 1
        case deleted = 2
        /// Details were changed.
        case updated = 3
    }

    /// The number of the change. It rises with each commit.
    package var seq: Int64
    /// The generation of the file after the change; of a deleted one, before it.
    package var generation: Int64
    package var path: FilePath
    package var kind: Kind
    /// The user who uploaded the file; nil for a server.
    package var owner: String?
    /// The number of runs of functions that led to it, one by the other.
    package var depth = 0
    /// The size of the file after the change; of a deleted one, before it.
    package var size: Int64 = 0
    package var metageneration: Int64 = 1

    /// The upload of a file that waits for a function.
    package init(pending file: StoredFile) {
        (seq, generation, path, kind, owner) = (file.generation, file.generation, file.path, .finalized, file.owner)
        (size, metageneration) = (file.size, file.metageneration)
    }

    init(seq: Int64, generation: Int64, path: FilePath, kind: Kind, owner: String?, depth: Int, size: Int64, metageneration: Int64) {
        (self.seq, self.generation, self.path, self.kind, self.owner, self.depth) = (seq, generation, path, kind, owner, depth)
        (self.size, self.metageneration) = (size, metageneration)
    }
}

/// A part of the log of changes of an app's files.
package struct FileChangePage: Sendable {
    package var changes: [FileChange]
    /// The number up to which the log was read, also if the page has no changes.
    package var next: Int64
    /// Whether the log had no more at that time.
    package var isCurrent: Bool
    /// The number through which the age of the log had removed changes behind the asked one; nil if it had removed none.
    package var removedThrough: Int64?
}

extension FileDB {
    func changePage(of app: AppID, after seq: Int64, limit: Int) throws -> FileChangePage {
        let (changes, start, stamp) = (try changes(of: app, after: seq, limit: limit), try logStart(), try stamp())
        let isCurrent = changes.count < limit
        // No later change has a number up to the stamp.
        let next = isCurrent ? max(seq, stamp) : changes.last?.seq ?? seq
        return FileChangePage(changes: changes, next: next, isCurrent: isCurrent, removedThrough: seq < start ? start : nil)
    }

    /// Returns the number through which changes were removed by their age.
    private func logStart() throws -> Int64 { try statement("SELECT value FROM meta WHERE key = 'log_start'").first { $0.integer(0) } ?? 0 }

    func log(_ kind: FileChange.Kind, _ file: StoredFile, at stamp: Int64, depth: Int = 0) throws {
        try statement(
            "INSERT INTO changes (seq, app, path, owner, what, depth, size, metageneration, generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).run(
            .integer(stamp), .integer(file.app.rawValue), .text(file.path.text), .text(file.owner), .integer(kind.rawValue),
            .integer(depth), .integer(file.size), .integer(file.metageneration), .integer(file.generation))
    }

    func changes(of app: AppID, after seq: Int64, limit: Int) throws -> [FileChange] {
        try statement(
            """
            SELECT seq, path, what, owner, depth, size, metageneration, coalesce(generation, seq) FROM changes
            WHERE app = ? AND seq > ? ORDER BY seq LIMIT ?
            """
        ).all(.integer(app.rawValue), .integer(seq), .integer(limit)) { row in
            guard let path = FilePath(utf8: row.bytes(1)), let kind = FileChange.Kind(rawValue: row.integer(2)) else { throw FileStoreError.damaged }
            return FileChange(
                seq: row.integer(0), generation: row.integer(7), path: path, kind: kind, owner: row.optionalText(3), depth: row.int(4),
                size: row.integer(5), metageneration: row.integer(6))
        }
    }

    /// Removes changes before a stamp and returns their number.
    func removeChanges(before stamp: Int64, atMost limit: Int) throws -> Int {
        let sql = "DELETE FROM changes WHERE seq IN (SELECT seq FROM changes WHERE seq < ? ORDER BY seq LIMIT ?) RETURNING seq"
        let removed = try statement(sql).all(.integer(stamp), .integer(limit)) { $0.integer(0) }
        if let last = removed.max() {
            let mark = "INSERT INTO meta (key, value) VALUES ('log_start', ?) ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)"
            try statement(mark).run(.integer(last))
        }
        return removed.count
    }
}
