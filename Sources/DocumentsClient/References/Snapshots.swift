// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Signalbox
import SignalboxDocumentModel

/// A document as it was at one time.
public struct DocumentSnapshot: Sendable {
    /// The document's place.
    public let reference: DocumentReference
    /// Whether the daemon has not confirmed that this is the document now.
    public let isFromCache: Bool
    /// Whether queued writes have changed or deleted the document.
    public let hasPendingWrites: Bool
    let viewed: ViewedDocument?

    init(_ reference: DocumentReference, _ view: FeedView) {
        (self.reference, isFromCache, hasPendingWrites, viewed) = (reference, view.isFromCache, view.hasPendingWrites, view.documents.first)
    }

    init(_ document: ViewedDocument, of documents: Documents, isFromCache: Bool) {
        reference = DocumentReference(documents: documents, path: document.path.description)
        (self.isFromCache, hasPendingWrites, viewed) = (isFromCache, document.hasPendingWrites, document)
    }

    /// The last part of the path.
    public var id: String { reference.id }
    /// Whether the document exists.
    public var exists: Bool { viewed != nil }
    /// The fields; nil if the document does not exist.
    public var data: [String: FieldValue]? { viewed.map { FieldValue.fields($0.fields) } }
    /// The time of the commit that last changed the document; nil if it does not exist, or the daemon does not have it yet.
    public var updateTime: Date? { viewed.flatMap { $0.version > 0 ? DocumentTime(microseconds: $0.version)?.date : nil } }
    /// The time of the commit that made the document.
    public var createTime: Date? { viewed.flatMap { $0.created > 0 ? DocumentTime(microseconds: $0.created)?.date : nil } }
    /// The version, for conditions of requests of your own; 0 if the daemon does not have the document.
    public var version: Int64 { viewed?.version ?? 0 }

    /// The value of a field by its path, such as `address.city`.
    public subscript(field: String) -> FieldValue? {
        guard let path = PathCheck.field(field) else { return nil }
        return viewed?.fields[path].map { FieldValue($0) }
    }

    /// Returns the fields as a value of a type; nil if the document does not exist.
    ///
    /// - Throws: ``DocumentError`` with the code `dataLoss` if the fields have another form. It names the document and the field.
    public func data<T: Decodable>(as type: T.Type) throws(DocumentError) -> T? {
        guard let viewed else { return nil }
        return try DocumentDecoder().decode(type, from: .map(FieldValue.fields(viewed.fields)), path: reference.path)
    }
}

/// A change between two snapshots of a query.
///
/// The changes of a snapshot, made one after the other, turn the earlier list of documents into the new one:
///
/// ```swift
/// for change in snapshot.changes {
///     if let old = change.oldIndex { list.remove(at: old) }
///     if let new = change.newIndex { list.insert(change.document, at: new) }
/// }
/// ```
public struct DocumentChange: Sendable {
    /// The kind of a change.
    public enum Kind: Sendable {
        /// The document was not in the result before.
        case added
        /// The document has other fields, or with metadata changes another state of its writes.
        case modified
        /// The document is not in the result any more.
        case removed
    }

    /// The kind of the change.
    public let kind: Kind
    /// The document after the change; for a removal, before it.
    public let document: DocumentSnapshot
    /// The place in the result before this change, when all earlier changes of the snapshot have been made; nil for an added document.
    public let oldIndex: Int?
    /// The place in the result after this change, when all earlier changes of the snapshot have been made; nil for a removed document.
    public let newIndex: Int?
}

/// The result of a query at one time.
public struct QuerySnapshot: Sendable {
    /// The query.
    public let query: Query
    /// The documents in the query's order.
    public let documents: [DocumentSnapshot]
    /// The differences from the snapshot before: removed documents, then added, then modified ones, each in the order of the query.
    public let changes: [DocumentChange]
    /// Whether the daemon has not confirmed that this is the result now.
    public let isFromCache: Bool
    /// Whether queued writes have changed a document.
    public let hasPendingWrites: Bool

    init(_ query: Query, _ step: SnapshotFeed.Step) {
        let view = query.ordered(step.view)
        let snapshot = { (document: ViewedDocument, view: FeedView) in
            DocumentSnapshot(document, of: query.documents, isFromCache: view.isFromCache)
        }
        self.query = query
        documents = view.documents.map { snapshot($0, view) }
        (isFromCache, hasPendingWrites) = (view.isFromCache, view.hasPendingWrites)
        let before = step.previous.map(query.ordered)?.documents ?? []
        let differences = ViewChanges(from: before, to: view.documents, withMetadata: step.includesMetadata, by: query.precedes)
        changes = differences.all.map { change in
            let kind: DocumentChange.Kind = change.new == nil ? .removed : change.old == nil ? .added : .modified
            return DocumentChange(kind: kind, document: snapshot(change.document, view), oldIndex: change.old, newIndex: change.new)
        }
    }

    /// Whether the result has no documents.
    public var isEmpty: Bool { documents.isEmpty }
    /// The number of documents.
    public var count: Int { documents.count }

    /// Returns the documents as values of a type, and an error for each that has another form.
    public func data<T: Decodable>(as type: T.Type) -> (values: [T], malformed: [DocumentError]) {
        var (values, malformed): ([T], [DocumentError]) = ([], [])
        for document in documents {
            do throws(DocumentError) { if let value = try document.data(as: type) { values.append(value) } } catch { malformed.append(error) }
        }
        return (values, malformed)
    }
}
