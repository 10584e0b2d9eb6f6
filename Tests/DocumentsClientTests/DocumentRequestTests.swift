// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import TestSupport
import Testing

@testable import SignalboxDocuments

/// Reads, writes, queries and transactions against a daemon.
@Suite struct DocumentRequestTests {
    @Test func `documents are set, merged, updated, added and deleted`() async throws {
        let world = try await DocumentWorld.start()
        let documents = try world.device()
        let user = documents.document("users/u1")
        try await user.set(["name": "Ann", "visits": 1, "address": ["city": "Rome", "zip": "1"]])
        try await user.set(["visits": .increment(2), "address": ["city": "Bonn"]], merge: true)
        try await user.update(["address.zip": .delete, "tags": .arrayUnion(["a"]), "at": .serverTime])
        let read = try await user.get(source: .server)
        #expect(read["visits"]?.int == 3 && read["address"] == ["city": "Bonn"] && read["tags"] == ["a"])
        #expect(abs(try #require(read["at"]?.date).timeIntervalSinceNow) < 60 && !read.isFromCache && !read.hasPendingWrites && read.version > 0)
        #expect(try await world.fields("users/u1")["visits"].number == 3)
        let added = try await documents.collection("users").add(["name": "Bob"])
        #expect(added.id.count == 20 && added.parent.path == "users")
        #expect(try await added.get(source: .server).exists)
        try await added.delete()
        let gone = try await added.get(source: .server)
        #expect(!gone.exists && gone.data == nil)
        await documents.close()
    }

    @Test func `a batch is made whole or not at all, and errors are typed`() async throws {
        let world = try await DocumentWorld.start()
        let documents = try world.device()
        let (a, b) = (documents.document("c/a"), documents.document("c/b"))
        try await documents.batch().set(a, ["n": 1]).create(b, ["n": 2]).commit()
        var error = await #expect(throws: DocumentError.self) { try await documents.batch().set(a, ["n": 5]).create(b, ["n": 2]).commit() }
        #expect(error?.code == .alreadyExists)
        #expect(try await a.get(source: .server)["n"] == 1)
        error = await #expect(throws: DocumentError.self) { try await documents.document("c/none").update(["n": 1]) }
        #expect(error?.code == .notFound)
        for path in ["c", "c//b", "c/..", ""] {
            error = await #expect(throws: DocumentError.self) { try await documents.document(path).set([:]) }
            #expect(error?.code == .invalidArgument, "\(path)")
        }
        try await world.set(rules: DocumentWorld.someRules)
        error = await #expect(throws: DocumentError.self) { try await a.set(["n": 1]) }
        #expect(error?.code == .permissionDenied)
        error = await #expect(throws: DocumentError.self) { try await a.get(source: .server) }
        #expect(error?.code == .permissionDenied)
        let stranger = try world.device("stranger") { $0.key = "sb_ingest_0000000000000000000000000000" }
        error = await #expect(throws: DocumentError.self) { try await stranger.document("c/a").get(source: .server) }
        #expect(error?.code == .unauthenticated)
        await stranger.close()
        await documents.close()
    }

    @Test(arguments: [
        ("", "is empty"), ("a/b", "contains a slash"), ("x/orders/y", "contains a slash"), (".", "is reserved"), ("..", "is reserved"),
        ("__x__", "is reserved"), ("a\0b", "contains NUL"), (String(repeating: "x", count: 1_501), "has more than 1500 bytes"),
    ])
    func `an ID that no document may have is refused before anything is queued`(id: String, fault: String) async throws {
        let documents = try InMemoryDocuments(["c/x/orders/y": ["n": 1]]).documents
        await documents.setNetworkEnabled(false)
        let document = documents.collection("c").document(id)
        let service = CollectionService<Numbered>(documents, path: "c")
        let calls: [@Sendable () async throws -> Void] = [
            { try await document.set(["n": 2]) }, { try await document.update(["n": 2]) }, { try await document.delete() },
            { _ = try await document.get() }, { _ = try await document.collection("orders").add(["n": 2]) },
            { _ = try await documents.batch().set(documents.document("c/a"), [:]).delete(document).enqueue() },
            { for try await _ in document.snapshots() {} }, { for try await _ in document.collection("orders").snapshots() {} },
            { try await service.saveDocument(Numbered(id: id, n: 2)) }, { try await service.updateDocument(id: id, data: ["n": 2]) },
            { try await service.deleteDocument(id: id) }, { _ = try await service.getDocument(id: id) },
        ]
        for (index, call) in calls.enumerated() {
            let error = await #expect(throws: DocumentError.self) { try await call() }
            #expect(error?.code == .invalidArgument && error?.reason.contains(fault) == true, "call \(index): \(String(describing: error))")
        }
        // Nothing is queued, so nothing is waited for without a network.
        try await documents.waitForPendingWrites()
        await documents.close()
    }

    private struct Numbered: SyncedModel {
        var id: String
        var n: Int
    }

    @Test func `fields whose names are no identifiers are changed, read and found by paths as Firestore's clients write them`() async throws {
        let world = try await DocumentWorld.start()
        let documents = try world.device()
        let user = documents.document("users/u1")
        try await user.set(["first-name": "Ann", "0": ["1": 1, "x y": 2], "a/b": 1])
        try await user.update(["first-name": "Bob", "0.1": .increment(1), "`0`.`x y`": .delete])
        let read = try await user.get(source: .server)
        #expect(read["first-name"] == "Bob" && read["0.1"] == 2 && read["0"] == ["1": 2] && read["`a/b`"] == 1 && read["a/b"] == nil)
        for source in [DocumentSource.server, .cache] {
            #expect(try await documents.collection("users").where("first-name", isEqualTo: "Bob").order("0.1").get(source: source).ids == ["u1"])
        }
        for name in ["a/b", "a..b", "", "x.", "~", "a[0]", "`a"] {
            let error = await #expect(throws: DocumentError.self) { try await user.update([name: 1]) }
            #expect(error?.code == .invalidArgument, "\(name)")
        }
        await documents.close()
    }

    @Test func `mistakes in updates and cursors are errors, as in Firestore's clients`() async throws {
        let documents = try InMemoryDocuments(["c/a": ["n": 1, "m": ["x": 1]], "d/a": ["n": 1]]).documents
        let c = documents.collection("c")
        let (own, foreign) = (try await documents.document("c/a").get(), try await documents.document("d/a").get())
        let calls: [@Sendable () async throws -> Void] = [
            { try await documents.document("c/a").update(["m": ["x": .delete]]) }, { _ = try await c.order("n").start(at: [] as [FieldValue]).get() },
            { try await documents.document("c/a").update(["m": ["y": ["x": .delete]]]) }, { _ = try await c.start(at: [2]).get() },
            { _ = try await c.order("n").end(before: [1, 2]).get() }, { _ = try await c.order("n").end(at: [1, "a", "b"]).get() },
            { _ = try await c.order("n").start(after: foreign).get() },
        ]
        for (index, call) in calls.enumerated() {
            let error = await #expect(throws: DocumentError.self) { try await call() }
            #expect(error?.code == .invalidArgument, "call \(index)")
        }
        try await documents.document("c/a").update(["m.x": .delete])
        #expect(try await documents.document("c/a").get()["m"] == [:])
        for query in [c.order("n").start(at: own), c.start(at: ["a"])] { #expect(try await query.get().ids == ["a"]) }
        await documents.close()
    }

    /// Queries with their results over the documents of `seed`.
    private static let queries: [(@Sendable (CollectionReference) -> Query, [String])] = [
        ({ $0.where("n", isGreaterThanOrEqualTo: 2).order("n", descending: true).limit(2) }, ["d", "c"]),
        ({ $0.where("n", in: [1, 3]) }, ["a", "c"]), ({ $0.where("n", notIn: [1]) }, ["b", "c", "d"]),
        ({ $0.where("tags", arrayContains: "x") }, ["a", "b"]), ({ $0.where("tags", arrayContainsAny: ["y", "z"]) }, ["b", "c"]),
        ({ $0.where(.or([.equal("n", 1), .greater("n", 3)])) }, ["a", "d"]), ({ $0.where("z", isEqualTo: nil) }, ["d"]),
        ({ $0.where("n", isNotEqualTo: 2).where("n", isLessThan: 4) }, ["a", "c"]), ({ $0.order("n").start(after: [1]).end(at: [3]) }, ["b", "c"]),
        ({ $0.where("m.x", isEqualTo: 1) }, ["c"]), ({ $0.order("__name__", descending: true).start(at: ["c"]).limit(2) }, ["c", "b"]),
        ({ $0.where("n", isLessThanOrEqualTo: 2) }, ["a", "b"]), ({ $0.order("n").limit(toLast: 2) }, ["c", "d"]),
        ({ $0.limit(toLast: 2).order("n", descending: true) }, ["b", "a"]), ({ $0.order("n").start(after: [1]).limit(toLast: 5) }, ["b", "c", "d"]),
        ({ $0.order("n").end(before: [4]).limit(toLast: 2) }, ["b", "c"]), ({ $0.order("n").start(at: [2]).end(at: [3]).limit(toLast: 1) }, ["c"]),
        ({ $0.where("n", isGreaterThan: 1).order("n").limit(toLast: 1).limit(2) }, ["b", "c"]),
    ]

    private static let seed =
        #"{"set": "things/a", "fields": {"n": 1, "tags": ["x"]}}, {"set": "things/b", "fields": {"n": 2, "tags": ["x", "y"]}}, "#
        + #"{"set": "things/c", "fields": {"n": 3, "tags": ["z"], "m": {"x": 1}}}, {"set": "things/d", "fields": {"n": 4.0, "z": null}}, "#
        + #"{"set": "rooms/r/things/e", "fields": {"n": 9}}"#

    @Test func `queries have the same results online, from the cache and in a listener`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(Self.seed)
        let documents = try world.device()
        let things = documents.collection("things")
        for (index, (query, ids)) in Self.queries.enumerated() {
            let online = try await query(things).get(source: .server)
            #expect(online.ids == ids && !online.isFromCache, "query \(index)")
        }
        #expect(try await documents.collectionGroup("things").get().count == 5)
        for (index, (query, ids)) in Self.queries.enumerated() {
            let cached = try await query(things).get(source: .cache)
            #expect(cached.ids == ids && cached.isFromCache, "query \(index)")
        }
        for (index, (query, ids)) in Self.queries.enumerated() {
            let watched = Watched(query(things).snapshots(includeMetadataChanges: true))
            let isSame = try await eventually { watched.last?.ids == ids && watched.last?.isFromCache == false }
            #expect(isSame, "query \(index): \(watched.last?.ids ?? [])")
            await watched.stop()
        }
        let page = try await things.order("n").limit(2).get()
        #expect(try await things.order("n").start(after: page.documents[1]).get().ids == ["c", "d"])
        #expect(try await things.count() == 4)
        let numbers = try await things.aggregate(["s": .sum("n"), "a": .average("n"), "m": .maximum("n")])
        #expect(numbers == ["s": .double(10), "a": .double(2.5), "m": .double(4)])
        var error = await #expect(throws: DocumentError.self) { try await things.limit(toLast: 2).get() }
        #expect(error?.code == .invalidArgument)
        error = await #expect(throws: DocumentError.self) { try await things.where("n", in: []).get() }
        #expect(error?.code == .invalidArgument)
        await documents.close()
    }

    @Test func `transactions that change one document wait for each other and all succeed`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "c/n", "fields": {"n": 0}}"#)
        let devices = try (0..<3).map { try world.device("d\($0)") }
        // Six at a time, two of them of one device, and no more attempts than an app makes.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for documents in devices + devices {
                group.addTask {
                    for _ in 0..<4 {
                        try await Self.count(documents)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await world.fields("c/n")["n"].number == 24)
        for documents in devices { await documents.close() }
    }

    /// Adds one to `c/n`. Only a machine that stopped this process for longer than the daemon holds documents, two seconds, is a reason to
    /// begin again.
    private static func count(_ documents: Documents) async throws {
        while true {
            let start = ContinuousClock.now
            do {
                return try await documents.transaction { transaction in
                    let counter = try await transaction.get(documents.document("c/n"))
                    transaction.set(counter.reference, ["n": .integer(Int64((counter["n"]?.int ?? 0) + 1))])
                }
            } catch let error as DocumentError where error.code == .aborted && ContinuousClock.now - start > .seconds(2) {}
        }
    }

    @Test func `a repeated transaction holds what it reads, and lets it go when it gives up`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "c/n", "fields": {"n": 0}}, {"set": "c/m", "fields": {"n": 0}}"#)
        let documents = try world.device()
        let (n, m) = (documents.document("c/n"), documents.document("c/m"))
        let order = Locked<[String]>([])
        let note: @Sendable (String) -> Void = { line in order.withLock { $0.append(line) } }
        let tries = Locked(0)
        try await documents.transaction { transaction in
            let attempt = tries.withLock { tries in
                tries += 1
                return tries
            }
            let number = try await transaction.get(n)["n"]?.int ?? 0
            let all = try await transaction.get(documents.collection("c"))
            if attempt == 1 {
                try await world.commit(#"{"set": "c/n", "fields": {"n": 10}}"#)
            } else {
                // A write of another device waits until this one is done.
                Task {
                    try await world.commit(#"{"update": "c/n", "fields": {"n": {"$increment": 100}}}"#)
                    note("other")
                }
                _ = try await transaction.get(m)
                note("own")
            }
            transaction.set(n, ["n": .integer(Int64(number + all.count))])
        }
        #expect(tries.withLock { $0 } == 2)
        #expect(try await eventually { order.withLock { $0 } == ["own", "other"] })
        #expect(try await world.fields("c/n")["n"].number == 112)

        struct Enough: Error {}
        tries.withLock { $0 = 0 }
        await #expect(throws: Enough.self) {
            try await documents.transaction { transaction in
                _ = try await transaction.get(n)
                let attempt = tries.withLock { tries in
                    tries += 1
                    return tries
                }
                if attempt == 2 { throw Enough() }
                try await world.commit(#"{"set": "c/n", "fields": {"n": 1}}"#)
                transaction.set(n, ["n": 2])
            }
        }
        // The commit that ends the hold has no writes.
        #expect(try await eventually { await world.requests(to: "/v1/documents:commit", status: 200) == 6 })
        #expect(try await world.fields("c/n")["n"].number == 1)
        await documents.close()
    }

    @Test func `a transaction that conflicts each time gives up`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "c/n", "fields": {"n": 0}}"#)
        let documents = try world.device()
        let tries = Locked(0)
        let error = await #expect(throws: DocumentError.self) {
            try await documents.transaction(attempts: 3) { transaction in
                let all = try await transaction.get(documents.collection("c"))
                let number = tries.withLock { tries in
                    tries += 1
                    return tries
                }
                try await world.commit(#"{"set": "c/other\#(number)", "fields": {}}"#)
                transaction.set(documents.document("c/sum"), ["n": .integer(Int64(all.count))])
            }
        }
        #expect(error?.code == .aborted && tries.withLock { $0 } == 3)
        #expect(try await !documents.document("c/sum").get(source: .server).exists)
        await documents.close()
    }
}
