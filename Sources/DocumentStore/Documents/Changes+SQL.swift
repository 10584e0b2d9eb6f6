// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite
import SignalboxDocumentModel

/// The kind of a change in the log.
package enum ChangeKind: Int64, Sendable {
    case created = 1
    case changed = 2
    case deleted = 3

    /// Reads the column `kind` of the log, which has the depth of the change above the kind: the number of runs of functions that led to it.
    static func read(_ column: Int64) throws -> (kind: ChangeKind, depth: Int) {
        guard let kind = ChangeKind(rawValue: column & 15) else { throw DocumentError.damaged }
        return (kind, Int(column >> 4))
    }

    func column(depth: Int) -> Int64 { rawValue | Int64(depth) << 4 }
}

/// A row of the change log: a document's state before a commit.
struct ChangeRow {
    let stamp: Int64
    let kind: ChangeKind
    let id: [UInt8]
    /// Nil if there was no document.
    let before: DocumentRow?
    /// The number of runs of functions that led to it; 0 where it is not read.
    var depth = 0

    /// The bytes that count for the size of the log.
    var bytes: Int64 { Int64(id.count + (before?.body.count ?? 0)) + ChangeRow.overhead }

    /// The bytes of a change without its ID and body, with its entry in the index.
    static let overhead: Int64 = 64
}

extension DocumentDB {
    func add(_ change: ChangeRow, _ n: Int, in collection: Int64) throws {
        try statement(
            "INSERT INTO changes (stamp, n, collection, id, kind, created, version, before) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        ).run(
            .integer(change.stamp), .integer(Int64(n)), .integer(collection), .blob(change.id),
            .integer(change.kind.column(depth: change.depth)),
            .integer(change.before?.created ?? 0), .integer(change.before?.version ?? 0), change.before.map { .blob($0.body) } ?? .null)
    }

    /// Calls a function with the changes of a collection after a stamp, or of one of its documents, oldest first, until it returns false.
    func changes(of collection: Int64, _ id: PathSegment? = nil, after stamp: Int64, while body: (ChangeRow) throws -> Bool) throws {
        try statement(
            """
            SELECT stamp, kind, id, created, version, before FROM changes
            WHERE collection = ?1 AND stamp > ?2 AND (?3 IS NULL OR id = ?3) ORDER BY stamp, n
            """
        ).rows([.integer(collection), .integer(stamp), id.map { .blob(StoredID.bytes($0)) } ?? .null]) { row in try body(DocumentDB.change(row)) }
    }

    /// Calls a function with the changes of a collection after a stamp, oldest first, until it returns false. The row has the columns `id`,
    /// `created`, `version` and `body` of the document as it was.
    func changedRows(of collection: Int64, after stamp: Int64, while body: (Row) throws -> Bool) throws {
        try statement("SELECT id, created, version, before FROM changes WHERE collection = ? AND stamp > ? ORDER BY stamp, n").rows(
            [.integer(collection), .integer(stamp)], while: body)
    }

    /// Calls a function with the IDs of changed documents of a collection after a stamp, oldest change first, until it returns false.
    func changedIDs(of collection: Int64, after stamp: Int64, while body: (_ id: [UInt8], ChangePlace) throws -> Bool) throws {
        try statement("SELECT id, stamp, n FROM changes WHERE collection = ? AND stamp > ? ORDER BY stamp, n").rows(
            [.integer(collection), .integer(stamp)]
        ) { try body($0.bytes(0), ChangePlace(stamp: $0.integer(1), n: $0.integer(2))) }
    }

    /// Calls a function with the row of the state before a change, as `changedRows(of:after:while:)` does. Returns nil if there is no such change.
    func withStateBefore<T>(_ place: ChangePlace, _ body: (Row) throws -> T) throws -> T? {
        try statement("SELECT id, created, version, before FROM changes WHERE stamp = ? AND n = ?").first(
            .integer(place.stamp), .integer(place.n), row: body)
    }

    /// Calls a function with the changes of all apps after a stamp, as `changedRows(of:after:while:)` does, and their collections.
    func changedRows(after stamp: Int64, while body: (Row, _ collection: Int64) throws -> Bool) throws {
        try statement("SELECT id, created, version, before, collection FROM changes WHERE stamp > ? ORDER BY stamp, n").rows([.integer(stamp)]) {
            try body($0, $0.integer(4))
        }
    }

    /// Returns the stamp of a change of a collection, counted from its last one; nil if there are fewer.
    func stamp(ofChange number: Int, fromLastOf collection: Int64) throws -> Int64? {
        try statement("SELECT stamp FROM changes WHERE collection = ? ORDER BY stamp DESC LIMIT 1 OFFSET ?").first(
            .integer(collection), .integer(Int64(number))
        ) { $0.integer(0) }
    }

    /// Returns the first change of a document after a stamp.
    func firstChange(of id: PathSegment, in collection: Int64, after stamp: Int64) throws -> ChangeRow? {
        try statement(
            """
            SELECT stamp, kind, id, created, version, before FROM changes
            WHERE collection = ? AND stamp > ? AND id = ? ORDER BY stamp, n LIMIT 1
            """
        ).first(.integer(collection), .integer(stamp), .blob(StoredID.bytes(id)), row: DocumentDB.change)
    }

    /// Whether a stamp is that of the last change that was made at a time.
    func isNewestStamp(_ stamp: Int64, at time: Int64) throws -> Bool {
        try statement("SELECT stamp FROM changes WHERE stamp <= ? ORDER BY stamp DESC LIMIT 1").first(.integer(time)) { $0.integer(0) } == stamp
    }

    /// The number by which the documents of a collection grew after a stamp.
    func growth(of collection: Int64, after stamp: Int64) throws -> Int64 {
        try statement("SELECT sum((kind & 15 = ?) - (kind & 15 = ?)) FROM changes WHERE collection = ? AND stamp > ?").first(
            .integer(ChangeKind.created.rawValue), .integer(ChangeKind.deleted.rawValue), .integer(collection), .integer(stamp)
        ) { $0.integer(0) } ?? 0
    }

    private static func change(_ row: Row) throws -> ChangeRow {
        let kind = try ChangeKind.read(row.integer(1)).kind
        let id = row.bytes(2)
        let before = DocumentRow(id: id, created: row.integer(3), version: row.integer(4), body: row.bytes(5))
        return ChangeRow(stamp: row.integer(0), kind: kind, id: id, before: row.isNull(5) ? nil : before)
    }
}
