// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A collection of ``Documents`` as a service of the sync engines.
///
/// ```swift
/// let orders = CollectionService<Order>(documents) { session.userID.map { "users/\($0)/orders" } }
/// let engine = CollectionSyncEngine(remote: orders, managerKey: "orders")
/// ```
public struct CollectionService<Model: SyncedModel>: RemoteCollectionService {
    private let documents: Documents
    private let path: @Sendable () -> String?
    private let logger: SyncLogger?

    /// Creates a service of a collection whose path may change.
    ///
    /// - Parameters:
    ///   - documents: The documents.
    ///   - logger: Gets a line for each malformed document, which is left out of results.
    ///   - path: The collection's path at the time of a call; nil throws ``DocumentSyncError/collectionPathNotAvailable``.
    public init(_ documents: Documents, logger: SyncLogger? = nil, path: @escaping @Sendable () -> String?) {
        (self.documents, self.path, self.logger) = (documents, path, logger)
    }

    /// Creates a service of a collection whose path does not change.
    ///
    /// - Parameters:
    ///   - documents: The documents.
    ///   - path: The collection's path.
    ///   - logger: Gets a line for each malformed document, which is left out of results.
    public init(_ documents: Documents, path: String, logger: SyncLogger? = nil) {
        self.init(documents, logger: logger) { path }
    }

    /// The user of the documents.
    public var user: String? { documents.user }

    /// The folder of the documents' stores.
    public var localFolder: URL? { documents.localFolder }

    /// The number of times that the documents have removed the local data of a user.
    public func localDataRemovals(of user: String?) -> Int { documents.localDataRemovals(of: user) }

    private func collection() throws -> CollectionReference {
        guard let path = path() else { throw DocumentSyncError.collectionPathNotAvailable }
        return documents.collection(path)
    }

    /// Returns a document.
    public func getDocument(id: String) async throws -> Model {
        guard let model = try await collection().document(id).get(as: Model.self) else { throw DocumentSyncError.documentNotFound(id: id) }
        return model
    }

    /// Writes a document; a value without an ID is added as a new one.
    public func saveDocument(_ model: Model) async throws {
        if let id = model.documentID { try await collection().document(id).set(model) } else { try await collection().add(model) }
    }

    /// Changes fields of a document. The names are paths, such as `address.city`.
    public func updateDocument(id: String, data: [String: FieldValue]) async throws { try await collection().document(id).update(data) }

    /// Deletes a document.
    public func deleteDocument(id: String) async throws { try await collection().document(id).delete() }

    /// Streams a document as it changes; nil while it does not exist.
    public func streamDocument(id: String) -> AsyncThrowingStream<Model?, any Error> {
        ModelStreams(documents, logger).document { try collection().document(id) }
    }

    /// Returns all documents.
    public func getCollection() async throws -> [Model] { try await getDocuments { $0 } }

    /// Returns the result of a query.
    public func getDocuments(query: @escaping QueryChange) async throws -> [Model] {
        ModelStreams(documents, logger).models(try await query(try collection().query).get())
    }

    /// Streams the result of a query as it changes.
    public func streamCollection(query: @escaping QueryChange) -> AsyncThrowingStream<[Model], any Error> {
        ModelStreams(documents, logger).collection { query(try collection().query) }
    }

    /// Streams documents that were added or changed, and the IDs of those that left the result.
    public func streamCollectionUpdates(
        query: @escaping QueryChange
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>) {
        ModelStreams(documents, logger).updates { query(try collection().query) }
    }
}

/// All collections with an ID as a service of the sync engines.
public struct CollectionGroupService<Model: SyncedModel>: RemoteCollectionGroupService {
    private let documents: Documents
    private let id: @Sendable () -> String?
    private let logger: SyncLogger?

    /// Creates a service of collections whose ID may change.
    ///
    /// - Parameters:
    ///   - documents: The documents.
    ///   - logger: Gets a line for each malformed document, which is left out of results.
    ///   - id: The ID of the collections at the time of a call; nil throws ``DocumentSyncError/collectionPathNotAvailable``.
    public init(_ documents: Documents, logger: SyncLogger? = nil, id: @escaping @Sendable () -> String?) {
        (self.documents, self.id, self.logger) = (documents, id, logger)
    }

    /// Creates a service of collections whose ID does not change.
    ///
    /// - Parameters:
    ///   - documents: The documents.
    ///   - id: The ID of the collections.
    ///   - logger: Gets a line for each malformed document, which is left out of results.
    public init(_ documents: Documents, id: String, logger: SyncLogger? = nil) {
        self.init(documents, logger: logger) { id }
    }

    /// The user of the documents.
    public var user: String? { documents.user }

    /// The folder of the documents' stores.
    public var localFolder: URL? { documents.localFolder }

    /// The number of times that the documents have removed the local data of a user.
    public func localDataRemovals(of user: String?) -> Int { documents.localDataRemovals(of: user) }

    private func group() throws -> Query {
        guard let id = id() else { throw DocumentSyncError.collectionPathNotAvailable }
        return documents.collectionGroup(id)
    }

    /// Returns all documents.
    public func getCollection() async throws -> [Model] { try await getDocuments { $0 } }

    /// Returns the result of a query.
    public func getDocuments(query: @escaping QueryChange) async throws -> [Model] {
        ModelStreams(documents, logger).models(try await query(try group()).get())
    }

    /// Streams the result of a query as it changes.
    public func streamCollection(query: @escaping QueryChange) -> AsyncThrowingStream<[Model], any Error> {
        ModelStreams(documents, logger).collection { query(try group()) }
    }

    /// Streams documents that were added or changed, and the IDs of those that left the result.
    public func streamCollectionUpdates(
        query: @escaping QueryChange
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>) {
        ModelStreams(documents, logger).updates { query(try group()) }
    }
}

/// Gets a line for each thing that a developer should know.
public typealias SyncLogger = @Sendable (String) -> Void

/// Listeners whose documents are values of a type. Malformed documents are left out and logged.
struct ModelStreams<Model: Decodable & Sendable>: Sendable {
    private let documents: Documents
    private let logger: SyncLogger?

    init(_ documents: Documents, _ logger: SyncLogger?) {
        (self.documents, self.logger) = (documents, logger)
    }

    func models(_ snapshot: QuerySnapshot) -> [Model] { snapshot.documents.compactMap(model) }

    private func model(_ snapshot: DocumentSnapshot) -> Model? {
        do throws(DocumentError) { return try snapshot.data(as: Model.self) } catch {
            logger?(error.reason)
            return nil
        }
    }

    func document(_ reference: @escaping @Sendable () throws -> DocumentReference) -> AsyncThrowingStream<Model?, any Error> {
        deferred(reference) { reference in
            { [model(DocumentSnapshot(reference, $0.view))] }
        } kind: { reference throws(DocumentError) in
            .document(try reference.checked())
        }
    }

    func collection(_ query: @escaping @Sendable () throws -> Query) -> AsyncThrowingStream<[Model], any Error> {
        deferred(query) { query in
            { [models(QuerySnapshot(query, $0))] }
        } kind: { query throws(DocumentError) in
            .query(try query.model.get())
        }
    }

    /// Two listeners of one target, so that a reader of only one of the streams holds up nothing.
    func updates(
        _ query: @escaping @Sendable () throws -> Query
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>) {
        let kind: @Sendable (Query) throws(DocumentError) -> StreamTarget.Kind = { query throws(DocumentError) in .query(try query.model.get()) }
        let updates = deferred(
            query, { query in { QuerySnapshot(query, $0).changes.filter { $0.kind != .removed }.compactMap { model($0.document) } } }, kind: kind)
        let deletions = deferred(
            query, { query in { QuerySnapshot(query, $0).changes.filter { $0.kind == .removed }.map(\.document.id) } }, kind: kind)
        return (updates, deletions)
    }

    /// Streams a listener whose place is asked for once, at the first read.
    private func deferred<Place: Sendable, Element: Sendable>(
        _ place: @escaping @Sendable () throws -> Place,
        _ elements: @escaping @Sendable (Place) -> @Sendable (SnapshotFeed.Step) -> [Element],
        kind: @escaping @Sendable (Place) throws(DocumentError) -> StreamTarget.Kind
    ) -> AsyncThrowingStream<Element, any Error> {
        let found: Place
        do { found = try place() } catch {
            return AsyncThrowingStream { throw error }
        }
        let read = elements(found)
        return listenerStream(documents, { () throws(DocumentError) in try kind(found) }) { read($0) }
    }
}
