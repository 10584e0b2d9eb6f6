// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import Database
@testable import DocumentStore

/// An index that is built while its documents change.
@Suite struct IndexRunTests {
    private typealias World = DocumentWorld
    private static let documents = 6_000

    @Test func `the entries are those of the documents, which change before and after they are read`() async throws {
        let folder = TemporaryFolder()
        try await World.run(in: folder) { world in
            for first in stride(from: 0, to: Self.documents, by: 1_000) {
                let writes = try (first..<first + 1_000).map { try World.set("a/d\($0)", [("n", .integer(Int64($0 % 97)))]) }
                _ = try await world.store.commit(DocumentCommit(writes), app: world.app)
            }
            let n = try #require(FieldPath("n"))
            try await world.store.declare(
                IndexDeclaration([IndexShape(.collection, PathSegment("a")!, [IndexShape.Field(n, .ascending)])]), app: world.app)
            var random = SeededGenerator(5)
            var isBuilding = true
            while isBuilding {
                let writes = try (0..<40).map { _ in
                    let path = "a/d\(Int.random(in: 0..<Self.documents + 50, using: &random))"
                    if Int.random(in: 0..<3, using: &random) == 0 { return DocumentWrite(try World.path(path), .delete) }
                    return try World.set(path, [("n", .integer(Int64.random(in: 100..<200, using: &random)))])
                }
                // A commit that is refused takes nothing back that the index needs.
                var refused = DocumentCommit(writes)
                refused.writes.append(DocumentWrite(try World.path("a/none"), .verify, if: .exists(true)))
                _ = try? await world.store.commit(refused, app: world.app)
                _ = try await world.store.commit(DocumentCommit(Array(writes.prefix(20))), app: world.app)
                isBuilding = try await !world.store.indexes(of: world.app).allSatisfy(\.isReady)
            }
            let (stored, expected) = try await Self.entries(world)
            #expect(stored.count > Self.documents / 2 && stored == expected)
        }
    }

    /// The entries in the table, and those that all documents should have.
    private static func entries(_ world: DocumentWorld) async throws -> (stored: [[UInt8]: Int64], expected: [[UInt8]: Int64]) {
        try await world.store.change { context in
            let app = world.app
            var (stored, expected): ([[UInt8]: Int64], [[UInt8]: Int64]) = ([:], [:])
            try context.file.statement("SELECT key, number FROM entries").each([]) { stored[$0.bytes(0)] = $0.integer(1) }
            for index in try context.file.indexes(of: app) {
                try context.file.documents(of: app, group: index.shape.collection, numbers: 1...Int64(documents) * 2) { row, collection, number in
                    let document = try row.document(in: collection.path, context.bodies)
                    for entry in index.entries(of: document, in: collection.number) { expected[entry.key] = number }
                    return true
                }
            }
            return (stored, expected)
        }
    }
}
