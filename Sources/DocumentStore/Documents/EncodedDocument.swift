// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A document whose fields are JSON, as they are stored and as responses have them.
package struct EncodedDocument: Sendable {
    package let path: DocumentPath
    /// The JSON of the fields.
    package let body: [UInt8]
    package let created: DocumentTime
    package let version: DocumentTime

    /// Throws `DocumentError.damaged` if the row cannot be one of a collection.
    init(_ row: DocumentRow, in collection: DocumentPath) throws {
        guard let id = StoredID.segment(row.id), let path = DocumentPath(collection.segments + [id]),
            let created = DocumentTime(microseconds: row.created), let version = DocumentTime(microseconds: row.version)
        else { throw DocumentError.damaged }
        self.init(path, row.body, created: created, version: version)
    }

    private init(_ path: DocumentPath, _ body: [UInt8], created: DocumentTime, version: DocumentTime) {
        (self.path, self.body, self.created, self.version) = (path, body, created, version)
    }

    /// About the bytes of the document in a response.
    package var bytes: Int { body.count + path.size + 128 }

    func decoded(_ bodies: BodyReader) throws -> StoredDocument {
        StoredDocument(path, try bodies.fields(body), created: created, version: version)
    }

    /// The document with the selected fields only; with all without a selection.
    func selecting(_ selection: FieldSelection?, _ bodies: BodyReader) throws -> EncodedDocument {
        guard let selection else { return self }
        return EncodedDocument(path, BodyReader.body(selection.fields(of: try bodies.fields(body))), created: created, version: version)
    }
}
