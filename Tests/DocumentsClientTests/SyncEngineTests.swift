// SPDX-License-Identifier: Apache-2.0

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

    private static func service() throws -> InMemoryDocuments {
        try InMemoryDocuments([
            "products/a": ["id": "a", "price": 1], "products/b": ["id": "b", "price": 2], "shops/s/products/c": ["id": "c", "price": 3],
        ])
    }

    @Test func `an engine follows a document and keeps it for the next launch`() async throws {
        let (service, folder) = (try Self.service(), TemporaryFolder())
        let remote = CollectionService<Product>(service.documents, path: "products")
        let url = URL(fileURLWithPath: folder.path)
        let engine = DocumentSyncEngine(remote: remote, managerKey: "product", folder: url)
        await #expect(throws: DocumentSyncError.notListening) { try await engine.getDocumentAsync() }
        try await engine.startListening(documentId: "a")
        #expect(try await eventually { engine.currentDocument == Product(id: "a", price: 1) })
        try await engine.updateDocument(data: ["price": .increment(4)])
        #expect(try await eventually { engine.currentDocument?.price == 5 })
        try await engine.saveDocument(Product(id: "a", price: 9))
        #expect(try await engine.getDocument(id: "a").price == 9)
        #expect(try await eventually { DocumentSyncEngine(remote: remote, managerKey: "product", folder: url).currentDocument?.price == 9 })
        #expect(DocumentSyncEngine(remote: remote, managerKey: "product", enableLocalPersistence: false, folder: url).currentDocument == nil)
        try await engine.deleteDocument()
        #expect(try await eventually { engine.currentDocument == nil })
        await #expect(throws: DocumentSyncError.documentNotFound(id: "a")) { try await engine.getDocumentAsync() }
        engine.stopListening()
        await service.documents.close()
    }

    @Test func `an engine follows a collection, and a path that is not there is an error`() async throws {
        let (service, folder) = (try Self.service(), TemporaryFolder())
        let path = Locked<String?>(nil)
        let remote = CollectionService<Product>(service.documents) { path.withLock { $0 } }
        let engine = CollectionSyncEngine(remote: remote, managerKey: "products", folder: URL(fileURLWithPath: folder.path))
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

    @Test func `an engine follows a group, without malformed documents`() async throws {
        let (service, folder, log) = (try Self.service(), TemporaryFolder(), Locked<[String]>([]))
        let remote = CollectionGroupService<Product>(service.documents, logger: { line in log.withLock { $0.append(line) } }) { "products" }
        let engine = CollectionGroupSyncEngine(remote: remote, managerKey: "all", folder: URL(fileURLWithPath: folder.path))
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
