// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import SignalboxDocuments

/// The store on the device: what it finds, how fast, and what it forgets.
@Suite struct LocalStoreTests {
    private static func document(_ path: String, _ fields: [String: FieldValue], version: Int64 = 1) throws -> RemoteDocument {
        RemoteDocument(path: try #require(DocumentPath(path)), fields: try FieldValue.stored(fields), version: version, created: 1)
    }

    private static func model(_ query: Query) throws -> DocumentQuery { try query.model.get() }

    private static func milliseconds(_ body: () throws -> Void) throws -> Double {
        let duration = try ContinuousClock().measure(body)
        return Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1_000
    }

    @Test func `indexes find what a search of all documents finds`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 100 << 20)
        let service = try InMemoryDocuments().documents
        var all: [RemoteDocument] = []
        for number in 0..<600 {
            let fields: [String: FieldValue] = [
                "n": .integer(Int64(number % 50)), "city": .text(["Rome", "Bonn", "Oslo"][number % 3]), "tags": [.text("t\(number % 40)")],
            ]
            all.append(try Self.document("c/\(number)", number % 7 == 0 ? ["n": "text"] : fields))
        }
        try store.database.transaction { () throws(DocumentError) in for document in all { try store.put(document, of: document.version, at: 1) } }
        let c = service.collection("c")
        let queries = [
            c.where("n", isEqualTo: 7), c.where("city", isEqualTo: "Rome").order("n", descending: true).limit(5),
            c.where("tags", arrayContains: "t3"), c.where("n", in: [1, 2]).where("city", isEqualTo: "Bonn"), c.order("n").start(after: [48]).limit(3),
            c.where("n", isGreaterThan: 47).where("city", isNotEqualTo: "Oslo"),
        ]
        for round in 0..<2 {
            for (index, query) in queries.enumerated() {
                let model = try Self.model(query)
                let found = try store.result(of: model, isLimited: true, at: 1)
                #expect(found.map(\.path) == model.result(of: all).map(\.path), "query \(index), round \(round)")
            }
        }
        #expect(store.indexes.count >= 2)
        // Indexes follow changes.
        let changed = try Self.document("c/1", ["n": 49, "city": "Rome"], version: 2)
        try store.put(changed, of: 2, at: 1)
        try store.remove(try #require(DocumentPath("c/2")))
        all = all.filter { $0.path.description != "c/1" && $0.path.description != "c/2" } + [changed]
        for query in queries {
            let model = try Self.model(query)
            #expect(try store.result(of: model, isLimited: true, at: 1).map(\.path) == model.result(of: all).map(\.path))
        }
    }

    @Test func `one of 11,000 cached documents is found at once`() throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/s.db"
        var store = try LocalStore(file, cacheBytes: 100 << 20)
        let service = try InMemoryDocuments().documents
        let documents = try (0..<11_000).map {
            try Self.document("users/u\($0)", ["email": .text("user\($0)@example.org"), "n": .integer(Int64($0))])
        }
        for first in stride(from: 0, to: documents.count, by: 500) {
            try store.transaction { () throws(DocumentError) in
                for document in documents[first..<first + 500] { try store.put(document, of: 1, at: 1) }
            }
        }
        let query = try Self.model(service.collection("users").where("email", isEqualTo: "user7777@example.org"))
        var found: [RemoteDocument] = []
        var firsts: [Double] = []
        for _ in 0..<5 {
            store.close()
            store = try LocalStore(file, cacheBytes: 100 << 20)
            firsts.append(try Self.milliseconds { found = try store.result(of: query, isLimited: true, at: 1) })
            #expect(found.map(\.path.description) == ["users/u7777"])
        }
        // The index was there: the query has noted that it reads it, and made no other.
        let hours: Int64 = 10 * 60 * 60 * 1_000_000
        _ = try store.result(of: query, isLimited: true, at: hours)
        #expect(store.indexes.map(\.shape.fields[0].path.description) == ["email", "n"] && store.indexes.map(\.used) == [hours, 0])
        var times: [Double] = []
        for number in 0..<20 {
            let query = try Self.model(service.collection("users").where("email", isEqualTo: "user\(number * 500)@example.org"))
            times.append(try Self.milliseconds { found = try store.result(of: query, isLimited: true, at: 1) })
            #expect(found.map(\.path.description) == ["users/u\(number * 500)"])
        }
        let median = times.sorted()[10]
        let first = firsts.sorted()[2]
        print("cached query of one among 11,000: first \(first) ms, later \(median) ms")
        #expect(first <= 5 && median <= 5)
        store.close()
    }

    @Test func `a store with 100 MB opens at once`() throws {
        let folder = TemporaryFolder()
        let text = ExactName(String(repeating: "x", count: 500_000))
        var store: LocalStore? = try LocalStore(folder.path + "/s.db", cacheBytes: 200 << 20)
        try store?.database.transaction { () throws(DocumentError) in
            for number in 0..<200 {
                guard let path = DocumentPath("c/\(number)"), let fields = DocumentFields([.init("t", .text(text))]) else { continue }
                try store?.put(RemoteDocument(path: path, fields: fields, version: 1, created: 1), of: 1, at: 1)
            }
        }
        #expect((store?.bytes ?? 0) >= 100_000_000)
        store?.close()
        store = nil
        let time = try Self.milliseconds { store = try LocalStore(folder.path + "/s.db", cacheBytes: 200 << 20) }
        print("start with 100 MB: \(time) ms")
        #expect(time <= 100 && store?.bytes ?? 0 >= 100_000_000)
    }

    @Test func `what the daemon told last is kept, also an older version after it was restored`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 100 << 20)
        let path = try #require(DocumentPath("c/a"))
        // The version, the stamp at which it was told, and the version that is there then.
        for (version, stamp, kept) in [(20, 20, 20), (10, 15, 20), (30, 35, 30), (20, 30, 20), (10, 19, 20), (10, 20, 10)] as [(Int64, Int64, Int64)]
        {
            try store.put(try Self.document("c/a", ["n": .integer(version)], version: version), of: stamp, at: 1)
            #expect(try store.document(path)?.document.version == kept, "version \(version) at \(stamp)")
        }
    }

    /// Makes a store of version 1 of the newest one, with a client and an increment for each batch of its queue.
    private static func makeFirstVersion(_ file: String, batches: [Int64?], hasClient: Bool) throws {
        let database = try Database(file)
        try database.execute(
            """
            DROP TABLE pending;
            CREATE TABLE pending (
                number INTEGER PRIMARY KEY AUTOINCREMENT, \(hasClient ? "client TEXT NOT NULL, " : "")batch INTEGER, at INTEGER NOT NULL,
                body BLOB NOT NULL);
            DROP INDEX targets_by_use;
            INSERT OR REPLACE INTO meta VALUES ('client', 'first'), ('batch', '9');
            DELETE FROM meta WHERE name = 'mark';
            PRAGMA user_version = 1;
            """)
        let body = Array(#"[{"set":"m/a","fields":{"n":{"$increment":1}},"merge":true}]"#.utf8)
        for batch in batches {
            let values: [SQLValue] = [batch.map { .integer($0) } ?? .null, .integer(1), .blob(body)] + (hasClient ? [.text("other")] : [])
            let names = "batch, at, body" + (hasClient ? ", client" : "")
            let places = values.map { _ in "?" }.joined(separator: ", ")
            try database.each("INSERT INTO pending (\(names)) VALUES (\(places))", values) { _ in false }
        }
        database.close()
    }

    @Test(arguments: [false, true])
    func `a store of an earlier version opens with its queue, under clients that mix up no batches`(hasClient: Bool) throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/s.db"
        try LocalStore(file, cacheBytes: 100 << 20).close()
        try Self.makeFirstVersion(file, batches: [8, nil, nil], hasClient: hasClient)
        for _ in 0..<2 {
            let store = try LocalStore(file, cacheBytes: 100 << 20)
            let queue = try store.pending()
            #expect(queue.map(\.client) == (hasClient ? ["other", "other", "other"] : ["first", "first-2", "first-2"]))
            #expect(queue.map(\.batch) == [8, 3, 3] && store.client != "first")
            #expect(try store.database.first("SELECT count(*) FROM sqlite_master WHERE name = 'targets_by_use'") { $0.integer(0) } == 1)
            #expect(try store.database.first("PRAGMA user_version") { $0.integer(0) } == 2)
            store.close()
        }
        let newer = try Database(file)
        try newer.execute("PRAGMA user_version = 3")
        newer.close()
        let error = #expect(throws: DocumentError.self) { try LocalStore(file, cacheBytes: 100 << 20) }
        #expect(error?.code == .dataLoss && error?.reason.contains("newer release") == true)
    }

    @Test func `the queue of a store of an earlier version is sent, and nothing of it twice`() async throws {
        let world = try await DocumentWorld.start()
        try await world.device().close()
        let file = world.appFolder.path + "/phone/documents.db"
        try Self.makeFirstVersion(file, batches: [2, nil, nil], hasClient: false)
        // The daemon has made the first write already; its answer was lost.
        let write = #"{"set": "m/a", "fields": {"n": {"$increment": 1}}, "merge": true}"#
        let reply = try await world.api.post(
            "/v1/documents:commit", key: world.keys.ingest, #"{"writes": [\#(write)], "client": "first", "batch": 2}"#)
        #expect(reply.status == 200, "\(reply.text)")
        let documents = try world.device()
        try await documents.waitForPendingWrites()
        #expect(try await world.fields("m/a")["n"].number == 3)
        try await documents.document("m/a").update(["n": .increment(1)])
        #expect(try await world.fields("m/a")["n"].number == 4)
        await documents.close()
    }

    @Test func `the documents used longest ago are removed, and never those that are needed`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 10_000)
        for number in 0..<20 {
            try store.put(try Self.document("c/\(number)", ["t": .text(String(repeating: "x", count: 1_000))]), of: 1, at: Int64(number))
        }
        try store.touch([try #require(DocumentPath("c/1"))], at: 100_000_000)
        try store.evict { $0.description == "c/0" }
        #expect(try store.database.first("SELECT count(*) FROM collections") { $0.integer(0) } == 1)
        let left = try (0..<20).filter { try store.document(try #require(DocumentPath("c/\($0)"))) != nil }
        #expect(left.prefix(2) == [0, 1] && left.last == 19 && left.count < 10 && store.bytes <= 10_000)
    }

    @Test func `what a full disk refuses does not count as cached`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 100 << 20)
        let documents = try (0..<100).map { try Self.document("c/\($0)", ["t": .text(String(repeating: "x", count: 1_000))]) }
        try store.put(documents[0], of: 1, at: 1)
        let (bytes, client) = (store.bytes, store.client)
        func keepAll() throws(DocumentError) {
            try store.transaction { () throws(DocumentError) in
                try store.renewClientOfNewWrites()
                for document in documents { try store.put(document, of: 1, at: 1) }
            }
        }
        // No page more than there are.
        try store.database.execute("PRAGMA max_page_count = 1")
        let error = #expect(throws: DocumentError.self) { try keepAll() }
        #expect(error?.code == .dataLoss)
        #expect(store.bytes == bytes && store.client == client)
        try store.database.execute("PRAGMA max_page_count = 1000000")
        try keepAll()
        #expect(store.bytes > 99 * 1_000 && store.client != client)
    }

    @Test func `targets that were listened to longest ago are forgotten, and never those in use`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 100 << 20)
        let row = try store.put(try Self.document("c/1", ["n": 1]), of: 1, at: 1)
        var numbers: [Int64] = []
        for number in 0..<LocalStore.mostTargets + 50 {
            let target = try store.target(.document(try #require(DocumentPath("c/\(number)"))), at: Int64(number))
            try store.addMember(row, to: target.number)
            numbers.append(target.number)
        }
        try store.trimTargets { $0 == numbers[0] }
        let left = try store.database.all("SELECT number FROM targets ORDER BY number") { $0.integer(0) }
        #expect(left == [numbers[0]] + numbers.suffix(LocalStore.mostTargets - 1))
        #expect(try store.database.first("SELECT count(*) FROM members") { $0.integer(0) } == Int64(LocalStore.mostTargets))
        #expect(try store.document(try #require(DocumentPath("c/1"))) != nil)
    }

    @Test func `an index that no query reads makes room for one that is wanted`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 100 << 20)
        let c = try InMemoryDocuments().documents.collection("c")
        let day: Int64 = 24 * 60 * 60 * 1_000_000
        try store.database.transaction { () throws(DocumentError) in
            for number in 0..<250 {
                let fields = (0...LocalStore.mostIndexes).map { DocumentFields.Field(ExactName("f\($0)"), .integer(Int64(number))) }
                guard let path = DocumentPath("c/\(number)"), let fields = DocumentFields(fields) else { continue }
                try store.put(RemoteDocument(path: path, fields: fields, version: 1, created: 1), of: 1, at: 1)
            }
        }
        func find(_ field: Int, at now: Int64) throws -> [String] {
            let query = try Self.model(c.where("f\(field)", isEqualTo: 7))
            return try store.result(of: query, isLimited: true, at: now).map(\.path.description)
        }
        for field in 0..<LocalStore.mostIndexes { #expect(try find(field, at: 1) == ["c/7"]) }
        let shapes = store.indexes.map(\.shape)
        #expect(shapes.count == LocalStore.mostIndexes)
        // All of them were read today.
        #expect(try find(LocalStore.mostIndexes, at: day / 2) == ["c/7"] && store.indexes.map(\.shape) == shapes)
        for field in 1..<LocalStore.mostIndexes { #expect(try find(field, at: 2 * day) == ["c/7"]) }
        #expect(try find(LocalStore.mostIndexes, at: 2 * day) == ["c/7"])
        #expect(store.indexes.count == LocalStore.mostIndexes && store.indexes.dropLast().map(\.shape) == Array(shapes.dropFirst()))
        #expect(try store.database.first("SELECT count(*) FROM entries") { $0.integer(0) } == Int64(250 * LocalStore.mostIndexes))
        #expect(try find(0, at: 2 * day) == ["c/7"] && find(LocalStore.mostIndexes, at: 2 * day) == ["c/7"])
    }

    /// The pauses of the device last five minutes at least, so a flush that waits for one does not end in the time of `eventually`.
    @Test func `a thousand queued writes are applied once, in two requests without a pause`() async throws {
        let world = try await DocumentWorld.start()
        let documents = try world.device { $0.backoff = Backoff(first: 600, longest: 600) }
        await documents.setNetworkEnabled(false)
        for number in 0..<1_000 {
            try await documents.batch().set(documents.document("m/d\(number % 100)"), ["n": .increment(1)], merge: true).enqueue()
        }
        let start = ContinuousClock.now
        await documents.setNetworkEnabled(true)
        let flushed = Locked<Duration?>(nil)
        let waiting = Task {
            try await documents.waitForPendingWrites()
            flushed.withLock { $0 = ContinuousClock.now - start }
        }
        #expect(try await eventually { flushed.withLock { $0 != nil } }, "the writes are still queued")
        if let duration = flushed.withLock({ $0 }) { print("1,000 queued writes: \(duration)") }
        #expect(await world.requests(to: "/v1/documents:commit", status: 200) == 2, "500 writes a request")
        // Nor was a request refused and sent again.
        #expect(world.daemon.loggedLines.filter { $0.contains(" route=/v1/documents:commit ") }.count == 2)
        #expect(try await documents.collection("m").aggregate(["s": .sum("n")])["s"] == 1_000)
        await documents.close()
        try await waiting.value
    }

    @Test func `a damaged file is set aside, and the documents begin anew`() async throws {
        let world = try await DocumentWorld.start()
        let documents = try world.device()
        try await documents.document("m/a").set(["n": 1])
        await documents.close()
        let file = world.appFolder.path + "/phone/documents.db"
        for round in 0..<2 {
            try Data(repeating: UInt8(ascii: "x"), count: 8_192).write(to: URL(fileURLWithPath: file))
            let again = try world.device()
            try await again.document("m/a").update(["n": .increment(1)])
            #expect(try await world.fields("m/a")["n"].number == 2 + round)
            await again.close()
            #expect(try Data(contentsOf: URL(fileURLWithPath: file + ".damaged")).count == 8_192)
        }
        // A removal of the user's data removes that file, too.
        let last = try world.device()
        try await last.setUser("ann", removingLocalData: true)
        #expect(!FileManager.default.fileExists(atPath: file + ".damaged"))
        await last.close()
    }

    @Test func `the log of a damaged file is set aside with it, and only the last of both is kept`() throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/documents.db"
        func text(_ suffix: String) throws -> String { String(decoding: try Data(contentsOf: URL(fileURLWithPath: file + suffix)), as: UTF8.self) }
        for round in 0..<2 {
            for suffix in ["", "-wal", "-shm"] { try Data("\(round)\(suffix)".utf8).write(to: URL(fileURLWithPath: file + suffix)) }
            try LocalStore.setAside(file)
            #expect(try text(".damaged") == "\(round)")
            #expect(try text(".damaged-wal") == "\(round)-wal")
        }
        // The log of an earlier file would be one of another file.
        try Data("last".utf8).write(to: URL(fileURLWithPath: file))
        try LocalStore.setAside(file)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["documents.db.damaged"])
    }

    @Test func `a file that may be read later is left as it is`() throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/documents.db"
        // Newer than this release, or opened by another one.
        do {
            let store = try LocalStore(file, cacheBytes: 100 << 20)
            #expect(throws: DocumentError.self) { try LocalStore.open(file, cacheBytes: 100 << 20) }
            try store.database.execute("PRAGMA user_version = 1000")
            store.close()
        }
        #expect(throws: DocumentError.self) { try LocalStore.open(file, cacheBytes: 100 << 20) }
        // One that cannot be opened: a folder is in its place.
        try FileManager.default.createDirectory(atPath: folder.path + "/locked.db", withIntermediateDirectories: true)
        #expect(throws: DocumentError.self) { try LocalStore.open(folder.path + "/locked.db", cacheBytes: 100 << 20) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains("documents.db") && names.contains("locked.db"))
        #expect(names.allSatisfy { !$0.hasSuffix(".damaged") })
    }

    @Test func `users have stores of their own`() async throws {
        let world = try await DocumentWorld.start()
        let documents = try world.device()
        try await documents.document("m/a").set(["n": 1])
        #expect(try await documents.document("m/a").get(source: .cache).exists)
        try await documents.setUser("ann")
        var error = await #expect(throws: DocumentError.self) { try await documents.document("m/a").get(source: .cache) }
        #expect(error?.code == .notFound)
        // Without a token of the user nothing is sent.
        error = await #expect(throws: DocumentError.self) { try await documents.document("m/a").get(source: .server) }
        #expect(error?.code == .unauthenticated)
        try await documents.setUser(nil, removingLocalData: true)
        #expect(try await documents.document("m/a").get(source: .cache).exists)
        let files = try FileManager.default.contentsOfDirectory(atPath: world.appFolder.path + "/phone")
        #expect(files.contains("documents.db") && !files.contains("documents-ann.db"))
        // A file belongs to one service at a time.
        error = #expect(throws: DocumentError.self) { try world.device() }
        #expect(error?.code == .dataLoss)
        await documents.close()
    }
}
