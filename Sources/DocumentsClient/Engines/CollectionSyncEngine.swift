// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Signalbox

/// Keeps a collection in memory and up to date.
///
/// ```swift
/// let products = CollectionSyncEngine(remote: CollectionService<Product>(documents, path: "products"), managerKey: "products")
/// try await products.startListening()
/// list.items = products.currentCollection
/// ```
public final class CollectionSyncEngine<Model: SyncedModel>: Sendable {
    private let remote: any RemoteCollectionService<Model>
    private let memory: CollectionMemory<Model>

    /// - Parameters:
    ///   - managerKey: The name under which the collection is kept on the disk; different for each engine of an app.
    ///   - enableLocalPersistence: Whether ``currentCollection`` is there at the next launch before anything was read.
    public init(
        remote: any RemoteCollectionService<Model>, managerKey: String, enableLocalPersistence: Bool = true, logger: SyncLogger? = nil,
        folder: URL? = nil
    ) {
        self.remote = remote
        memory = CollectionMemory(key: enableLocalPersistence ? managerKey : nil, folder, logger)
    }

    /// The documents as they were last seen, in the order of their IDs.
    public var currentCollection: [Model] { memory.models }

    /// Reads the collection, and follows it until ``stopListening()``.
    ///
    /// - Throws: ``DocumentSyncError/collectionPathNotAvailable`` without a path.
    public func startListening() async throws { try await memory.follow(remote.streamCollection { $0 }) }

    /// Stops following the collection and forgets it.
    public func stopListening() { memory.stop() }

    /// Returns the collection, from memory while it is followed.
    public func getCollectionAsync() async throws -> [Model] { memory.isFollowing ? memory.models : try await remote.getCollection() }
    public func getCollection() async throws -> [Model] { try await remote.getCollection() }

    public func getDocument(id: String) async throws -> Model { try await remote.getDocument(id: id) }

    /// Returns the result of a query over the collection.
    ///
    /// ```swift
    /// try await products.getDocumentsAsync { $0.where("price", isLessThan: 10).limit(5) }
    /// ```
    public func getDocumentsAsync(buildQuery: @escaping QueryChange) async throws -> [Model] { try await remote.getDocuments(query: buildQuery) }

    public func saveDocument(_ model: Model) async throws { try await remote.saveDocument(model) }

    /// Changes fields of a document. The names are paths, such as `address.city`.
    public func updateDocument(id: String, data: [String: FieldValue]) async throws { try await remote.updateDocument(id: id, data: data) }

    public func deleteDocument(id: String) async throws { try await remote.deleteDocument(id: id) }

    public func streamDocument(id: String) -> AsyncThrowingStream<Model?, any Error> { remote.streamDocument(id: id) }

    public func streamCollection() -> AsyncThrowingStream<[Model], any Error> { remote.streamCollection { $0 } }

    /// Streams documents that were added or changed, and the IDs of those that were deleted.
    public func streamCollectionUpdates() -> (
        updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>
    ) { remote.streamCollectionUpdates { $0 } }
}

/// Keeps the documents of all collections with an ID in memory and up to date.
public final class CollectionGroupSyncEngine<Model: SyncedModel>: Sendable {
    private let remote: any RemoteCollectionGroupService<Model>
    private let memory: CollectionMemory<Model>

    /// - Parameters:
    ///   - managerKey: The name under which the documents are kept on the disk; different for each engine of an app.
    ///   - enableLocalPersistence: Whether ``currentCollection`` is there at the next launch before anything was read.
    public init(
        remote: any RemoteCollectionGroupService<Model>, managerKey: String, enableLocalPersistence: Bool = true, logger: SyncLogger? = nil,
        folder: URL? = nil
    ) {
        self.remote = remote
        memory = CollectionMemory(key: enableLocalPersistence ? managerKey : nil, folder, logger)
    }

    /// The documents as they were last seen, in the order of their paths.
    public var currentCollection: [Model] { memory.models }

    public func startListening() async throws { try await memory.follow(remote.streamCollection { $0 }) }

    /// Stops following the documents and forgets them.
    public func stopListening() { memory.stop() }

    public func getCollectionAsync() async throws -> [Model] { memory.isFollowing ? memory.models : try await remote.getCollection() }

    public func getDocumentsAsync(buildQuery: @escaping QueryChange) async throws -> [Model] { try await remote.getDocuments(query: buildQuery) }

    public func streamCollectionUpdates() -> (
        updates: AsyncThrowingStream<Model, any Error>, deletions: AsyncThrowingStream<String, any Error>
    ) { remote.streamCollectionUpdates { $0 } }
}

/// The documents that an engine follows.
final class CollectionMemory<Model: SyncedModel>: Sendable {
    private struct State {
        var models: [Model] = []
        var listening: Task<Void, Never>?
        /// The number of the listener. Results of earlier ones are ignored.
        var number = 0
    }

    private let logger: SyncLogger?
    private let file: EngineFile<[Model]>
    private let state: Locked<State>

    init(key: String?, _ folder: URL?, _ logger: SyncLogger?) {
        self.logger = logger
        file = EngineFile(key: key, in: folder)
        state = Locked(State(models: file.load() ?? []))
    }

    deinit {
        state.withLock { $0.listening }?.cancel()
    }

    var models: [Model] { state.withLock { $0.models } }
    var isFollowing: Bool { state.withLock { $0.listening != nil } }

    /// Returns after the first result.
    func follow(_ stream: AsyncThrowingStream<[Model], any Error>) async throws {
        let (earlier, number) = state.withLock { state in
            state.number += 1
            return (state.listening, state.number)
        }
        earlier?.cancel()
        let first = FirstResult()
        let listening = Task { [weak self] in
            do {
                for try await models in stream {
                    self?.keep(models, number)
                    first.resolve(nil)
                }
                first.resolve(nil)
            } catch {
                self?.logger?("listening to a collection ended: \(error)")
                self?.ended(number)
                first.resolve(error)
            }
        }
        state.withLock { $0.listening = listening }
        try await first.wait()
    }

    func stop() {
        let listening = state.withLock { state in
            defer { (state.listening, state.models, state.number) = (nil, [], state.number + 1) }
            return state.listening
        }
        listening?.cancel()
        file.save(nil)
    }

    private func keep(_ models: [Model], _ number: Int) {
        let isCurrent = state.withLock { state in
            guard state.number == number else { return false }
            state.models = models
            return true
        }
        if isCurrent { file.save(models) }
    }

    private func ended(_ number: Int) {
        state.withLock { if $0.number == number { $0.listening = nil } }
    }
}
