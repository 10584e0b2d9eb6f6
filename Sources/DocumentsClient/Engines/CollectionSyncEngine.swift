// SPDX-License-Identifier: Apache-2.0

/// Keeps a collection in memory and up to date.
///
/// ```swift
/// let products = CollectionSyncEngine(remote: CollectionService<Product>(documents, path: "products"), managerKey: "products")
/// try await products.startListening()
/// list.items = products.currentCollection
/// ```
///
/// With another user of the service the listener ends, and ``currentCollection`` is what was seen as that user.
public final class CollectionSyncEngine<Model: SyncedModel>: Sendable {
    private let remote: any RemoteCollectionService<Model>
    private let memory: EngineMemory<Model>

    /// Creates an engine, which shows what it has seen in an earlier launch.
    ///
    /// - Parameters:
    ///   - remote: The collection.
    ///   - managerKey: The name under which the collection is kept on the disk; different for each engine of an app.
    ///   - enableLocalPersistence: Whether ``currentCollection`` is there at the next launch before anything was read.
    ///   - logger: Gets a line when the listener ends with an error.
    public init(remote: any RemoteCollectionService<Model>, managerKey: String, enableLocalPersistence: Bool = true, logger: SyncLogger? = nil) {
        self.remote = remote
        memory = EngineMemory(remote, key: enableLocalPersistence ? managerKey : nil, logger)
    }

    /// The documents as they were last seen, in the order of their IDs or of the query that is followed.
    public var currentCollection: [Model] { memory.seen?.models ?? [] }

    /// Reads the collection, and follows it until ``stopListening()``.
    ///
    /// - Throws: ``DocumentSyncError/collectionPathNotAvailable`` without a path.
    public func startListening() async throws { try await follow(isAll: true) { $0 } }

    /// Reads the result of a query over the collection, and follows it in place of what was followed before.
    ///
    /// ```swift
    /// try await products.startListening { $0.where("price", isLessThan: 10).order("price") }
    /// ```
    ///
    /// - Throws: ``DocumentSyncError/collectionPathNotAvailable`` without a path.
    public func startListening(buildQuery: @escaping QueryChange) async throws { try await follow(isAll: false, buildQuery) }

    private func follow(isAll: Bool, _ query: @escaping QueryChange) async throws {
        try await memory.follow(remote.streamCollection(query: query), isAll: isAll) { SeenDocuments(models: $0) }
    }

    /// Stops following the collection and forgets it.
    public func stopListening() { stopListening(clearCaches: true) }

    /// Stops following the collection.
    ///
    /// - Parameter clearCaches: Whether ``currentCollection`` is forgotten, here and on the disk.
    public func stopListening(clearCaches: Bool) { memory.stop(forgets: clearCaches) }

    /// Returns the collection, from memory while all of it is followed.
    public func getCollectionAsync() async throws -> [Model] {
        if let all = memory.all { return all }
        return try await remote.getCollection()
    }

    /// Returns the collection as the service has it.
    public func getCollection() async throws -> [Model] { try await remote.getCollection() }

    /// Returns a document.
    public func getDocument(id: String) async throws -> Model { try await remote.getDocument(id: id) }

    /// Returns a document, from memory while it is followed.
    public func getDocumentAsync(id: String) async throws -> Model {
        if let known = memory.followed?.first(where: { $0.documentID == id }) { return known }
        return try await remote.getDocument(id: id)
    }

    /// Returns the result of a query over the collection.
    ///
    /// ```swift
    /// try await products.getDocumentsAsync { $0.where("price", isLessThan: 10).limit(5) }
    /// ```
    public func getDocumentsAsync(buildQuery: @escaping QueryChange) async throws -> [Model] { try await remote.getDocuments(query: buildQuery) }

    /// Writes a document; a value without an ID is added as a new one.
    public func saveDocument(_ model: Model) async throws { try await remote.saveDocument(model) }

    /// Changes fields of a document. The names are paths, such as `address.city`.
    public func updateDocument(id: String, data: [String: FieldValue]) async throws { try await remote.updateDocument(id: id, data: data) }

    /// Deletes a document.
    public func deleteDocument(id: String) async throws { try await remote.deleteDocument(id: id) }

    /// Streams a document; nil while it does not exist.
    public func streamDocument(id: String) -> AsyncThrowingStream<Model?, any Error> { remote.streamDocument(id: id) }

    /// Streams the collection as it changes.
    public func streamCollection() -> AsyncThrowingStream<[Model], any Error> { streamCollection { $0 } }

    /// Streams the result of a query over the collection as it changes.
    public func streamCollection(buildQuery: @escaping QueryChange) -> AsyncThrowingStream<[Model], any Error> {
        remote.streamCollection(query: buildQuery)
    }

    /// Streams documents that were added or changed, and the IDs of those that were deleted.
    public func streamCollectionUpdates() -> (
        updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>
    ) { streamCollectionUpdates { $0 } }

    /// Streams documents of a query's result that were added or changed, and the IDs of those that left it.
    public func streamCollectionUpdates(
        buildQuery: @escaping QueryChange
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>) {
        remote.streamCollectionUpdates(query: buildQuery)
    }
}

/// Keeps the documents of all collections with an ID in memory and up to date.
///
/// With another user of the service the listener ends, and ``currentCollection`` is what was seen as that user.
public final class CollectionGroupSyncEngine<Model: SyncedModel>: Sendable {
    private let remote: any RemoteCollectionGroupService<Model>
    private let memory: EngineMemory<Model>

    /// Creates an engine, which shows what it has seen in an earlier launch.
    ///
    /// - Parameters:
    ///   - remote: The collections.
    ///   - managerKey: The name under which the documents are kept on the disk; different for each engine of an app.
    ///   - enableLocalPersistence: Whether ``currentCollection`` is there at the next launch before anything was read.
    ///   - logger: Gets a line when the listener ends with an error.
    public init(
        remote: any RemoteCollectionGroupService<Model>, managerKey: String, enableLocalPersistence: Bool = true, logger: SyncLogger? = nil
    ) {
        self.remote = remote
        memory = EngineMemory(remote, key: enableLocalPersistence ? managerKey : nil, logger)
    }

    /// The documents as they were last seen, in the order of their paths or of the query that is followed.
    public var currentCollection: [Model] { memory.seen?.models ?? [] }

    /// Reads the documents, and follows them until ``stopListening()``.
    ///
    /// - Throws: ``DocumentSyncError/collectionPathNotAvailable`` without an ID.
    public func startListening() async throws { try await follow(isAll: true) { $0 } }

    /// Reads the result of a query over the documents, and follows it in place of what was followed before.
    ///
    /// - Throws: ``DocumentSyncError/collectionPathNotAvailable`` without an ID.
    public func startListening(buildQuery: @escaping QueryChange) async throws { try await follow(isAll: false, buildQuery) }

    private func follow(isAll: Bool, _ query: @escaping QueryChange) async throws {
        try await memory.follow(remote.streamCollection(query: query), isAll: isAll) { SeenDocuments(models: $0) }
    }

    /// Stops following the documents and forgets them.
    public func stopListening() { stopListening(clearCaches: true) }

    /// Stops following the documents.
    ///
    /// - Parameter clearCaches: Whether ``currentCollection`` is forgotten, here and on the disk.
    public func stopListening(clearCaches: Bool) { memory.stop(forgets: clearCaches) }

    /// Returns the documents, from memory while all of them are followed.
    public func getCollectionAsync() async throws -> [Model] {
        if let all = memory.all { return all }
        return try await remote.getCollection()
    }

    /// Returns the documents as the service has them.
    public func getCollection() async throws -> [Model] { try await remote.getCollection() }

    /// Returns the result of a query over the documents.
    public func getDocumentsAsync(buildQuery: @escaping QueryChange) async throws -> [Model] { try await remote.getDocuments(query: buildQuery) }

    /// Streams the documents as they change.
    public func streamCollection() -> AsyncThrowingStream<[Model], any Error> { streamCollection { $0 } }

    /// Streams the result of a query over the documents as it changes.
    public func streamCollection(buildQuery: @escaping QueryChange) -> AsyncThrowingStream<[Model], any Error> {
        remote.streamCollection(query: buildQuery)
    }

    /// Streams documents that were added or changed, and the IDs of those that were deleted.
    public func streamCollectionUpdates() -> (
        updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>
    ) { streamCollectionUpdates { $0 } }

    /// Streams documents of a query's result that were added or changed, and the IDs of those that left it.
    public func streamCollectionUpdates(
        buildQuery: @escaping QueryChange
    ) -> (updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>) {
        remote.streamCollectionUpdates(query: buildQuery)
    }
}
