// SPDX-License-Identifier: Apache-2.0

import SignalboxDocuments
import Testing

/// The interface of the sync engines as apps use it, with services of their own: each name, label and type. That this compiles is the test;
/// what the calls do is in `SyncEngineTests`.
@Suite struct SyncEngineInterfaceTests {
    private struct Product: SyncedModel, Equatable {
        var id: String
        var price: Int
    }

    /// A service of an app's own, of one document.
    private struct OneDocument: RemoteDocumentService {
        func getDocument(id: String) async throws -> Product { Product(id: id, price: 1) }
        func saveDocument(_ model: Product) async throws {}
        func updateDocument(id: String, data: [String: FieldValue]) async throws {}
        func deleteDocument(id: String) async throws {}

        func streamDocument(id: String) -> AsyncThrowingStream<Product?, any Error> {
            AsyncThrowingStream { continuation in
                continuation.yield(Product(id: id, price: 1))
                continuation.finish()
            }
        }
    }

    /// The calls of a document's engine.
    private struct DocumentCalls {
        typealias Engine = DocumentSyncEngine<Product>

        let make: (any RemoteDocumentService<Product>, String, Bool, SyncLogger?) -> Engine = {
            Engine(remote: $0, managerKey: $1, enableLocalPersistence: $2, logger: $3)
        }
        let start: (Engine) -> (String) async throws -> Void = { $0.startListening(documentId:) }
        let stop: (Engine) -> () -> Void = { $0.stopListening }
        let stopOnly: (Engine) -> (Bool) -> Void = { $0.stopListening(clearCaches:) }
        let current: (Engine) -> Product? = { $0.currentDocument }
        let get: (Engine) -> (String) async throws -> Product = { $0.getDocument(id:) }
        let getCurrent: (Engine) -> () async throws -> Product = { $0.getDocumentAsync }
        let save: (Engine) -> (Product) async throws -> Void = { $0.saveDocument }
        let update: (Engine) -> ([String: FieldValue]) async throws -> Void = { $0.updateDocument(data:) }
        let delete: (Engine) -> () async throws -> Void = { $0.deleteDocument }
        let stream: (Engine) -> (String) -> AsyncThrowingStream<Product?, any Error> = { $0.streamDocument(id:) }
    }

    private typealias Updates = (updates: AsyncThrowingStream<Product, any Error>, deletions: AsyncThrowingStream<String, any Error>)

    /// The calls of a collection's engine.
    private struct CollectionCalls {
        typealias Engine = CollectionSyncEngine<Product>

        let make: (any RemoteCollectionService<Product>, String, Bool, SyncLogger?) -> Engine = {
            Engine(remote: $0, managerKey: $1, enableLocalPersistence: $2, logger: $3)
        }
        let start: (Engine) -> () async throws -> Void = { $0.startListening }
        let startQuery: (Engine, @escaping QueryChange) async throws -> Void = { try await $0.startListening(buildQuery: $1) }
        let stop: (Engine) -> () -> Void = { $0.stopListening }
        let stopOnly: (Engine) -> (Bool) -> Void = { $0.stopListening(clearCaches:) }
        let current: (Engine) -> [Product] = { $0.currentCollection }
        let all: (Engine) -> () async throws -> [Product] = { $0.getCollection }
        let get: (Engine) -> (String) async throws -> Product = { $0.getDocument(id:) }
        let getFollowed: (Engine) -> (String) async throws -> Product = { $0.getDocumentAsync(id:) }
        let query: (Engine, @escaping QueryChange) async throws -> [Product] = { try await $0.getDocumentsAsync(buildQuery: $1) }
        let save: (Engine) -> (Product) async throws -> Void = { $0.saveDocument }
        let update: (Engine) -> (String, [String: FieldValue]) async throws -> Void = { $0.updateDocument(id:data:) }
        let delete: (Engine) -> (String) async throws -> Void = { $0.deleteDocument(id:) }
        let stream: (Engine) -> AsyncThrowingStream<[Product], any Error> = { $0.streamCollection() }
        let streamQuery: (Engine, @escaping QueryChange) -> AsyncThrowingStream<[Product], any Error> = { $0.streamCollection(buildQuery: $1) }
        let updates: (Engine) -> Updates = { $0.streamCollectionUpdates() }
        let updatesOfQuery: (Engine, @escaping QueryChange) -> Updates = { $0.streamCollectionUpdates(buildQuery: $1) }
    }

    /// The calls of a group's engine.
    private struct GroupCalls {
        typealias Engine = CollectionGroupSyncEngine<Product>

        let make: (any RemoteCollectionGroupService<Product>, String, Bool, SyncLogger?) -> Engine = {
            Engine(remote: $0, managerKey: $1, enableLocalPersistence: $2, logger: $3)
        }
        let start: (Engine) -> () async throws -> Void = { $0.startListening }
        let startQuery: (Engine, @escaping QueryChange) async throws -> Void = { try await $0.startListening(buildQuery: $1) }
        let stop: (Engine) -> () -> Void = { $0.stopListening }
        let stopOnly: (Engine) -> (Bool) -> Void = { $0.stopListening(clearCaches:) }
        let current: (Engine) -> [Product] = { $0.currentCollection }
        let all: (Engine) -> () async throws -> [Product] = { $0.getCollection }
        let query: (Engine, @escaping QueryChange) async throws -> [Product] = { try await $0.getDocumentsAsync(buildQuery: $1) }
        let stream: (Engine) -> AsyncThrowingStream<[Product], any Error> = { $0.streamCollection() }
        let streamQuery: (Engine, @escaping QueryChange) -> AsyncThrowingStream<[Product], any Error> = { $0.streamCollection(buildQuery: $1) }
        let updates: (Engine) -> Updates = { $0.streamCollectionUpdates() }
        let updatesOfQuery: (Engine, @escaping QueryChange) -> Updates = { $0.streamCollectionUpdates(buildQuery: $1) }
    }

    /// The calls of a collection's service.
    private struct ServiceCalls {
        typealias Service = any RemoteCollectionService<Product>

        let get: (Service, String) async throws -> Product = { try await $0.getDocument(id: $1) }
        let all: (Service) async throws -> [Product] = { try await $0.getCollection() }
        let query: (Service, @escaping QueryChange) async throws -> [Product] = { try await $0.getDocuments(query: $1) }
        let document: (Service, String) -> AsyncThrowingStream<Product?, any Error> = { $0.streamDocument(id: $1) }
        let stream: (Service, @escaping QueryChange) -> AsyncThrowingStream<[Product], any Error> = { $0.streamCollection(query: $1) }
        let updates: (Service, @escaping QueryChange) -> Updates = { $0.streamCollectionUpdates(query: $1) }
    }

    @Test func `an engine works over an app's own service of a document`() async throws {
        let calls = DocumentCalls()
        let engine = calls.make(OneDocument(), "product", false, nil)
        #expect(calls.current(engine) == nil)
        try await calls.start(engine)("a")
        #expect(calls.current(engine) == Product(id: "a", price: 1))
        let read = try await calls.getCurrent(engine)()
        let other = try await calls.get(engine)("b")
        #expect(read.id == "a" && other.id == "b")
        try await calls.save(engine)(read)
        try await calls.update(engine)(["price": 2])
        try await calls.delete(engine)()
        var streamed = calls.stream(engine)("c").makeAsyncIterator()
        let first = try await streamed.next()
        #expect(first == Product(id: "c", price: 1))
        calls.stop(engine)()
        #expect(calls.current(engine) == nil)
    }

    @Test func `engines of collections and groups take paths that do not change and closures`() async throws {
        let service = try InMemoryDocuments(["products/a": ["id": "a", "price": 1]])
        let (calls, groups, services) = (CollectionCalls(), GroupCalls(), ServiceCalls())
        let fixed = CollectionService<Product>(service.documents, path: "products", logger: nil)
        let chosen = CollectionService<Product>(service.documents, logger: nil) { "products" }
        for remote in [fixed, chosen] {
            let engine = calls.make(remote, "products", false, nil)
            try await calls.start(engine)()
            let all = try await calls.all(engine)()
            let cheap = try await calls.query(engine) { $0.where("price", isEqualTo: 1) }
            #expect(calls.current(engine) == all && all == cheap && all.map(\.id) == ["a"])
            calls.stop(engine)()
            let listed = try await services.all(remote)
            #expect(listed == all)
        }
        let fixedGroup = CollectionGroupService<Product>(service.documents, id: "products", logger: nil)
        let chosenGroup = CollectionGroupService<Product>(service.documents, logger: nil) { "products" }
        for remote in [fixedGroup, chosenGroup] {
            let group = groups.make(remote, "all", false, nil)
            try await groups.start(group)()
            let all = try await groups.all(group)()
            let found = try await groups.query(group) { $0.limit(1) }
            #expect(groups.current(group) == found && all == found && found.count == 1)
            var streamed = groups.stream(group).makeAsyncIterator()
            let first = try await streamed.next()
            #expect(first == found)
            groups.stop(group)()
        }
        await service.documents.close()
    }
}
