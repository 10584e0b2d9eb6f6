// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Signalbox
import TestSupport
import Testing

@testable import SignalboxDocuments

/// The sync engines over documents in memory, and the in-memory service itself.
@Suite struct SyncEngineTests {
    private struct Product: SyncedModel, Equatable {
        var id: String
        var price: Int
    }

    private static func service(_ folder: TemporaryFolder? = nil) throws -> InMemoryDocuments {
        try InMemoryDocuments(
            ["products/a": ["id": "a", "price": 1], "products/b": ["id": "b", "price": 2], "shops/s/products/c": ["id": "c", "price": 3]],
            engineFolder: folder.map { URL(fileURLWithPath: $0.path) })
    }

    @Test func `an engine follows a document and keeps it for the next launch`() async throws {
        let folder = TemporaryFolder()
        let service = try Self.service(folder)
        let remote = CollectionService<Product>(service.documents, path: "products")
        let engine = DocumentSyncEngine(remote: remote, managerKey: "product")
        await #expect(throws: DocumentSyncError.notListening) { try await engine.getDocumentAsync() }
        try await engine.startListening(documentId: "a")
        #expect(try await eventually { engine.currentDocument == Product(id: "a", price: 1) })
        try await engine.updateDocument(data: ["price": .increment(4)])
        #expect(try await eventually { engine.currentDocument?.price == 5 })
        try await engine.saveDocument(Product(id: "a", price: 9))
        #expect(try await engine.getDocument(id: "a").price == 9)
        #expect(try await eventually { DocumentSyncEngine(remote: remote, managerKey: "product").currentDocument?.price == 9 })
        #expect(DocumentSyncEngine(remote: remote, managerKey: "product", enableLocalPersistence: false).currentDocument == nil)
        // Names that differ in a character of no letter are different files.
        #expect(DocumentSyncEngine(remote: remote, managerKey: "product/").currentDocument == nil)
        try await engine.deleteDocument()
        #expect(try await eventually { engine.currentDocument == nil })
        await #expect(throws: DocumentSyncError.documentNotFound(id: "a")) { try await engine.getDocumentAsync() }
        engine.stopListening()
        #expect(DocumentSyncEngine(remote: remote, managerKey: "product").currentDocument == nil, "what was forgotten does not come back")
        await service.documents.close()
    }

    @Test func `engines show each user what that user has seen, at launch too`() async throws {
        let folder = TemporaryFolder()
        let service = try Self.service(folder)
        let documents = service.documents
        let remote = CollectionService<Product>(documents, path: "products")
        let collection = CollectionSyncEngine(remote: remote, managerKey: "products")
        let document = DocumentSyncEngine(remote: remote, managerKey: "product")
        try await documents.setUser("ann")
        try await collection.startListening()
        try await document.startListening(documentId: "a")
        #expect(collection.currentCollection.map(\.id) == ["a", "b"] && document.currentDocument?.id == "a")
        try await documents.setUser("Ann")
        #expect(collection.currentCollection.isEmpty && document.currentDocument == nil)
        await #expect(throws: DocumentSyncError.notListening) { try await document.getDocumentAsync() }
        let later = CollectionSyncEngine(remote: remote, managerKey: "products")
        #expect(later.currentCollection.isEmpty)
        try await collection.startListening()
        try await documents.document("products/c").set(["id": "c", "price": 3])
        #expect(try await eventually { CollectionSyncEngine(remote: remote, managerKey: "products").currentCollection.count == 3 })
        try await documents.setUser("ann")
        #expect(collection.currentCollection.count == 2 && document.currentDocument?.id == "a" && later.currentCollection.count == 2)
        try await documents.setUser("Ann", removingLocalData: true)
        #expect(collection.currentCollection.count == 3 && later.currentCollection.count == 3)
        try await documents.setUser("ann")
        #expect(collection.currentCollection.isEmpty && later.currentCollection.isEmpty, "removed with the user's documents")
        await documents.close()
    }

    @Test func `an engine that nobody looked at meanwhile does not show removed data`() async throws {
        let folder = TemporaryFolder()
        let documents = try Self.service(folder).documents
        let remote = CollectionService<Product>(documents, path: "products")
        let engine = CollectionSyncEngine(remote: remote, managerKey: "products")
        try await documents.setUser("ann")
        try await engine.startListening()
        #expect(engine.currentCollection.count == 2)
        try await documents.setUser("bob", removingLocalData: true)
        try await documents.setUser("ann")
        #expect(engine.currentCollection.isEmpty && CollectionSyncEngine(remote: remote, managerKey: "products").currentCollection.isEmpty)
        try await engine.startListening()
        #expect(engine.currentCollection.count == 2, "the engine goes on with what is there now")
        await documents.close()
    }

    /// A collection of one product, whose user's local data is removed while an engine reads or writes its file.
    private struct RemovedMeanwhile: RemoteCollectionGroupService {
        typealias Model = Product

        let folder: TemporaryFolder
        /// The uses of the folder after which the data was removed; the last one is the write of the file.
        let usesBefore: Int
        var onUse: @Sendable () -> Void = {}
        let uses = Locked(0)

        var localFolder: URL? {
            uses.withLock { $0 += 1 }
            onUse()
            return URL(fileURLWithPath: folder.path)
        }

        func localDataRemovals(of user: String?) -> Int { uses.withLock { $0 } > usesBefore ? 1 : 0 }
        func getCollection() async throws -> [Product] { [] }
        func getDocuments(query: @escaping QueryChange) async throws -> [Product] { [] }

        func streamCollection(query: @escaping QueryChange) -> AsyncThrowingStream<[Product], any Error> {
            AsyncThrowingStream { continuation in
                continuation.yield([Product(id: "a", price: 1)])
                continuation.finish()
            }
        }

        func streamCollectionUpdates(
            query: @escaping QueryChange
        ) -> (updates: AsyncThrowingStream<Product, any Error>, deletions: AsyncThrowingStream<String, any Error>) {
            (AsyncThrowingStream { $0.finish() }, AsyncThrowingStream { $0.finish() })
        }
    }

    @Test(arguments: [(1, false), (99, true)])
    func `a file whose data was removed before it is written is not written`(usesBefore: Int, isKept: Bool) async throws {
        let folder = TemporaryFolder()
        // The folder is used once to read the file, and again to write it.
        let remote = RemovedMeanwhile(folder: folder, usesBefore: usesBefore)
        let engine = CollectionGroupSyncEngine(remote: remote, managerKey: "products")
        try await engine.startListening()
        let later = CollectionGroupSyncEngine(remote: RemovedMeanwhile(folder: folder, usesBefore: 99), managerKey: "products")
        #expect(later.currentCollection == (isKept ? [Product(id: "a", price: 1)] : []))
        #expect(engine.currentCollection.isEmpty != isKept)
    }

    @Test func `a file is not read while its data is removed`() throws {
        let folder = TemporaryFolder()
        let file = EngineFile<Product>(key: "products", user: nil, in: URL(fileURLWithPath: folder.path))
        file.save(SeenDocuments(models: [Product(id: "a", price: 1)]))
        #expect(file.load()?.models.count == 1)
        let used = DispatchSemaphore(value: 0)
        // The removal was counted before the first use of the folder.
        let remote = RemovedMeanwhile(folder: folder, usesBefore: -1, onUse: { used.signal() })
        // With several, one of them at least would have read the file before the last one uses the folder.
        let engines = (0..<8).map { _ in CollectionGroupSyncEngine(remote: remote, managerKey: "products") }
        EngineFiles.access.withLock { _ in
            for engine in engines { Thread.detachNewThread { _ = engine.currentCollection } }
            for _ in engines { used.wait() }
            file.save(nil)
        }
        for engine in engines { #expect(engine.currentCollection.isEmpty) }
    }

    private struct Order: SyncedModel, Equatable {
        @DocumentID var id: String?
        var total: Double
        var at: Date
    }

    @Test func `a model with a document ID is followed, kept and added`() async throws {
        let folder = TemporaryFolder()
        let service = try Self.service(folder)
        let remote = CollectionService<Order>(service.documents, path: "orders")
        let engine = CollectionSyncEngine(remote: remote, managerKey: "orders")
        try await engine.startListening()
        let at = Date(timeIntervalSince1970: 1_795_428_000)
        try await engine.saveDocument(Order(id: nil, total: 2, at: at))
        #expect(try await eventually { engine.currentCollection.count == 1 })
        let added = try #require(engine.currentCollection.first)
        let id = try #require(added.id)
        #expect(id.count == 20 && added.total == 2 && service.stored["orders/\(id)"] == ["total": 2.0, "at": .time(at)])
        try await engine.saveDocument(Order(id: id, total: 3, at: at))
        #expect(try await eventually { engine.currentCollection == [Order(id: id, total: 3, at: at)] })
        #expect(
            try await eventually { CollectionSyncEngine(remote: remote, managerKey: "orders").currentCollection == engine.currentCollection })
        await service.documents.close()
    }

    @Test func `an engine follows a collection, and a path that is not there is an error`() async throws {
        let service = try Self.service()
        let path = Locked<String?>(nil)
        let remote = CollectionService<Product>(service.documents) { path.withLock { $0 } }
        let engine = CollectionSyncEngine(remote: remote, managerKey: "products")
        await #expect(throws: DocumentSyncError.collectionPathNotAvailable) { try await engine.startListening() }
        await #expect(throws: DocumentSyncError.collectionPathNotAvailable) { try await engine.saveDocument(Product(id: "x", price: 0)) }
        path.withLock { $0 = "products" }
        try await engine.startListening()
        #expect(try await eventually { engine.currentCollection.map(\.id) == ["a", "b"] })
        #expect(try await engine.getDocumentsAsync { $0.where("price", isGreaterThan: 1) }.map(\.id) == ["b"])
        let (updates, deletions) = engine.streamCollectionUpdates()
        let (updated, deleted) = (Watched(updates), Watched(deletions))
        #expect(try await eventually { updated.all.count == 2 })
        try await engine.saveDocument(Product(id: "d", price: 4))
        try await engine.updateDocument(id: "b", data: ["price": 7])
        try await engine.deleteDocument(id: "a")
        #expect(try await eventually { deleted.all == ["a"] && updated.all.contains(Product(id: "b", price: 7)) })
        #expect(try await eventually { engine.currentCollection == [Product(id: "b", price: 7), Product(id: "d", price: 4)] })
        engine.stopListening()
        #expect(engine.currentCollection.isEmpty)
        for watched in [updated] { await watched.stop() }
        await deleted.stop()
        await service.documents.close()
    }

    @Test func `an engine follows the result of a query, and keeps it when it stops only listening`() async throws {
        let folder = TemporaryFolder()
        let documents = try Self.service(folder).documents
        let remote = CollectionService<Product>(documents, path: "products")
        let engine = CollectionSyncEngine(remote: remote, managerKey: "cheap")
        try await engine.startListening { $0.where("price", isLessThan: 2) }
        #expect(engine.currentCollection.map(\.id) == ["a"])
        #expect(try await engine.getCollectionAsync().map(\.id) == ["a", "b"], "the result of a query is not the collection")
        try await documents.document("products/a").update(["price": 5])
        #expect(try await eventually { engine.currentCollection.isEmpty })
        try await engine.startListening { $0.order("price", descending: true) }
        #expect(try await eventually { engine.currentCollection.map(\.id) == ["a", "b"] })
        #expect(try await engine.getDocumentAsync(id: "b").price == 2)
        let (updates, deletions) = engine.streamCollectionUpdates { $0.where("price", isLessThan: 4) }
        let (updated, deleted) = (Watched(updates), Watched(deletions))
        #expect(try await eventually { updated.all.map(\.id) == ["b"] })
        engine.stopListening(clearCaches: false)
        try await documents.document("products/b").update(["price": 7])
        #expect(try await eventually { deleted.all == ["b"] }, "the document left the result of the query")
        #expect(engine.currentCollection.map(\.price) == [5, 2], "what was seen before the end of the listener")
        #expect(try await engine.getDocumentAsync(id: "b").price == 7)
        let later = CollectionSyncEngine(remote: remote, managerKey: "cheap")
        #expect(later.currentCollection.map(\.price) == [5, 2])
        later.stopListening()
        #expect(CollectionSyncEngine(remote: remote, managerKey: "cheap").currentCollection.isEmpty)
        await updated.stop()
        await deleted.stop()
        await documents.close()
    }

    @Test func `an engine follows a group, without malformed documents`() async throws {
        let (service, log) = (try Self.service(), Locked<[String]>([]))
        let remote = CollectionGroupService<Product>(service.documents, logger: { line in log.withLock { $0.append(line) } }) { "products" }
        let engine = CollectionGroupSyncEngine(remote: remote, managerKey: "all")
        try await engine.startListening()
        #expect(try await eventually { engine.currentCollection.map(\.id) == ["a", "b", "c"] })
        let other = try service.device()
        try await other.document("shops/t/products/d").set(["id": "d", "price": "much"])
        #expect(try await eventually { log.withLock { $0.contains { $0.contains("shops/t/products/d") && $0.contains("price") } } })
        #expect(engine.currentCollection.count == 3)
        engine.stopListening()
        await other.close()
        await service.documents.close()
    }

    @Test func `the service in memory goes offline, fails and has several devices`() async throws {
        let service = try Self.service()
        let (one, two) = (service.documents, try service.device())
        let watched = Watched(two.collection("products").order("price", descending: true).snapshots())
        #expect(try await eventually { watched.last?.ids == ["b", "a"] })
        service.setOnline(false)
        let queued = try await one.batch().set(one.document("products/x"), ["price": 10, "at": .serverTime]).enqueue()
        #expect(try await one.collection("products").get().ids == ["x"])
        service.setOnline(true)
        try await queued.confirmation()
        #expect(try await eventually { watched.last?.ids == ["x", "b", "a"] })
        let refusal = DocumentError(.permissionDenied, "no")
        service.failWrites(with: refusal)
        let error = await #expect(throws: DocumentError.self) { try await one.document("products/x").delete() }
        #expect(error == refusal)
        service.failWrites(with: nil)
        try await two.transaction { transaction in
            let document = try await transaction.get(two.document("products/x"))
            transaction.update(document.reference, ["price": .integer(Int64((document["price"]?.int ?? 0) * 2))])
        }
        #expect(service.stored["products/x"]?["price"] == 20 && service.stored.count == 4)
        #expect(try await one.collection("products").count() == 3)
        await watched.stop()
        await one.close()
        await two.close()
    }
}
