// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import DocumentStore

/// Commits that depend on queries of collections with many changes.
@Suite struct DocumentConditionTests {
    private typealias World = DocumentWorld

    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents { match /{path=**} { allow read, write; } }
        }
        """

    /// Creates documents in one commit.
    private static func create(_ numbers: Range<Int>, in collection: String, _ world: World) async throws -> DocumentTime {
        let writes = try numbers.map { try World.set("\(collection)/\($0)", [("n", .integer(1))]) }
        return try await world.store.commit(DocumentCommit(writes), app: world.app).stamp
    }

    private static func fault(of query: DocumentQuery, at stamp: DocumentTime, as user: String?, _ world: World) async throws -> CommitFault? {
        var commit = DocumentCommit([try World.set("done/d", [])])
        (commit.conditions, commit.principal) = ([.init(query, at: stamp)], user.map { RulePrincipal(uid: $0) })
        return await world.fault(of: commit)
    }

    @Test(arguments: [false, true])
    func `a commit conflicts if too much was changed since its query`(everyDepth: Bool) async throws {
        var bounds = DocumentBounds()
        bounds.examinedByUser = 4_000
        try await World.run(ManualClock(World.start), bounds) { world async throws in
            _ = try await world.store.setRules(Self.rules, app: world.app, by: .operator)
            var query = World.query("a", everyDepth: everyDepth)
            query.filter = .compare(try #require(FieldPath("n")), .greater, .integer(5))
            let first = try await world.commit(World.set("a/first", [])).stamp
            // Each change is two rows: the document before it and that of now. The writer examines 2,000 of them.
            let second = try await Self.create(0..<1_500, in: everyDepth ? "x/y/a" : "a", world)
            #expect(try await Self.fault(of: query, at: first, as: "ann", world) == nil)
            _ = try await Self.create(1_500..<3_000, in: "a", world)
            #expect(try await Self.fault(of: query, at: first, as: "ann", world) == .conflict)
            #expect(try await Self.fault(of: query, at: second, as: "ann", world) == nil)
            #expect(try await Self.fault(of: query, at: first, as: nil, world) == nil)
            _ = try await world.commit(World.set("a/first", [("n", .integer(6))]))
            #expect(try await Self.fault(of: query, at: first, as: nil, world) == .conflict)
            #expect(try await Self.fault(of: query, at: second, as: "ann", world) == .conflict)
        }
    }

    @Test func `the writer itself examines a bounded part of the log`() async throws {
        try await World.run { world async throws in
            let first = try await world.commit(World.set("a/first", [])).stamp
            _ = try await Self.create(0..<1_500, in: "a", world)
            var commit = DocumentCommit([try World.set("done/d", [])])
            commit.conditions = [.init(World.query("b"), at: first)]
            let unchanged = commit
            _ = try await world.store.change(world.app) { try $0.commit(unchanged, app: world.app) }
            commit.conditions = try (0..<2).map { n in
                var query = World.query("a")
                query.filter = .compare(try #require(FieldPath("n")), .equal, .integer(Int64(n) + 5))
                return .init(query, at: first)
            }
            let costly = commit
            await #expect(throws: ConditionCheck.Exceeded.self) { try await world.store.change(world.app) { try $0.commit(costly, app: world.app) } }
            _ = try await world.store.commit(costly, app: world.app)
        }
    }
}
