// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import AcrossStores
@testable import Database
@testable import DocumentStore
@testable import EventStore

@Suite struct DocumentReadTests {
    private typealias World = DocumentWorld

    private static func fill(_ world: DocumentWorld, _ paths: [String]) async throws {
        let writes = try paths.enumerated().map { try World.set($1, [("n", .integer(Int64($0)))]) }
        _ = try await world.store.commit(DocumentCommit(writes), app: world.app)
    }

    @Test func `queries find documents of a collection and of all collections of an ID`() async throws {
        try await World.run { world async throws in
            try await Self.fill(world, ["a/2", "a/10", "a/__id7__", "a/é", "a/2/b/1", "c/1/b/0", "b/x", "a!/2/b/1", "a0/1/b/9"])
            #expect(try await world.ids(World.query("a")) == ["a/__id7__", "a/10", "a/2", "a/é"])
            #expect(try await world.ids(World.query("b", everyDepth: true)) == ["a/2/b/1", "a!/2/b/1", "a0/1/b/9", "b/x", "c/1/b/0"])
            var below = DocumentQuery(collection: nil, below: try World.path("a/2"))
            #expect(try await world.ids(below) == ["a/2/b/1"])
            below.everyDepth = true
            #expect(try await world.ids(below) == ["a/2/b/1"])
            var last = World.query("a")
            (last.orders, last.limit) = ([.init(.name, descending: true)], 2)
            #expect(try await world.ids(last) == ["a/é", "a/2"])
        }
    }

    private static func isShort(_ paths: [DocumentPath], as principal: RulePrincipal?, in world: World) async throws -> Bool {
        do {
            _ = try await world.store.shortDocuments(paths, app: world.app, at: nil, as: principal) { $0.path }
            return true
        } catch is LongRead { return false }
    }

    /// Those behind a read in a group wait for it.
    @Test(arguments: [(20, 1_000, true), (2, 40_000, false), (1, 60_000, true), (1, 70_000, false)])
    func `documents are read among short reads if they are few and small`(count: Int, bytes: Int, isShort: Bool) async throws {
        try await World.run { world async throws in
            let text = DocumentValue.text(ExactName(String(repeating: "x", count: bytes)))
            let paths = try (0..<count).map { try World.path("a/d\($0)") }
            let writes = paths.map { DocumentWrite($0, .set(DocumentFields([.init("t", text)])!, mask: nil)) }
            _ = try await world.store.commit(DocumentCommit(writes), app: world.app)
            #expect(try await Self.isShort(paths, as: nil, in: world) == isShort)
            let found = try await world.store.documents(paths, app: world.app)
            #expect(found.documents.map { $0?.fields["t"] } == paths.map { _ in text })
        }
    }

    @Test func `a decision that reads large documents is made apart from short reads`() async throws {
        try await World.run { world async throws in
            let source =
                "service cloud.firestore { match /databases/{d}/documents { match /a/{id} {"
                + " allow read: if get(/databases/(default)/documents/large/$(id)).data.open; } } }"
            _ = try await world.store.setRules(source, app: world.app, by: .operator)
            let nobody = RulePrincipal(uid: nil)
            for (id, bytes) in [("x", 10), ("y", 100_000)] {
                let text = DocumentValue.text(ExactName(String(repeating: "x", count: bytes)))
                _ = try await world.commit(try World.set("large/\(id)", [("open", .bool(true)), ("t", text)]), try World.set("a/\(id)", []))
                let path = try World.path("a/\(id)")
                #expect(try await Self.isShort([path], as: nobody, in: world) == (bytes < 100))
                #expect(try await world.store.documents([path], app: world.app, as: nobody).documents[0]?.path == path)
                var query = World.query("a")
                query.limit = 1
                await #expect(throws: DeniedByRules.self) { try await world.store.run(query, app: world.app, as: nobody) }
            }
        }
    }

    @Test func `changes since an earlier state count as examined`() async throws {
        try await World.run { world async throws in
            for id in ["x", "y", "z"] { _ = try await world.commit(World.set("a/\(id)", [("n", .integer(0))])) }
            let stamp = try await world.store.newestStamp(app: world.app)
            for n in 1...20 { _ = try await world.commit(World.set("a/x", [("n", .integer(Int64(n)))])) }
            _ = try await world.commit(DocumentWrite(World.path("a/y"), .delete), World.set("a/new", []))
            var query = World.query("a")
            query.orders = [.init(try #require(FieldPath("n")))]
            for budget in [QueryBudget(), QueryBudget(examined: 25)] {
                let found = try await world.store.run(query, app: world.app, at: stamp, budget).documents
                #expect(found.map(\.path.description) == ["a/x", "a/y", "a/z"] && found.allSatisfy { $0.fields["n"] == .integer(0) })
            }
            await #expect(throws: ReadFault.self) { try await world.store.run(query, app: world.app, at: stamp, QueryBudget(examined: 21)) }
            query.limit = 1
            await #expect(throws: ReadFault.self) { try await world.store.run(query, app: world.app, at: stamp, QueryBudget(examined: 21)) }
            #expect(try await world.ids(query, QueryBudget(examined: 21)) == ["a/z"])
        }
    }

    @Test func `a query in the order of names examines only its result`() async throws {
        try await World.run { world async throws in
            try await Self.fill(world, (0..<200).map { "a/\($0 + 1_000)" })
            var query = World.query("a")
            query.limit = 5
            #expect(try await world.store.run(query, app: world.app).examined == 5)
            query.orders = [.init(try #require(FieldPath("n")), descending: true)]
            let sorted = try await world.store.run(query, app: world.app)
            #expect(sorted.examined == 200 && sorted.documents.map(\.path.description) == (0..<5).map { "a/\(1_199 - $0)" })
            #expect(await world.fault(of: query, QueryBudget(examined: 99)) == .tooExpensive(examined: 100))
            #expect(await world.fault(of: query, QueryBudget(resultBytes: 40)) != nil)
            #expect(try await world.ids(query, QueryBudget(resultBytes: 400)).count == 5)
        }
    }

    @Test func `a query that takes longer than it seems has its whole result, within its budget`() async throws {
        try await World.run { world async throws in
            try await Self.fill(world, (0..<400).map { "a/\($0 + 1_000)" })
            let n = try #require(FieldPath("n"))
            var last = World.query("a")
            (last.filter, last.limit) = (.compare(n, .atLeast, .integer(390)), 3)
            // In the order of names it stops early, by `n` it sorts all.
            for descending in [false, true] {
                last.orders = [.init(.name, descending: descending)]
                let ids = descending ? ["a/1399", "a/1398", "a/1397"] : ["a/1390", "a/1391", "a/1392"]
                #expect(try await world.ids(last) == ids)
                #expect(await world.fault(of: last, QueryBudget(examined: 2)) == .tooExpensive(examined: 3))
            }
            last.orders = [.init(n)]
            #expect(try await world.store.run(last, app: world.app).examined == 400)
            (last.offset, last.select) = (1, [n])
            let found = try await world.store.run(last, app: world.app).documents
            #expect(found.map { $0.fields["n"] } == [.integer(391), .integer(392), .integer(393)])
        }
    }

    @Test func `a query that is over time is too expensive, whatever it would still examine`() async throws {
        try await World.run { world async throws in
            try await Self.fill(world, (0..<40).map { "a/\($0)" })
            var query = World.query("a")
            query.filter = .compare(try #require(FieldPath("n")), .atLeast, .integer(1_000))
            let late = QueryBudget(time: .seconds(-1))
            #expect(await world.fault(of: query, late) == .tooExpensive(examined: 1))
            await #expect(throws: ReadFault.tooExpensive(examined: 1)) {
                try await world.store.aggregate([.count(upTo: nil)], over: query, app: world.app, late)
            }
            #expect(world.store.gauges.slowQueries.value == 2)
            #expect(try await world.ids(query).isEmpty)
            #expect(world.store.gauges.slowQueries.value == 2)
        }
    }

    /// Stores documents that everybody may read, and occupies all places of users or of servers for reads of one kind while a closure runs.
    private static func occupied(
        _ cost: ReaderPool.Cost, _ busy: QueryCaller?, _ body: @escaping @Sendable (DocumentWorld) async throws -> Void
    ) async throws {
        try await World.run { world async throws in
            try await Self.fill(world, (0..<400).map { "a/\($0)" })
            let source = "service cloud.firestore { match /databases/{d}/documents { match /a/{id} { allow read; } } }"
            _ = try await world.store.setRules(source, app: world.app, by: .operator)
            let places = busy != nil && cost == .large ? QueryLane.atOnceOfUsers : QueryLane.atOnce
            let (began, begins) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<places {
                    group.addTask {
                        try await world.stores.readers.read(cost, for: busy) { _ in
                            begins.yield()
                            release.wait()
                        }
                    }
                }
                defer { for _ in 0..<places { release.signal() } }
                var beginning = began.makeAsyncIterator()
                for _ in 0..<places { _ = await beginning.next() }
                try await body(world)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [ReaderPool.Cost.small, .large], [nil, QueryCaller(AppID(rawValue: 1), client: 1)])
    func `long reads of users and of servers do not wait for each other`(cost: ReaderPool.Cost, busy: QueryCaller?) async throws {
        try await Self.occupied(cost, busy) { world in
            let other = busy == nil ? RulePrincipal(uid: nil) : nil
            if cost == .small {
                let paths = try (0..<100).map { try World.path("a/\($0)") }
                let found = try await world.store.documents(paths, app: world.app, as: other)
                #expect(found.documents.count { $0 != nil } == 100)
            } else {
                var query = World.query("a")
                query.orders = [.init(try #require(FieldPath("n")))]
                let found = try await world.store.run(query, app: world.app, as: other)
                #expect(found.examined == 400)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `decisions about streams do not wait for reads of users`() async throws {
        try await Self.occupied(.small, QueryCaller(AppID(rawValue: 1), client: 1)) { world in
            let path = try World.path("a/1")
            let judged = try await world.store.judge([1: .document(path)], app: world.app, as: RulePrincipal(uid: nil))
            #expect(judged.documents[1] != nil)
        }
    }

    @Test func `documents of a query beyond the bytes of a short one are all there`() async throws {
        try await World.run { world async throws in
            let text = DocumentValue.text(ExactName(String(repeating: "x", count: 100_000)))
            for number in 0..<8 { _ = try await world.commit(World.set("a/\(number)", [("text", text)])) }
            var query = World.query("a")
            query.limit = 8
            #expect(try await world.ids(query).count == 8)
            #expect(await world.fault(of: query, QueryBudget(resultBytes: 500_000)) != nil)
        }
    }

    @Test func `aggregates count whole collections without examining them`() async throws {
        try await World.run { world async throws in
            try await Self.fill(world, (0..<20).map { "a/\($0)" })
            _ = try await world.commit(DocumentWrite(try World.path("a/3"), .delete))
            let query = World.query("a")
            let count = try await world.store.aggregate([.count(upTo: nil), .count(upTo: 7)], over: query, app: world.app)
            #expect(count.values == [.integer(19), .integer(7)] && count.examined == 0)
            let n = try #require(FieldPath("n"))
            let sum = try await world.store.aggregate([.sum(n), .maximum(n)], over: query, app: world.app)
            #expect(sum.values == [.integer(187), .integer(19)] && sum.examined == 19)
            var few = query
            few.limit = 2
            #expect(try await world.store.aggregate([.count(upTo: nil)], over: few, app: world.app).values == [.integer(2)])
        }
    }

    @Test func `collections are listed once, in order, without empty ones`() async throws {
        try await World.run { world async throws in
            try await Self.fill(world, ["a/1", "a!/1", "a/1/x/1", "a0/2/y/1", "é/1", "b/1", "a/1/x/1/z/1", "a/1/w/2"])
            _ = try await world.commit(DocumentWrite(try World.path("b/1"), .delete))
            let top = try await world.store.collections(below: nil, app: world.app, limit: 10)
            #expect(top.map(\.text) == ["a", "a!", "a0", "é"])
            let next = try await world.store.collections(below: nil, app: world.app, after: top[0], limit: 2)
            #expect(next.map(\.text) == ["a!", "a0"])
            let below = try await world.store.collections(below: World.path("a/1"), app: world.app, limit: 10)
            #expect(below.map(\.text) == ["w", "x"])
        }
    }

    @Test func `earlier states are read for an hour`() async throws {
        let clock = ManualClock(World.start)
        try await World.run(in: TemporaryFolder(), clock) { world async throws in
            try await Self.fill(world, ["a/1", "a/2"])
            let first = try await world.store.run(World.query("a"), app: world.app).stamp
            clock.advance(by: .minutes(50))
            _ = try await world.commit(World.set("a/1", []), DocumentWrite(try World.path("a/2"), .delete), World.set("a/0", []))
            #expect(try await world.ids(World.query("a"), at: first) == ["a/1", "a/2"])
            #expect(try await world.document("a/1", at: first)?.fields["n"] == .integer(0))
            #expect(try await world.document("a/0", at: first) == nil)
            let count = try await world.store.aggregate([.count(upTo: nil)], over: World.query("a"), app: world.app, at: first)
            #expect(count.values == [.integer(2)])
            // Nothing was committed within the hour after it, so the state is the one of an hour ago.
            clock.advance(by: .minutes(11))
            #expect(try await world.document("a/0", at: first) == nil)
            clock.advance(by: .minutes(50))
            await #expect(throws: ReadFault.tooOld) { try await world.document("a/1", at: first) }
            let future = try #require(DocumentTime(microseconds: (clock.now + .seconds(1)).milliseconds * 1_000))
            await #expect(throws: ReadFault.future) { try await world.document("a/1", at: future) }
        }
    }

    @Test func `apps see their own documents only`() async throws {
        try await World.run { world async throws in
            let other = try await world.stores.events.createAppWithKeys(named: "other").0.id
            try await Self.fill(world, ["a/1"])
            let query = World.query("a")
            #expect(try await world.store.run(query, app: other).documents.isEmpty)
            #expect(try await world.store.documents([World.path("a/1")], app: other).documents == [nil])
            #expect(try await world.store.collections(below: nil, app: other, limit: 10).isEmpty)
            _ = try await world.store.commit(DocumentCommit([DocumentWrite(try World.path("a/1"), .delete)]), app: other)
            #expect(try await world.ids(query) == ["a/1"])
        }
    }
}
