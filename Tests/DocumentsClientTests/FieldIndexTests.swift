// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel
import TestSupport
import Testing

@testable import SignalboxDocuments

/// The indexes of single fields that a store makes before a query wants them.
@Suite struct FieldIndexTests {
    private static func document(_ path: String, _ fields: [String: FieldValue], version: Int64 = 1) throws -> RemoteDocument {
        RemoteDocument(path: try #require(DocumentPath(path)), fields: try FieldValue.stored(fields), version: version, created: 1)
    }

    private static func put(_ documents: [RemoteDocument], in store: LocalStore) throws {
        try store.transaction { () throws(DocumentError) in for document in documents { try store.put(document, of: document.version, at: 1) } }
    }

    private static func fields(_ store: LocalStore) -> [String] {
        store.indexes.map { "\($0.shape.collection.text) \($0.shape.fields.map(\.path.description).joined(separator: " "))" }
    }

    private static func entries(_ store: LocalStore) throws -> Int64? {
        try store.database.first("SELECT count(*) FROM entries") { $0.integer(0) }
    }

    @Test func `fields with a short, single value get an index when the 201st document is cached`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 100 << 20)
        let text = FieldValue.text(String(repeating: "x", count: LocalStore.longestText + 1))
        var all: [RemoteDocument] = []
        for number in 0..<300 {
            var fields: [String: FieldValue] = [
                "n": .integer(Int64(number % 50)), "none": .null, "tags": ["a"], "map": .map(["a": 1]), "long": text, "mixed": .bool(true),
            ]
            // Some fields are missing in other documents, or have an array there.
            if number % 2 == 0 { fields["even"] = .text("e\(number % 20)") }
            if number == 150 { fields["mixed"] = [true] }
            if number > 250 { fields["late"] = 1 }
            all.append(try Self.document("c/\(number)", fields))
        }
        try Self.put(Array(all.prefix(LocalStore.fewDocuments)), in: store)
        #expect(store.indexes.isEmpty)
        try Self.put([all[LocalStore.fewDocuments]], in: store)
        // First those that most documents have.
        #expect(Self.fields(store) == ["c n", "c none", "c even"] && store.indexes.allSatisfy { $0.used == 0 })
        try Self.put(Array(all.dropFirst(LocalStore.fewDocuments + 1)), in: store)
        #expect(Self.fields(store) == ["c n", "c none", "c even"])
        #expect(try Self.entries(store) == 300 + 300 + 150)
        // Indexes are shared by all values of a field, so those of another kind are found, too.
        let changed = try Self.document("c/7", ["n": [1], "even": text], version: 2)
        try Self.put([changed], in: store)
        try store.transaction { () throws(DocumentError) in try store.remove(all[8].path) }
        all = all.filter { $0.path != changed.path && $0.path != all[8].path } + [changed]
        let c = try InMemoryDocuments().documents.collection("c")
        let queries = [
            c.where("n", isEqualTo: 7), c.where("n", isEqualTo: [1]), c.where("even", isEqualTo: text), c.where("even", isEqualTo: "e4"),
            c.order("even"), c.order("n", descending: true).limit(3), c.where("n", isGreaterThan: 45), c.where("even", isGreaterThan: "e3"),
        ]
        for (index, query) in queries.enumerated() {
            let model = try query.model.get()
            let found = try store.result(of: model, isLimited: true, at: 1)
            #expect(found.map(\.path) == model.result(of: all).map(\.path), "query \(index)")
        }
    }

    @Test func `twenty fields get an index, those that most documents have, and collections with one ID share it`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 100 << 20)
        var all: [RemoteDocument] = []
        for number in 0..<260 {
            var fields: [String: FieldValue] = [:]
            for field in 10..<35 { fields["f\(field)"] = .integer(Int64(number)) }
            if number > 100 { fields["a"] = 1 }
            all.append(try Self.document("rooms/\(number % 2)/m/\(number)", fields))
        }
        try Self.put(all, in: store)
        #expect(Self.fields(store) == (10..<30).map { "m f\($0)" })
        let hours: Int64 = 10 * 60 * 60 * 1_000_000
        let documents = try InMemoryDocuments().documents
        for room in 0..<2 {
            let query = documents.collection("rooms/\(room)/m").where("f10", isEqualTo: 100)
            let found = try store.result(of: query.model.get(), isLimited: true, at: hours)
            #expect(found.map(\.path.description) == (room == 0 ? ["rooms/0/m/100"] : []))
        }
        // The queries have read the index and made none.
        #expect(store.indexes.map(\.used) == [hours] + Array(repeating: 0, count: 19))
    }

    /// A store in which an earlier release has cached documents without indexes, opened and with one more document, and the documents of it.
    private static func earlierStore(_ file: String, count: Int) throws -> (LocalStore, [RemoteDocument]) {
        let all = try (0...count).map { try document("c/\($0)", ["n": .integer(Int64($0 % 50)), "city": .text("c\($0 % 3)")]) }
        let first = try LocalStore(file, cacheBytes: 100 << 20)
        try put(Array(all.dropLast()), in: first)
        try first.database.execute("DELETE FROM indexes; DELETE FROM entries; DELETE FROM meta WHERE name LIKE 'indexed %'")
        first.close()
        let store = try LocalStore(file, cacheBytes: 100 << 20)
        #expect(store.indexes.isEmpty)
        try put(all.suffix(1), in: store)
        return (store, all)
    }

    @Test func `a large cache of an earlier release gets its indexes in steps, and queries read them when they are complete`() throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/s.db"
        var (store, all) = try Self.earlierStore(file, count: 900)
        let step = Int64(LocalStore.stepDocuments)
        // The step that began them, and that of the commit.
        #expect(Self.fields(store) == ["c city", "c n"] && store.indexes.map(\.used) == [~(2 * step), ~(2 * step)])
        let c = try InMemoryDocuments().documents.collection("c")
        func check() throws {
            for query in [c.where("n", isLessThan: 25), c.where("city", isEqualTo: "c1"), c.order("n")] {
                let model = try query.model.get()
                #expect(try store.result(of: model, isLimited: true, at: 1).map(\.path) == model.result(of: all).map(\.path))
            }
        }
        try check()
        store.close()
        store = try LocalStore(file, cacheBytes: 100 << 20)
        // Two documents with entries, and two without.
        let changed = try [10, 800].map { try Self.document("c/\($0)", ["n": 7, "city": "c1"], version: 2) }
        let removed = [all[20].path, all[850].path]
        let opened = store
        try opened.transaction { () throws(DocumentError) in
            for document in changed { try opened.put(document, of: 2, at: 1) }
            for path in removed { try opened.remove(path) }
        }
        all = all.filter { document in !removed.contains(document.path) && !changed.contains { $0.path == document.path } } + changed
        #expect(store.indexes.map(\.used) == [~(3 * step), ~(3 * step)])
        try check()
        try Self.put([], in: store)
        #expect(store.indexes.map(\.used) == [0, 0])
        #expect(try Self.entries(store) == Int64(2 * all.count))
        try check()
        store.close()
    }

    @Test func `a query that wants an index which is not complete completes it`() throws {
        let folder = TemporaryFolder()
        let (store, all) = try Self.earlierStore(folder.path + "/s.db", count: 900)
        let query = try InMemoryDocuments().documents.collection("c").where("n", isEqualTo: 7).model.get()
        for _ in 0..<2 { #expect(try store.result(of: query, isLimited: true, at: 5).map(\.path) == query.result(of: all).map(\.path)) }
        #expect(Self.fields(store) == ["c city", "c n"] && store.indexes.map(\.used) == [~Int64(2 * LocalStore.stepDocuments), 5])
        for _ in 0..<2 { try Self.put([], in: store) }
        #expect(store.indexes.map(\.used) == [0, 5])
        #expect(try Self.entries(store) == Int64(2 * all.count))
        store.close()
    }

    @Test func `a commit that is rolled back makes no index`() throws {
        let store = try LocalStore(":memory:", cacheBytes: 100 << 20)
        let all = try (0..<300).map { try Self.document("c/\($0)", ["n": .integer(Int64($0))]) }
        func fail() throws(DocumentError) {
            try store.transaction { () throws(DocumentError) in
                for document in all { try store.put(document, of: 1, at: 1) }
                if !store.indexes.isEmpty { throw DocumentError(.cancelled, "after the index was made") }
            }
        }
        let error = #expect(throws: DocumentError.self) { try fail() }
        #expect(error?.code == .cancelled && store.indexes.isEmpty)
        try Self.put(all, in: store)
        #expect(Self.fields(store) == ["c n"])
        #expect(try Self.entries(store) == 300)
    }

    @Test func `an index that was dropped for another one is not made again`() throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/s.db"
        let all = try (0..<300).map { try Self.document("c/\($0)", ["n": .integer(Int64($0))]) }
        let first = try LocalStore(file, cacheBytes: 100 << 20)
        try Self.put(Array(all.dropLast()), in: first)
        #expect(Self.fields(first) == ["c n"])
        try first.database.execute("DELETE FROM indexes; DELETE FROM entries")
        first.close()
        let store = try LocalStore(file, cacheBytes: 100 << 20)
        try Self.put(all.suffix(1), in: store)
        #expect(store.indexes.isEmpty)
        store.close()
    }
}
