// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import SignalboxDocuments

/// Random documents with values of every type, and random queries: a store finds what a search of all documents finds, whichever indexes it has.
@Suite struct IndexedResultTests {
    @Test(arguments: [1, 2] as [UInt64])
    func `indexes change no result, after any changes, restarts and commits that are rolled back`(seed: UInt64) throws {
        let folder = TemporaryFolder()
        var world = try World(file: folder.path + "/s.db", seed: seed)
        try world.fillAsEarlierRelease()
        #expect(Set(world.store.indexes.flatMap { $0.shape.fields.map(\.path.names) }) == Set(World.names.prefix(2).map { [$0] }))
        var unfilled = 0
        for round in 0..<16 {
            try world.change(20, isRolledBack: round % 4 == 1)
            if round % 3 == 1 { try world.reopen() }
            unfilled += world.store.indexes.count { !$0.isFilled }
            for _ in 0..<8 { try world.check("seed \(seed), round \(round)") }
        }
        // Some rounds had indexes that were not complete, and later ones complete ones.
        #expect(unfilled > 0 && world.indexed > 10 && world.results > 50, "\(unfilled) \(world.indexed) \(world.results)")
        world.store.close()
    }
}

/// A store and the documents that it must have.
private struct World {
    /// The second one needs quotes in a path.
    static let names: [ExactName] = ["a", "b.c", "tags"]
    private static let initial = 800
    private static let day: Int64 = 24 * 60 * 60 * 1_000_000
    private static let long = String(repeating: "x", count: OrderedKey.maximumBytes)

    private let file: String
    private let users: PathSegment
    private let rooms: DocumentPath
    private(set) var store: LocalStore
    private var documents: [DocumentPath: RemoteDocument] = [:]
    private var version: Int64 = 0
    private var now: Int64 = 0
    private var random: SeededGenerator
    /// The queries that an index answered, and the documents that were found.
    private(set) var (indexed, results) = (0, 0)

    init(file: String, seed: UInt64) throws {
        (self.file, random) = (file, SeededGenerator(seed))
        users = try #require(PathSegment("users"))
        rooms = try #require(DocumentPath("rooms/r"))
        store = try LocalStore(file, cacheBytes: 100 << 20)
    }

    /// Caches documents with short, single values and without indexes, opens the store again, and begins its indexes by one more document.
    mutating func fillAsEarlierRelease() throws {
        for number in 0..<World.initial {
            let document = try document(at: path(number)) { $0.single() }
            documents[document.path] = document
        }
        try apply(documents.map { ($0.key, $0.value) }, isRolledBack: false)
        try store.database.execute("DELETE FROM indexes; DELETE FROM entries; DELETE FROM meta WHERE name LIKE 'indexed %'")
        try reopen()
        let last = try document(at: path(World.initial)) { $0.single() }
        documents[last.path] = last
        try apply([(last.path, last)], isRolledBack: false)
        try reopen()
    }

    mutating func reopen() throws {
        store.close()
        store = try LocalStore(file, cacheBytes: 100 << 20)
    }

    /// Puts and removes documents in one commit.
    mutating func change(_ count: Int, isRolledBack: Bool) throws {
        var steps: [(DocumentPath, RemoteDocument?)] = []
        for _ in 0..<count {
            let path = try path(Int(random.next() % UInt64(World.initial + 40)))
            steps.append((path, random.next() % 4 == 0 ? nil : try document(at: path) { $0.any() }))
        }
        try apply(steps, isRolledBack: isRolledBack)
        if isRolledBack { return }
        for (path, document) in steps { documents[path] = document }
    }

    private func apply(_ steps: [(DocumentPath, RemoteDocument?)], isRolledBack: Bool) throws {
        let store = store
        func commit() throws(DocumentError) {
            try store.transaction { () throws(DocumentError) in
                for (path, document) in steps {
                    if let document { try store.put(document, of: document.version, at: 1) } else { try store.remove(path) }
                }
                if isRolledBack { throw DocumentError(.cancelled, "behind the changes") }
            }
        }
        if isRolledBack { #expect(throws: DocumentError.self) { try commit() } } else { try commit() }
    }

    /// Compares the result of a query, two days after the last one, so that indexes that are not read make room for others.
    mutating func check(_ comment: String) throws {
        let query = try query()
        guard (try? query.validate()) != nil else { return }
        now += 2 * World.day
        if case .index = QueryPlan(query, with: store.indexes.filter(\.isFilled).map(\.shape)) { indexed += 1 }
        let isLimited = Bool.random(using: &random)
        var wanted = query
        if !isLimited { (wanted.limit, wanted.offset) = (nil, 0) }
        let expected = wanted.result(of: Array(documents.values)).map(\.path)
        let found = try store.result(of: query, isLimited: isLimited, at: now).map(\.path)
        #expect(found == expected, "\(comment): \(query)")
        results += found.count
    }

    // MARK: Random documents

    private func path(_ number: Int) throws -> DocumentPath {
        try #require(DocumentPath(number % 4 == 0 ? "rooms/r/users/u\(number)" : "users/u\(number)"))
    }

    private mutating func document(at path: DocumentPath, _ value: (inout World) -> DocumentValue) throws -> RemoteDocument {
        var fields = DocumentFields()
        for name in World.names.prefix(2) where random.next() % 6 != 0 { fields[name] = value(&self) }
        if random.next() % 3 != 0 { fields[World.names[2]] = .array((0..<random.next() % 3).map { _ in single() }) }
        version += 1
        return RemoteDocument(path: path, fields: fields, version: version, created: 1)
    }

    private mutating func one<T>(of all: [T]) -> T { all[Int(random.next() % UInt64(all.count))] }

    /// A value with which a field gets an index.
    private mutating func single() -> DocumentValue {
        switch random.next() % 10 {
        case 0: .null
        case 1: .double(one(of: [.nan, -0.0, 0, 1.5, -.infinity, 0x1p60]))
        case 2: .integer(one(of: [.min, .max, 0, 1 << 60, (1 << 60) + 1]))
        case 3: .text(ExactName(one(of: ["", "x", "y\0", String(repeating: "x", count: 256)])))
        case 4: .bytes(one(of: [[], [0], [0, 0xFF]]))
        case 5: .bool(Bool.random(using: &random))
        case 6: DocumentTime(microseconds: one(of: [-1, 0, 1_500_000])).map(DocumentValue.time) ?? .null
        case 7: .reference(SignalboxDocumentModel.DocumentReference(rooms))
        case 8: SignalboxDocumentModel.GeoPoint(latitude: one(of: [-0.5, 41]), longitude: 12).map(DocumentValue.place) ?? .null
        default: .integer(Int64(random.next() % 5))
        }
    }

    private mutating func any() -> DocumentValue {
        switch random.next() % 6 {
        case 0: return .text(ExactName(one(of: [String(repeating: "x", count: 300), World.long, World.long + "y", World.long + "z"])))
        case 1: return .array([single(), .integer(1)])
        case 2:
            var fields = DocumentFields()
            fields["m"] = single()
            return .map(fields)
        case 3: return .vector(one(of: [[], [1, 2], [-0.0]]))
        default: return single()
        }
    }

    // MARK: Random queries

    private mutating func query() throws -> DocumentQuery {
        var query = DocumentQuery(collection: users, everyDepth: random.next() % 4 == 0)
        if random.next() % 4 == 0 { query.parent = rooms }
        if random.next() % 5 != 0 { query.filter = try filter(depth: 2) }
        for name in World.names.prefix(2) where random.next() % 3 == 0 {
            query.orders.append(DocumentQuery.Order(try #require(FieldPath([name])), descending: Bool.random(using: &random)))
        }
        if random.next() % 3 == 0 { query.orders.append(DocumentQuery.Order(.name, descending: Bool.random(using: &random))) }
        if random.next() % 4 == 0 { query.start = try cursor(query) }
        if random.next() % 4 == 0 { query.end = try cursor(query) }
        if random.next() % 2 == 0 { (query.limit, query.offset) = (Int(random.next() % 5) + 1, Int(random.next() % 3)) }
        return query
    }

    private mutating func cursor(_ query: DocumentQuery) throws -> DocumentQuery.Cursor? {
        guard let document = documents[try path(Int(random.next() % UInt64(World.initial)))] else { return nil }
        let values = query.completeOrders.prefix(Int(random.next() % 3) + 1).map { document.value(at: $0.field) ?? .null }
        return DocumentQuery.Cursor(values, isBefore: Bool.random(using: &random))
    }

    private mutating func filter(depth: Int) throws -> Filter {
        let field = try #require(FieldPath([one(of: Array(World.names.prefix(2)))]))
        let tags = try #require(FieldPath([World.names[2]]))
        switch random.next() % (depth == 0 ? 8 : 11) {
        case 0, 1: return .compare(field, .equal, any())
        case 2: return .compare(field, one(of: [.less, .atMost, .greater, .atLeast]), any())
        case 3: return .compare(field, .isIn, .array([any(), single()]))
        case 4: return .compare(tags, .contains, single())
        case 5: return .compare(tags, .containsAny, .array([single(), single()]))
        case 6: return Bool.random(using: &random) ? .compare(field, .unequal, any()) : .compare(field, .notIn, .array([any()]))
        case 7: return .unary(field, one(of: UnaryCondition.allCases))
        case 8, 9: return .and([try filter(depth: depth - 1), try filter(depth: depth - 1)])
        default: return .or([try filter(depth: depth - 1), try filter(depth: depth - 1)])
        }
    }
}
