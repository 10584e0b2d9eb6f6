// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import SignalboxDocumentModel

/// Plans over random indexes find what a scan of all documents finds.
@Suite struct QueryPlanTests {
    private struct Document: QueriedDocument, Hashable {
        let path: DocumentPath
        let fields: DocumentFields

        func value(at field: FieldPath) -> DocumentValue? { field.isName ? .reference(DocumentReference(path)) : fields[field] }
    }

    private struct Entry {
        let key: [UInt8]
        let isCut: Bool
        let document: Document
    }

    /// The entries of an index below a collection, or of the group.
    private static func entries(_ shape: IndexShape, _ query: DocumentQuery, _ documents: [Document]) -> [Entry] {
        documents.filter { document in
            let above = document.path.segments.dropLast()
            return above.last == shape.collection && (shape.scope == .group || above.dropLast().elementsEqual(query.parent?.segments ?? []))
        }
        .flatMap { document in shape.keys(of: document).map { Entry(key: $0.bytes, isCut: $0.isCut, document: document) } }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private static func found(_ scan: IndexScan, _ query: DocumentQuery, _ documents: [Document]) -> [Entry] {
        let found = entries(scan.shape, query, documents).filter { entry in
            !entry.key.lexicographicallyPrecedes(scan.lower) && scan.upper.map { entry.key.lexicographicallyPrecedes($0) } ?? true
        }
        return scan.isReversed ? found.reversed() : found
    }

    @Test func `what indexes find is what a scan of all documents finds`() throws {
        var random = SeededGenerator(7)
        var (indexed, ordered, exact, results) = (0, 0, 0, 0)
        for _ in 1...600 {
            let documents = Self.documents(&random)
            for _ in 1...8 {
                let query = try Self.query(&random, documents)
                guard (try? query.validate()) != nil else { continue }
                var whole = query
                (whole.offset, whole.limit) = (0, nil)
                let expected = whole.result(of: documents)
                let shapes = query.wantedShapes.filter { _ in random.next() % 4 != 0 } + (0..<3).map { _ in Self.shape(&random) }
                guard case .index(let scans) = QueryPlan(query, with: shapes) else { continue }
                indexed += 1
                results += expected.count
                let found = scans.map { Self.found($0, query, documents) }
                let all = Set(found.flatMap { $0 }.map(\.document)).filter(whole.matches)
                #expect(all == Set(expected), "\(query) by \(scans)")
                for (scan, entries) in zip(scans, found) where scan.isOrdered && !entries.contains(where: \.isCut) {
                    ordered += 1
                    let inOrder = entries.map(\.document).filter(whole.matches)
                    #expect(inOrder == expected.filter(Set(inOrder).contains), "\(query) by \(scan)")
                }
                for (scan, entries) in zip(scans, found) where scan.isExact {
                    exact += 1
                    #expect(entries.count == expected.count, "\(query) by \(scan)")
                }
            }
        }
        #expect(indexed > 2_000 && ordered > 1_000 && exact > 300 && results > 2_000, "\(indexed) \(ordered) \(exact) \(results)")
    }

    @Test func `the wanted index answers a query in order, and reads nothing else`() throws {
        var query = DocumentQuery(collection: PathSegment("users"))
        query.filter = .and([.compare(try field("city"), .equal, .text("Rome")), .compare(try field("age"), .greater, .integer(30))])
        query.orders = [DocumentQuery.Order(try field("age"), descending: true)]
        let shape = try #require(query.wantedShapes.first)
        #expect(shape.fields == [IndexShape.Field(try field("city")), IndexShape.Field(try field("age"), .descending)])
        guard case .index(let scans) = QueryPlan(query, with: [shape]) else {
            Issue.record("the index is not used")
            return
        }
        #expect(scans.count == 1 && scans[0].isOrdered && !scans[0].isReversed && scans[0].isExact)
        let documents = try (0..<100).map { number in
            var fields = DocumentFields()
            fields["city"] = .text(number % 2 == 0 ? "Rome" : "Oslo")
            fields["age"] = .integer(Int64(number))
            return Document(path: try #require(DocumentPath("users/u\(number)")), fields: fields)
        }
        #expect(Self.found(scans[0], query, documents).map(\.document) == query.result(of: documents))
    }

    @Test func `texts with equal keys are told apart by their documents`() throws {
        let documents = try ["x", "y", "z"].map { last in
            var fields = DocumentFields()
            fields["a"] = .text(ExactName(Self.long + last))
            return Document(path: try #require(DocumentPath("users/\(last)")), fields: fields)
        }
        for comparison in [Comparison.less, .atMost, .greater, .atLeast, .equal, .unequal] {
            for operand in ["", "x", "y", "z", "~"] {
                var query = DocumentQuery(collection: Self.users)
                query.filter = .compare(try field("a"), comparison, .text(ExactName(Self.long + operand)))
                guard case .index(let scans) = QueryPlan(query, with: query.wantedShapes) else { continue }
                let found = Self.found(scans[0], query, documents).map(\.document).filter(query.matches)
                #expect(found.count == query.result(of: documents).count && !scans[0].isExact, "\(comparison.rawValue) \(operand)")
            }
        }
    }

    @Test func `a query without a fitting index reads the documents`() throws {
        var query = DocumentQuery(collection: PathSegment("users"))
        query.filter = .compare(try field("city"), .equal, .text("Rome"))
        let users = try #require(PathSegment("users"))
        let shapes = [
            IndexShape(.group, users, [.init(try field("city"))]),
            IndexShape(.collection, try #require(PathSegment("rooms")), [.init(try field("city"))]),
            IndexShape(.collection, users, [.init(try field("city")), .init(try field("age"))]),
            IndexShape(.collection, users, [.init(try field("city"), .contains)]),
        ]
        #expect(QueryPlan(query, with: shapes) == .documents)
    }

    private func field(_ name: String) throws -> FieldPath { try #require(FieldPath(name)) }

    // MARK: Random values

    private static let names: [ExactName] = ["a", "b", "tags"]
    private static let long = String(repeating: "x", count: OrderedKey.maximumBytes)

    private static func value(_ random: inout SeededGenerator) -> DocumentValue {
        switch random.next() % 12 {
        case 0: .null
        case 1: .double(.nan)
        case 2: .double([-0.0, 1, 1.5, .infinity][Int(random.next() % 4)])
        case 3: .text(ExactName(["", "x", long, long + "y", long + "z"][Int(random.next() % 5)]))
        case 4: .bool(Bool.random(using: &random))
        case 5: .array([.integer(Int64(random.next() % 2))])
        case 6: .bytes([0, 0xFF])
        default: .integer(Int64(random.next() % 4))
        }
    }

    private static func documents(_ random: inout SeededGenerator) -> [Document] {
        (0..<12).compactMap { number in
            var fields = DocumentFields()
            for name in names.prefix(2) where random.next() % 6 != 0 { fields[name] = value(&random) }
            if random.next() % 3 != 0 { fields[names[2]] = .array((0..<random.next() % 3).map { _ in value(&random) }) }
            return DocumentPath(number % 3 == 0 ? "rooms/r/users/u\(number)" : "users/u\(number)").map { Document(path: $0, fields: fields) }
        }
    }

    private static func shape(_ random: inout SeededGenerator) -> IndexShape {
        let fields = names.shuffled(using: &random).prefix(Int(random.next() % 3) + 1).compactMap { name in
            FieldPath([name]).map { path in
                IndexShape.Field(path, name == "tags" ? .contains : Bool.random(using: &random) ? .ascending : .descending)
            }
        }
        return IndexShape(Bool.random(using: &random) ? .collection : .group, users, fields)
    }

    private static var users: PathSegment {
        guard let users = PathSegment("users") else { preconditionFailure("users is no ID") }
        return users
    }

    private static func query(_ random: inout SeededGenerator, _ documents: [Document]) throws -> DocumentQuery {
        var query = DocumentQuery(collection: users, everyDepth: Bool.random(using: &random))
        if random.next() % 4 == 0 { query.parent = DocumentPath("rooms/r") }
        if random.next() % 5 != 0 { query.filter = try filter(&random, depth: 2) }
        for name in names.prefix(2) where random.next() % 3 == 0 {
            query.orders.append(DocumentQuery.Order(try #require(FieldPath([name])), descending: Bool.random(using: &random)))
        }
        if random.next() % 3 == 0 { query.orders.append(DocumentQuery.Order(.name, descending: Bool.random(using: &random))) }
        let orders = query.completeOrders
        for isStart in [true, false] where random.next() % 3 == 0 {
            guard let document = documents.randomElement(using: &random) else { continue }
            let values = orders.prefix(Int(random.next() % 3) + 1).map { order in
                random.next() % 3 != 0 || order.field.isName ? document.value(at: order.field) ?? .null : value(&random)
            }
            let cursor = DocumentQuery.Cursor(values, isBefore: Bool.random(using: &random))
            if isStart { query.start = cursor } else { query.end = cursor }
        }
        return query
    }

    private static func filter(_ random: inout SeededGenerator, depth: Int) throws -> Filter {
        let field = try #require(FieldPath([names[Int(random.next() % 2)]]))
        let tags = try #require(FieldPath([names[2]]))
        switch random.next() % (depth == 0 ? 8 : 11) {
        case 0, 1: return .compare(field, .equal, value(&random))
        case 2: return .compare(field, [.less, .atMost, .greater, .atLeast][Int(random.next() % 4)], value(&random))
        case 3: return .compare(field, .isIn, .array([value(&random), value(&random)]))
        case 4: return .compare(tags, .contains, value(&random))
        case 5: return .compare(tags, .containsAny, .array([value(&random), value(&random)]))
        case 6: return .compare(field, Bool.random(using: &random) ? .unequal : .notIn, .array([value(&random)]))
        case 7: return .unary(field, UnaryCondition.allCases[Int(random.next() % 4)])
        case 8, 9: return .and([try filter(&random, depth: depth - 1), try filter(&random, depth: depth - 1)])
        default: return .or([try filter(&random, depth: depth - 1), try filter(&random, depth: depth - 1)])
        }
    }
}
