// SPDX-License-Identifier: Apache-2.0

/// A type whose values are documents, found by their `id`.
public protocol SyncedModel: Codable, Sendable, Identifiable where ID == String {}

/// An error of the sync engines and their services.
public enum DocumentSyncError: Error, Equatable, Sendable {
    /// The closure of the path returned nil, as for a user who is not signed in.
    case collectionPathNotAvailable
    /// The document does not exist.
    case documentNotFound(id: String)
    /// `startListening` was not called, so no document is meant.
    case notListening
}

/// The documents of a collection, one at a time.
public protocol RemoteDocumentService<Model>: Sendable {
    associatedtype Model: SyncedModel
    func getDocument(id: String) async throws -> Model
    func saveDocument(_ model: Model) async throws
    func updateDocument(id: String, data: [String: FieldValue]) async throws
    func deleteDocument(id: String) async throws
    /// Streams the document as it changes; nil while it does not exist.
    func streamDocument(id: String) -> AsyncThrowingStream<Model?, any Error>
}

/// A change of a query that an engine makes for a request.
public typealias QueryChange = @Sendable (Query) -> Query

/// The documents of a collection.
public protocol RemoteCollectionService<Model>: RemoteDocumentService {
    func getCollection() async throws -> [Model]
    func getDocuments(query: @escaping QueryChange) async throws -> [Model]
    /// Streams the result of a query as it changes.
    func streamCollection(query: @escaping QueryChange) -> AsyncThrowingStream<[Model], any Error>
    /// Streams documents that were added or changed, and the IDs of those that left the result.
    func streamCollectionUpdates(
        query: @escaping QueryChange
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>)
}

/// The documents of all collections with an ID, which are read only.
public protocol RemoteCollectionGroupService<Model>: Sendable {
    associatedtype Model: SyncedModel
    func getCollection() async throws -> [Model]
    func getDocuments(query: @escaping QueryChange) async throws -> [Model]
    func streamCollection(query: @escaping QueryChange) -> AsyncThrowingStream<[Model], any Error>
    func streamCollectionUpdates(
        query: @escaping QueryChange
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>)
}

extension RemoteCollectionService {
    public func streamCollection() -> AsyncThrowingStream<[Model], any Error> { streamCollection { $0 } }

    public func streamCollectionUpdates() -> (
        updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>
    ) { streamCollectionUpdates { $0 } }
}
