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

    /// Throws `DocumentError.damaged` if the row cannot be read.
    func document(in collection: DocumentPath, _ bodies: BodyReader) throws -> StoredDocument {
        guard let id = StoredID.segment(id), let path = DocumentPath(collection.segments + [id]), let created = DocumentTime(microseconds: created),
            let version = DocumentTime(microseconds: version)
        else { throw DocumentError.damaged }
        return StoredDocument(path, try bodies.fields(body), created: created, version: version)
    }
}

/// A document or change that the database cannot have, unless the file is damaged.
enum DocumentError: Error {
    case damaged
}

extension DocumentDB {
    func document(_ id: PathSegment, in collection: Int64) throws -> DocumentRow? {
        try statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id = ?").first(
            .integer(collection), .blob(StoredID.bytes(id)), row: DocumentDB.document)
    }

    /// Calls a function with the documents of a collection in the order of their IDs, until it returns false.
    func documents(of collection: Int64, from: [UInt8] = [], descending: Bool = false, while body: (DocumentRow) throws -> Bool) throws {
        let rows =
            descending
            ? try statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id >= ? ORDER BY id DESC")
            : try statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id >= ? ORDER BY id")
        try rows.rows([.integer(collection), .blob(from)]) { try body(DocumentDB.document($0)) }
    }

    private static func document(_ row: Row) -> DocumentRow {
        DocumentRow(id: row.bytes(0), created: row.integer(1), version: row.integer(2), body: row.bytes(3))
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
