// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A type whose values are documents, found by their ID, which is a `String` or an optional one as with ``DocumentID``.
///
/// ```swift
/// struct Product: SyncedModel { var id: String; var price: Int }
/// struct Order: SyncedModel { @DocumentID var id: String?; var total: Double }
/// ```
public protocol SyncedModel: Codable, Sendable, Identifiable {
    /// The ID of the document; nil for a value that has none yet. It is saved as a new document.
    var documentID: String? { get }
}

extension SyncedModel where ID == String {
    /// The value's `id`.
    public var documentID: String? { id }
}

extension SyncedModel where ID == String? {
    /// The value's `id`.
    public var documentID: String? { id }
}

/// An error of the sync engines and their services.
public enum DocumentSyncError: Error, Equatable, Sendable {
    /// The closure of the path returned nil, as for a user who is not signed in.
    case collectionPathNotAvailable
    /// The document does not exist.
    case documentNotFound(id: String)
    /// `startListening` was not called, so no document is meant.
    case notListening
}

/// The user and the folder of a service, by which sync engines keep what they have seen apart for each user.
public protocol RemoteService: Sendable {
    /// The user whose documents the service has now; nil for nobody.
    var user: String? { get }
    /// The folder in which engines keep documents for the next launch; nil if none are kept.
    var localFolder: URL? { get }
    /// The number of times that the local data of a user was removed. An engine forgets what it saw before.
    func localDataRemovals(of user: String?) -> Int
}

extension RemoteService {
    /// Nobody: a service whose documents are those of a user says so.
    public var user: String? { nil }

    /// None.
    public func localDataRemovals(of user: String?) -> Int { 0 }

    /// A subfolder of the app's Application Support folder.
    public var localFolder: URL? {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?.appendingPathComponent("Signalbox")
    }
}

/// The documents of a collection, one at a time.
public protocol RemoteDocumentService<Model>: RemoteService {
    /// The type of the documents.
    associatedtype Model: SyncedModel
    /// Returns a document. Throws ``DocumentSyncError/documentNotFound(id:)`` if it does not exist.
    func getDocument(id: String) async throws -> Model
    /// Replaces the document of a value, or adds one.
    func saveDocument(_ model: Model) async throws
    /// Changes fields of a document. The names are paths, such as `address.city`.
    func updateDocument(id: String, data: [String: FieldValue]) async throws
    /// Deletes a document.
    func deleteDocument(id: String) async throws
    /// Streams the document as it changes; nil while it does not exist.
    func streamDocument(id: String) -> AsyncThrowingStream<Model?, any Error>
}

/// A change of a query that an engine makes for a request.
public typealias QueryChange = @Sendable (Query) -> Query

/// The documents of a collection.
public protocol RemoteCollectionService<Model>: RemoteDocumentService {
    /// Returns all documents.
    func getCollection() async throws -> [Model]
    /// Returns the result of a query.
    func getDocuments(query: @escaping QueryChange) async throws -> [Model]
    /// Streams the result of a query as it changes.
    func streamCollection(query: @escaping QueryChange) -> AsyncThrowingStream<[Model], any Error>
    /// Streams documents that were added or changed, and the IDs of those that left the result.
    func streamCollectionUpdates(
        query: @escaping QueryChange
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>)
}

/// The documents of all collections with an ID, which are read only.
public protocol RemoteCollectionGroupService<Model>: RemoteService {
    /// The type of the documents.
    associatedtype Model: SyncedModel
    /// Returns all documents.
    func getCollection() async throws -> [Model]
    /// Returns the result of a query.
    func getDocuments(query: @escaping QueryChange) async throws -> [Model]
    /// Streams the result of a query as it changes.
    func streamCollection(query: @escaping QueryChange) -> AsyncThrowingStream<[Model], any Error>
    /// Streams documents that were added or changed, and the IDs of those that left the result.
    func streamCollectionUpdates(
        query: @escaping QueryChange
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>)
}

extension RemoteCollectionService {
    /// Streams the collection as it changes.
    public func streamCollection() -> AsyncThrowingStream<[Model], any Error> { streamCollection { $0 } }

    /// Streams documents that were added or changed, and the IDs of those that were deleted.
    public func streamCollectionUpdates() -> (
        updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>
    ) { streamCollectionUpdates { $0 } }
}
