// SPDX-License-Identifier: Apache-2.0

import JSON
import SQLite
import SignalboxDocumentModel

/// A document that a scan has come to: the columns `id`, `created`, `version` and `body` of a row, which is valid until the next one.
struct ScannedRow {
    private let row: Row

    init(_ row: Row) { self.row = row }

    var id: [UInt8] { row.bytes(0) }
    var copy: DocumentRow { DocumentRow(row) }

    func withBody<R>(_ read: (Span<UInt8>) throws -> R) rethrows -> R { try row.withBytes(3, read) }
}

/// The fields that a query compares, which are all that a scan reads of most documents.
struct ScannedFields {
    fileprivate let paths: [FieldPath]
    private let places: [JSONFieldPath]

    init(_ paths: [FieldPath]) {
        self.paths = paths
        places = paths.map { path in JSONFieldPath(path.names.map { NativeJSON.name(of: $0) }) }
    }

    fileprivate func values(in body: Span<UInt8>, _ bodies: BodyReader) throws -> [DocumentValue?] {
        try places.map { place in try place.place(in: body).map { try bodies.value(body.extracting($0)) } }
    }
}

/// A document of a scan, as queries see it.
struct ScannedDocument: QueriedDocument {
    let collection: DocumentPath
    let row: ScannedRow
    private let fields: ScannedFields
    private let values: [DocumentValue?]
    let bodyBytes: Int

    init(_ row: ScannedRow, in collection: DocumentPath, _ fields: ScannedFields, _ bodies: BodyReader) throws {
        (self.row, self.collection, self.fields) = (row, collection, fields)
        (values, bodyBytes) = try row.withBody { (try fields.values(in: $0, bodies), $0.count) }
    }

    /// The path. A damaged ID stands for the collection; `found` rejects it.
    var path: DocumentPath { StoredID.segment(row.id).flatMap { DocumentPath(collection.segments + [$0]) } ?? collection }

    func value(at field: FieldPath) -> DocumentValue? {
        field.isName ? .reference(DocumentReference(path)) : fields.paths.firstIndex(of: field).flatMap { values[$0] }
    }

    /// The document with what is needed to sort it. Throws `DocumentError.damaged`.
    func found() throws -> FoundDocument { FoundDocument(try EncodedDocument(row.copy, in: collection), fields, values) }
}

/// A document of a result that is not in order yet.
struct FoundDocument: QueriedDocument {
    let document: EncodedDocument
    private let fields: ScannedFields
    private let values: [DocumentValue?]

    fileprivate init(_ document: EncodedDocument, _ fields: ScannedFields, _ values: [DocumentValue?]) {
        (self.document, self.fields, self.values) = (document, fields, values)
    }

    var path: DocumentPath { document.path }
    var bytes: Int { document.body.count + document.path.size }

    func value(at field: FieldPath) -> DocumentValue? {
        field.isName ? .reference(DocumentReference(path)) : fields.paths.firstIndex(of: field).flatMap { values[$0] }
    }
}
