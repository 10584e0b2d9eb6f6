// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

/// A document as a row: its body is not parsed yet.
struct DocumentRow {
    let id: [UInt8]
    let created: Int64
    let version: Int64
    let body: [UInt8]

    init(id: [UInt8], created: Int64, version: Int64, body: [UInt8]) {
        (self.id, self.created, self.version, self.body) = (id, created, version, body)
    }

    /// Copies a row with the columns `id`, `created`, `version` and `body`.
    init(_ row: Row) { self.init(id: row.bytes(0), created: row.integer(1), version: row.integer(2), body: row.bytes(3)) }

    /// Throws `DocumentError.damaged` if the row cannot be read.
    func document(in collection: DocumentPath, _ bodies: BodyReader) throws -> StoredDocument {
        try EncodedDocument(self, in: collection).decoded(bodies)
    }
}

/// A document or change that the database cannot have, unless the file is damaged.
enum DocumentError: Error {
    case damaged
}

extension DocumentDB {
    func document(_ id: PathSegment, in collection: Int64) throws -> DocumentRow? {
        try statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id = ?").first(
            .integer(collection), .blob(StoredID.bytes(id)), row: DocumentRow.init)
    }

    /// Calls a function with the row of a document: `id`, `created`, `version`, `body`. Returns nil if there is none.
    func withRow<T>(of id: [UInt8], in collection: Int64, _ body: (Row) throws -> T) throws -> T? {
        try statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id = ?").first(
            .integer(collection), .blob(id), row: body)
    }

    /// Calls a function with the documents of a collection in the order of their IDs, until it returns false.
    func documents(of collection: Int64, from: [UInt8] = [], descending: Bool = false, while body: (DocumentRow) throws -> Bool) throws {
        try rows(of: collection, from: from, descending: descending) { try body(DocumentRow($0)) }
    }

    /// Calls a function with rows `id`, `created`, `version`, `body` in the order of their IDs, until it returns false.
    func rows(of collection: Int64, from: [UInt8] = [], descending: Bool = false, while body: (Row) throws -> Bool) throws {
        let rows =
            descending
            ? try statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id >= ? ORDER BY id DESC")
            : try statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id >= ? ORDER BY id")
        try rows.rows([.integer(collection), .blob(from)], while: body)
    }

    /// Calls a function with the rows of a collection in no order, until it returns false.
    ///
    /// The whole table is read if the collection is most of it, which saves the way from the index to each row.
    func unorderedRows(of collection: CollectionRow, while body: (Row) throws -> Bool) throws {
        let last = try statement("SELECT max(number) FROM documents").first { $0.integer(0) } ?? 0
        if collection.documents < last / 2 { return try rows(of: collection.number, while: body) }
        try statement("SELECT id, created, version, body FROM documents NOT INDEXED WHERE collection = ?").rows(
            [.integer(collection.number)], while: body)
    }

    /// Writes a document and returns its number.
    func put(_ row: DocumentRow, in collection: Int64) throws -> Int64 {
        let number = try statement(
            """
            INSERT INTO documents (collection, id, created, version, body) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (collection, id) DO UPDATE SET created = excluded.created, version = excluded.version, body = excluded.body
            RETURNING number
            """
        ).first(.integer(collection), .blob(row.id), .integer(row.created), .integer(row.version), .blob(row.body)) { $0.integer(0) }
        guard let number else { throw DocumentError.damaged }
        return number
    }

    /// Removes a document and returns its number; nil if there was none.
    func removeDocument(_ id: [UInt8], in collection: Int64) throws -> Int64? {
        try statement("DELETE FROM documents WHERE collection = ? AND id = ? RETURNING number").first(.integer(collection), .blob(id)) {
            $0.integer(0)
        }
    }
}
