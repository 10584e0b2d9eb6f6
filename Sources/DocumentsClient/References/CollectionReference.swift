// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalboxDocumentModel

/// A collection's place. It is also the query of all of its documents.
public struct CollectionReference: Sendable, QueryConvertible {
    /// The service that the reference belongs to.
    public let documents: Documents
    /// The path, such as `users` or `users/u1/orders`.
    public let path: String
    /// The mistake in an ID of the path that the path does not show.
    var fault: DocumentError?

    /// The last part of the path.
    public var id: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The document that the collection is below; nil at the top.
    public var parent: DocumentReference? {
        let parts = path.split(separator: "/").dropLast()
        return parts.isEmpty ? nil : DocumentReference(documents: documents, path: parts.joined(separator: "/"), fault: fault)
    }

    /// All documents of the collection, in the order of their IDs.
    public var query: Query { Query(self) }

    /// A document of the collection by its ID. An ID that no document may have, such as one with a slash, is an error of the first call that
    /// uses the document.
    public func document(_ id: String) -> DocumentReference {
        var document = DocumentReference(documents: documents, path: "\(path)/\(id)", fault: fault)
        // With a slash it would be a document of another collection.
        if fault == nil { do throws(DocumentError) { try PathCheck.id(id) } catch { document.fault = error } }
        return document
    }

    /// A document with a new ID, which no other device makes.
    public func document() -> DocumentReference { document(RandomID.new(at: documents.options.now())) }

    /// Adds a document with a new ID.
    @discardableResult
    public func add(_ fields: [String: FieldValue]) async throws(DocumentError) -> DocumentReference {
        let document = document()
        try await document.set(fields)
        return document
    }

    /// Adds a document with the fields of a value and a new ID.
    @discardableResult
    public func add(_ value: some Encodable) async throws(DocumentError) -> DocumentReference {
        try await add(try DocumentEncoder().encode(value))
    }
}
