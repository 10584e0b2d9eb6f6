// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// A document's place, whether or not it exists.
public struct DocumentReference: Sendable {
    /// The service that the reference belongs to.
    public let documents: Documents
    /// The path, such as `users/u1`.
    public let path: String
    /// The mistake in an ID of the path that the path does not show.
    var fault: DocumentError?

    /// The last part of the path.
    public var id: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The collection of the document.
    public var parent: CollectionReference {
        CollectionReference(documents: documents, path: path.split(separator: "/").dropLast().joined(separator: "/"), fault: fault)
    }

    /// A collection below the document.
    public func collection(_ path: String) -> CollectionReference {
        CollectionReference(documents: documents, path: "\(self.path)/\(path)", fault: fault)
    }

    func checked() throws(DocumentError) -> DocumentPath {
        if let fault { throw fault }
        return try PathCheck.document(path)
    }

    // MARK: Reads

    /// Returns the document. One that does not exist is a snapshot without data.
    public func get(source: DocumentSource = .default) async throws(DocumentError) -> DocumentSnapshot {
        let view = try await documents.engine().read(.document(try checked()), source)
        return DocumentSnapshot(self, view)
    }

    /// Returns the document's fields as a value of a type; nil if it does not exist.
    public func get<T: Decodable>(as type: T.Type, source: DocumentSource = .default) async throws(DocumentError) -> T? {
        try await get(source: source).data(as: type)
    }

    /// Streams the document as it changes, beginning with what is known now.
    ///
    /// - Parameter includeMetadataChanges: Whether a snapshot is also sent when only `isFromCache` or `hasPendingWrites` has changed.
    public func snapshots(includeMetadataChanges: Bool = false) -> AsyncThrowingStream<DocumentSnapshot, any Error> {
        listenerStream(documents, { () throws(DocumentError) in .document(try checked()) }, includesMetadata: includeMetadataChanges) { step in
            [DocumentSnapshot(self, step.view)]
        }
    }

    // MARK: Writes

    /// Replaces the document, or with `merge` sets the given fields only. Returns when the daemon has confirmed it.
    ///
    /// The write is shown at once, and it is queued on the disk: offline, the call waits until the daemon can be reached.
    /// ``WriteBatch/enqueue()`` does not wait.
    public func set(_ fields: [String: FieldValue], merge: Bool = false) async throws(DocumentError) {
        try await documents.batch().set(self, fields, merge: merge).commit()
    }

    /// Replaces the document by the fields of a value, or with `merge` sets these fields only.
    public func set(_ value: some Encodable, merge: Bool = false) async throws(DocumentError) {
        try await set(try DocumentEncoder().encode(value), merge: merge)
    }

    /// Changes fields of a document that exists. The names are paths, such as `address.city`; a name with a dot or one of `~*/[]` stands in
    /// backquotes.
    public func update(_ fields: [String: FieldValue]) async throws(DocumentError) {
        try await documents.batch().update(self, fields).commit()
    }

    /// Deletes the document. Collections below it stay.
    public func delete() async throws(DocumentError) {
        try await documents.batch().delete(self).commit()
    }
}

extension DocumentReference: Hashable {
    /// Whether both are the same place of the same service.
    public static func == (a: DocumentReference, b: DocumentReference) -> Bool { a.documents === b.documents && a.path == b.path }

    /// Hashes the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
