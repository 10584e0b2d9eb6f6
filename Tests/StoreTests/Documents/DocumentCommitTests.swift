// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import DocumentStore

@Suite struct DocumentCommitTests {
    private typealias World = DocumentWorld

    private static func field(_ text: String) throws -> FieldPath { try #require(FieldPath(text)) }

    @Test func `a commit sets, merges, transforms and deletes`() async throws {
        try await World.run { world async throws in
            let made = try await world.commit(World.set("users/ann", [("n", .integer(1)), ("m", .map(try World.fields([("a", .bool(true))])))]))
            let mask = [try Self.field("m.b"), try Self.field("n")]
            let merged = DocumentWrite(
                try World.path("users/ann"), .set(try World.fields([("m", .map(try World.fields([("b", .null)])))]), mask: mask),
                transforms: [.init(try Self.field("count"), .increment(.integer(2)))])
            let result = try await world.commit(merged)
            let found = try #require(try await world.document("users/ann"))
            let inner = DocumentValue.map(try World.fields([("a", .bool(true)), ("b", .null)]))
            let expected = try World.fields([("m", inner), ("count", .integer(2))])
            #expect(found.fields == expected)
            #expect(found.created == made.stamp && found.version == result.stamp && result.stamp > made.stamp)
            #expect(result.writes == [CommitResult.Write(version: result.stamp, results: [.integer(2)])])
            let deleted = try await world.commit(DocumentWrite(try World.path("users/ann"), .delete))
            #expect(deleted.writes[0].version == nil)
            #expect(try await world.document("users/ann") == nil)
        }
    }

    @Test func `a write that changes nothing keeps the version, also with NaN`() async throws {
        try await World.run { world async throws in
            let write = try World.set("a/x", [("n", .double(.nan)), ("z", .double(-0.0))])
            let first = try await world.commit(write)
            let second = try await world.commit(write)
            #expect(second.stamp > first.stamp && second.writes[0].version == first.stamp)
            #expect(try await world.document("a/x")?.version == first.stamp)
        }
    }

    @Test func `a commit whose writes leave a document as it was keeps its version`() async throws {
        try await World.run { world async throws in
            let (same, other) = (try World.set("a/x", [("n", .integer(1))]), try World.set("a/x", [("n", .integer(2))]))
            let first = try await world.commit(same).stamp
            for writes in [[other, same], [same, other, same]] {
                let result = try await world.store.commit(DocumentCommit(writes), app: world.app)
                #expect(result.writes.allSatisfy { $0.version == first })
                let document = try await world.document("a/x")
                #expect(document?.version == first && document?.created == first)
            }
            let gone = try await world.store.commit(
                DocumentCommit([try World.set("a/y", []), DocumentWrite(World.path("a/y"), .delete)]), app: world.app)
            #expect(gone.writes.allSatisfy { $0.version == nil })
            let again = try await world.store.commit(DocumentCommit([DocumentWrite(same.path, .delete), same]), app: world.app)
            #expect(try await world.document("a/x")?.created == again.stamp, "a document after a deletion is another one")
            let changed = try await world.store.commit(DocumentCommit([same, other]), app: world.app)
            #expect(try await world.document("a/x")?.version == changed.stamp)
        }
    }

    @Test func `stamps grow although the clock is set back, also after a restart`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(World.start))
        let first = try await World.run(in: folder, clock) { world async throws in
            let first = try await world.commit(World.set("a/x", [])).stamp
            clock.advance(by: .days(-2))
            #expect(try await world.commit(World.set("a/y", [])).stamp.microseconds == first.microseconds + 1)
            return first
        }
        try await World.run(in: folder, clock) { world async throws in
            #expect(try await world.commit(World.set("a/z", [])).stamp.microseconds == first.microseconds + 2)
            #expect(try await world.document("a/x", at: first) != nil)
        }
    }

    @Test func `one refused write refuses the whole commit`() async throws {
        try await World.run { world async throws in
            _ = try await world.commit(World.set("a/x", [("n", .integer(1))]))
            let path = try World.path("a/x")
            let fault = CommitFault.write(1, path, .exists)
            await #expect(throws: fault) {
                try await world.commit(World.set("a/y", []), World.set("a/x", [], if: .exists(false)), World.set("a/z", []))
            }
            #expect(try await world.document("a/y") == nil)
            #expect(try await world.document("a/x")?.fields["n"] == .integer(1))
            await #expect(throws: CommitFault.write(0, path, .changed)) {
                try await world.commit(World.set("a/x", [], if: .changed(.epoch)))
            }
            await #expect(throws: CommitFault.document(0, path, .arrayInArray(nil))) {
                try await world.commit(World.set("a/x", [("l", .array([.array([])]))]))
            }
            await #expect(throws: CommitFault.notADocument(0)) { try await world.commit(DocumentWrite(try World.path("a"), .delete)) }
        }
    }

    @Test func `writes of one list are made alone`() async throws {
        try await World.run { world async throws in
            let writes = [try World.set("a/x", []), try World.set("a/x", [], if: .exists(false)), try World.set("a/y", [])]
            let results = try await world.store.write(each: writes, app: world.app)
            #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
            #expect(try await world.ids(World.query("a")) == ["a/x", "a/y"])
        }
    }

    @Test func `a commit that fails half-way counts nothing`() async throws {
        try await World.run { world async throws in
            let field = IndexShape.Field(try Self.field("l"), .contains)
            try await world.store.declare(IndexDeclaration([IndexShape(.collection, try World.path("a").id, [field])]), app: world.app)
            _ = try await world.commit(World.set("a/x", []))
            let many = DocumentValue.array((0...DocumentBounds.entries).map { .integer(Int64($0)) })
            let tooMany = try World.set("a/z", [("l", many)])
            await #expect(throws: CommitFault.tooManyEntries(try World.path("a/z"))) {
                try await world.commit(World.set("a/y", []), World.set("b/y", []), tooMany)
            }
            let results = try await world.store.write(each: [tooMany, try World.set("b/z", [])], app: world.app)
            #expect(results.map { (try? $0.get()) != nil } == [false, true])
            for collection in ["a", "b"] {
                let count = try await world.store.aggregate([.count(upTo: nil)], over: World.query(collection), app: world.app)
                #expect(count.values == [.integer(1)] && count.examined == 0, "\(collection)")
            }
        }
    }

    @Test func `a batch is applied once, also after a restart`() async throws {
        let folder = TemporaryFolder()
        var commit = DocumentCommit([
            DocumentWrite(
                try World.path("a/x"), .set(DocumentFields(), mask: []), transforms: [.init(try Self.field("n"), .increment(.integer(1)))])
        ])
        commit.batch = DocumentCommit.Batch(client: "phone", number: 7)
        let first = try await World.run(in: folder) { [commit] in try await $0.store.commit(commit, app: $0.app) }
        try await World.run(in: folder) { [commit] world async throws in
            #expect(try await world.store.commit(commit, app: world.app) == first)
            #expect(try await world.document("a/x")?.fields["n"] == .integer(1))
            var next = commit
            next.batch = DocumentCommit.Batch(client: "phone", number: 8)
            _ = try await world.store.commit(next, app: world.app)
            #expect(await world.fault(of: commit) == .oldBatch(last: 8))
            #expect(try await world.document("a/x")?.fields["n"] == .integer(2))
        }
    }

    @Test func `a commit fails if what it read has changed`() async throws {
        try await World.run { world async throws in
            let (path, missing) = (try World.path("a/x"), try World.path("b/none"))
            let first = try await world.commit(World.set("a/x", [("n", .integer(1))]))
            let reads = [DocumentCommit.Read(path, version: first.stamp), DocumentCommit.Read(missing, version: nil)]
            _ = try await world.commit(World.set("a/y", []), if: reads)
            _ = try await world.commit(World.set("a/x", [("n", .integer(2))]))
            await #expect(throws: CommitFault.conflict) { try await world.commit(World.set("a/y", []), if: reads) }
        }
    }

    @Test func `a commit fails if the result of its query has changed`() async throws {
        try await World.run { world async throws in
            var query = World.query("a")
            query.filter = .compare(try Self.field("n"), .greater, .integer(5))
            let first = try await world.commit(World.set("a/x", [("n", .integer(9))])).stamp
            var commit = DocumentCommit([try World.set("log/1", [])])
            commit.conditions = [DocumentCommit.Condition(query, at: first)]
            _ = try await world.commit(World.set("a/y", [("n", .integer(1))]), World.set("other/a", [("n", .integer(9))]))
            _ = try await world.store.commit(commit, app: world.app)
            // Before and after it does not match; in between it did.
            let entered = try await world.commit(World.set("a/y", [("n", .integer(6))])).stamp
            #expect(await world.fault(of: commit) == .conflict)
            commit.conditions = [DocumentCommit.Condition(query, at: entered)]
            _ = try await world.store.commit(commit, app: world.app)
            _ = try await world.commit(DocumentWrite(try World.path("a/x"), .delete))
            #expect(await world.fault(of: commit) == .conflict)
        }
    }

    @Test func `a decision sees documents before and after, and its refusal leaves nothing`() async throws {
        struct Denied: Error, Equatable {}
        try await World.run { world async throws in
            _ = try await world.commit(World.set("a/x", [("n", .integer(1))]))
            var commit = DocumentCommit([try World.set("a/x", [("n", .integer(2))]), try World.set("a/y", [])])
            let (x, y) = (try World.path("a/x"), try World.path("a/y"))
            commit.decide = { prepared in
                #expect(prepared.effects.map { $0.before?.fields["n"] } == [.integer(1), nil])
                #expect(prepared.effects[0].after?.fields["n"] == .integer(2))
                #expect(try prepared.document(y) == nil && prepared.documentAfter(y) != nil)
                #expect(try prepared.document(x)?.fields["n"] == .integer(1))
                throw Denied()
            }
            let denied = commit
            await #expect(throws: Denied.self) { try await world.store.commit(denied, app: world.app) }
            #expect(try await world.document("a/x")?.fields["n"] == .integer(1))
            #expect(try await world.document("a/y") == nil)
        }
    }
}
