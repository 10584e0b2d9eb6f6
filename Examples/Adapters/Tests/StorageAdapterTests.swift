// SPDX-License-Identifier: Apache-2.0

import AppAdapters
import FileAdapters
import Foundation
import Signalbox
import SignalboxDocuments
import Testing

/// The two storage adapters, of documents and of files, over services in memory.
@Suite(.timeLimit(.minutes(1))) struct StorageAdapterTests {
    @Test func `documents are set, read, changed, added and deleted`() async throws {
        let server = try InMemoryDocuments()
        let storage: any AppAdapters.StorageAdapter = AppAdapters.SignalboxStorageAdapter(server.documents)
        try await storage.setDocument("users/ann", ["name": "Ann", "address": ["city": "Bonn"]])
        try await storage.updateDocument("users/ann", ["address.city": "Ulm", "visits": .increment(2)])
        let ann = try await storage.getDocument("users/ann")
        #expect(ann.id == "ann")
        #expect(ann.data == ["name": "Ann", "address": ["city": "Ulm"], "visits": 2])
        let id = try await storage.addDocument("users", ["name": "Ben"])
        #expect(try await storage.getCollection("users").map(\.id).sorted() == ["ann", id].sorted())
        try await storage.deleteDocument("users/ann")
        #expect(try await storage.getDocument("users/ann").exists == false)
        #expect(server.stored.keys.sorted() == ["users/\(id)"])
        await server.documents.close()
    }

    @Test func `errors of documents are those of the app`() async throws {
        let server = try InMemoryDocuments()
        let storage = AppAdapters.SignalboxStorageAdapter(server.documents)
        await #expect(throws: StorageError.notFound) { try await storage.updateDocument("users/ann", ["name": "Ann"]) }
        server.failWrites(with: DocumentError(.permissionDenied, "The rules deny it."))
        await #expect(throws: StorageError.permissionDenied) { try await storage.setDocument("users/ann", ["name": "Ann"]) }
        let refusal = StorageError.invalid("This is the path of a collection, not of a document: users")
        await #expect(throws: refusal) { try await storage.getDocument("users") }
        await server.documents.close()
    }

    @Test func `a document is observed as it changes`() async throws {
        let server = try InMemoryDocuments(["users/ann": ["name": "Ann"]])
        let storage = AppAdapters.SignalboxStorageAdapter(server.documents)
        let other = try server.device()
        var seen = storage.observeDocument("users/ann").makeAsyncIterator()
        try await seen.reach { $0.data?["name"] == "Ann" }
        try await other.document("users/ann").update(["name": "Anna"])
        try await seen.reach { $0.data?["name"] == "Anna" }
        try await other.document("users/ann").delete()
        try await seen.reach { !$0.exists }
        await other.close()
        await server.documents.close()
    }

    @Test func `writes without a network are pending and then confirmed`() async throws {
        let server = try InMemoryDocuments(["users/ann": ["name": "Ann"]])
        let storage = AppAdapters.SignalboxStorageAdapter(server.documents)
        var seen = storage.observeCollection("users").makeAsyncIterator()
        try await seen.reach { $0.map(\.id) == ["ann"] }
        server.setOnline(false)
        try await server.documents.batch().set(server.documents.document("users/ben"), ["name": "Ben"]).enqueue()
        try await seen.reach { $0.map(\.hasPendingWrites) == [false, true] }
        server.setOnline(true)
        await server.documents.connectNow()
        try await seen.reach { $0.map(\.hasPendingWrites) == [false, false] }
        #expect(server.stored["users/ben"] == ["name": "Ben"])
        await server.documents.close()
    }

    @Test func `a stream that fails ends and reports the error`() async throws {
        let server = try InMemoryDocuments()
        let (errors, continuation) = AsyncStream.makeStream(of: StorageError.self)
        let storage = AppAdapters.SignalboxStorageAdapter(server.documents) { continuation.yield($0) }
        var seen = storage.observeDocument("users").makeAsyncIterator()
        #expect(await seen.next() == nil)
        var reported = errors.makeAsyncIterator()
        #expect(await reported.next() == .invalid("This is the path of a collection, not of a document: users"))
        await server.documents.close()
    }

    @Test func `files are stored, read and deleted`() async throws {
        let files = InMemoryFiles()
        let storage: any FileAdapters.StorageAdapter = FileAdapters.SignalboxStorageAdapter(files)
        let url = try await storage.uploadFile("users/ann/receipt.txt", Data("Tea".utf8))
        #expect(url == (try await storage.getDownloadURL("users/ann/receipt.txt")))
        #expect(try await storage.downloadFile("users/ann/receipt.txt") == Data("Tea".utf8))
        #expect(try await files.metadata("users/ann/receipt.txt").contentType == "text/plain")
        try await storage.deleteFile("users/ann/receipt.txt")
        await #expect(throws: FileStorageError.notFound) { try await storage.downloadFile("users/ann/receipt.txt") }
        files.fail(with: .permissionDenied)
        await #expect(throws: FileStorageError.permissionDenied) { try await storage.uploadFile("a", Data()) }
    }
}
