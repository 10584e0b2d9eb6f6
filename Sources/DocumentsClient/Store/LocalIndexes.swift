// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

/// An index of cached documents. Its keys are `number ‖ collection's number (0 for a group) ‖ key of the shape`.
struct LocalIndex {
    let number: Int64
    let shape: IndexShape
    /// The time of the last query that read it, in microseconds; 0 before the first one.
    ///
    /// Below 0 while documents lack their entries: `~used` is then the number of the last document that has been given its entries.
    var used: Int64

    /// Whether all documents have their entries, so that queries may read the index.
    var isFilled: Bool { used >= 0 }

    /// The beginning of all keys of the index.
    var start: [UInt8] { LocalIndex.bytes(number) }

    func prefix(collection: Int64) -> [UInt8] { start + LocalIndex.bytes(shape.scope == .group ? 0 : collection) }

    /// The keys of a document, given the number of its collection; none without a document.
    func keys(of document: RemoteDocument?, collection: Int64) -> Set<[UInt8]> {
        guard let document else { return [] }
        let beginning = prefix(collection: collection)
        return Set(shape.keys(of: document).map { beginning + $0.bytes })
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }
}

/// Local indexes: those of single fields (`indexFields`), and those made for queries that examined many documents for few results, as the
/// daemon does. Each commit keeps their entries, also of indexes that are not filled.
extension LocalStore {
    static let mostIndexes = 50
    /// The microseconds for which an index that is read keeps its place, though another query wants it.
    private static let keptMicroseconds: Int64 = 24 * 60 * 60 * 1_000_000
    private static let notedMicroseconds: Int64 = 60 * 60 * 1_000_000
    /// A query that examined more documents than this, and more than ten for each result, gets an index.
    static let fewDocuments = 200

    func loadIndexes() throws(DocumentError) {
        indexes = try database.all("SELECT number, shape, used FROM indexes ORDER BY number") { row -> LocalIndex? in
            guard let shape = JSONNode(row.blob(1)).flatMap({ IndexShape($0) }) else { return nil }
            return LocalIndex(number: row.integer(0), shape: shape, used: row.integer(2))
        }.compactMap { $0 }
        try loadIndexedCollections()
    }

    /// Replaces the entries of a document.
    func updateEntries(of number: Int64, from old: RemoteDocument?, to new: RemoteDocument?) throws(DocumentError) {
        guard let path = (new ?? old)?.path, path.segments.count > 1 else { return }
        let collectionID = path.segments[path.segments.count - 2]
        let affected = indexes.filter { $0.shape.collection == collectionID }
        if affected.isEmpty { return }
        let collection = try collectionNumber(of: path)
        for index in affected {
            let (before, after) = (index.keys(of: old, collection: collection), index.keys(of: new, collection: collection))
            for key in before.subtracting(after) { try database.run("DELETE FROM entries WHERE key = ?", .blob(key)) }
            for key in after.subtracting(before) { try insert(key, of: number) }
        }
    }

    private func insert(_ key: [UInt8], of document: Int64) throws(DocumentError) {
        try database.run("INSERT OR REPLACE INTO entries (key, document) VALUES (?, ?)", .blob(key), .integer(document))
    }

    /// Returns the cached documents that match a query, in order, without its limit unless `isLimited`.
    func result(of query: DocumentQuery, isLimited: Bool, at now: Int64) throws(DocumentError) -> [RemoteDocument] {
        let wanted = isLimited ? query.limit.map { $0 + query.offset } : nil
        var unlimited = query
        (unlimited.limit, unlimited.offset) = (nil, 0)
        if case .index(let scans) = QueryPlan(unlimited, with: indexes.filter(\.isFilled).map(\.shape)) {
            try noteUse(of: scans, at: now)
            let (found, examined) = try scan(scans, unlimited, wanted)
            return try finish(found, query, isLimited, examined: examined, at: now)
        }
        var (examined, found): (Int, [RemoteDocument]) = (0, [])
        let orders = unlimited.completeOrders
        try eachDocument(of: unlimited) { document in
            examined += 1
            if unlimited.matches(document, ordered: orders) { found.append(document) }
            return true
        }
        return try finish(found, query, isLimited, examined: examined, at: now)
    }

    /// Orders and cuts a result, and makes an index for the query if it was costly.
    private func finish(
        _ documents: [RemoteDocument], _ query: DocumentQuery, _ isLimited: Bool, examined: Int, at now: Int64
    ) throws(DocumentError) -> [RemoteDocument] {
        let orders = query.completeOrders
        let sorted = documents.sorted { DocumentQuery.order($0, $1, by: orders) == .before }
        let result = isLimited ? Array(sorted.dropFirst(query.offset).prefix(query.limit ?? .max)) : sorted
        if examined > LocalStore.fewDocuments, examined > result.count * 10 { try learn(query, at: now) }
        return result
    }

    /// Returns the matching documents of parts of indexes; of one part in the query's order only as many as are wanted.
    private func scan(
        _ scans: [IndexScan], _ query: DocumentQuery, _ wanted: Int?
    ) throws(DocumentError) -> (found: [RemoteDocument], examined: Int) {
        let orders = query.completeOrders
        var (numbers, found): (Set<Int64>, [RemoteDocument]) = ([], [])
        for scan in scans {
            guard let index = indexes.first(where: { $0.shape == scan.shape }) else { continue }
            let stopsEarly = scans.count == 1 && scan.isOrdered
            try eachEntry(of: scan, in: index, query) { number, keyBytes throws(DocumentError) in
                guard numbers.insert(number).inserted, let document = try self.cached(number: number)?.document else { return true }
                if query.matches(document, ordered: orders) { found.append(document) }
                // Documents with equal cut keys are in no order.
                return !stopsEarly || found.count < wanted ?? .max || keyBytes >= OrderedKey.maximumBytes
            }
        }
        return (found, numbers.count)
    }

    private func eachEntry(
        of scan: IndexScan, in index: LocalIndex, _ query: DocumentQuery, _ body: (Int64, Int) throws(DocumentError) -> Bool
    ) throws(DocumentError) {
        var collection: Int64 = 0
        if index.shape.scope == .collection {
            let path = query.parent.map { "\($0)/\(index.shape.collection.text)" } ?? index.shape.collection.text.text
            guard let known = try database.first("SELECT number FROM collections WHERE path = ?", .text(path), row: { $0.integer(0) }) else { return }
            collection = known
        }
        let prefix = index.prefix(collection: collection)
        let upper = scan.upper.map { prefix + $0 } ?? prefix + [UInt8](repeating: 0xFF, count: 16)
        let direction = scan.isReversed ? "DESC" : "ASC"
        try database.each(
            "SELECT document, length(key) FROM entries WHERE key >= ? AND key < ? ORDER BY key \(direction)",
            [.blob(prefix + scan.lower), .blob(upper)]
        ) { row throws(DocumentError) in try body(row.integer(0), Int(row.integer(1))) }
    }

    /// Makes the indexes that answer a query in order.
    private func learn(_ query: DocumentQuery, at now: Int64) throws(DocumentError) {
        for shape in query.wantedShapes where !indexes.contains(where: { $0.shape == shape && $0.isFilled }) {
            do throws(DocumentError) {
                try database.transaction { () throws(DocumentError) in
                    if try add(shape, at: now) { try fill([shape], most: .max, usedAt: now) }
                }
            } catch {
                // What is in memory is what is on the disk, or entries would be missing later.
                try loadIndexes()
                throw error
            }
        }
    }

    /// Adds an index without entries, unless it is there. Returns false if there is no room for it.
    func add(_ shape: IndexShape, at now: Int64) throws(DocumentError) -> Bool {
        if indexes.contains(where: { $0.shape == shape }) { return true }
        guard try makeRoom(at: now) else { return false }
        var json = JSONText()
        json.shape(shape)
        let empty: Int64 = ~0
        try database.run("INSERT INTO indexes (shape, used) VALUES (?, ?)", .blob(json.bytes), .integer(empty))
        indexes.append(LocalIndex(number: database.lastRow, shape: shape, used: empty))
        return true
    }

    /// Notes that a query reads indexes, at most once an hour.
    private func noteUse(of scans: [IndexScan], at now: Int64) throws(DocumentError) {
        let shapes = scans.map(\.shape)
        for place in indexes.indices where now - indexes[place].used > LocalStore.notedMicroseconds && shapes.contains(indexes[place].shape) {
            try database.run("UPDATE indexes SET used = ? WHERE number = ?", .integer(now), .integer(indexes[place].number))
            indexes[place].used = now
        }
    }

    /// Drops the index that was read longest ago if there are too many. Returns false if all of them are in use.
    private func makeRoom(at now: Int64) throws(DocumentError) -> Bool {
        guard indexes.count >= LocalStore.mostIndexes else { return true }
        guard let oldest = indexes.min(by: { $0.used < $1.used }), now - oldest.used > LocalStore.keptMicroseconds else { return false }
        let next = LocalIndex(number: oldest.number + 1, shape: oldest.shape, used: 0)
        try database.run("DELETE FROM entries WHERE key >= ? AND key < ?", .blob(oldest.start), .blob(next.start))
        try database.run("DELETE FROM indexes WHERE number = ?", .integer(oldest.number))
        indexes.removeAll { $0.number == oldest.number }
        return true
    }

    /// Adds the entries of further documents to indexes of one collection that are filled equally far. They are filled when none is left.
    ///
    /// - Parameter most: The most documents that are read.
    /// - Parameter now: The time of the query that wants the indexes; 0 if none does.
    func fill(_ shapes: [IndexShape], most: Int, usedAt now: Int64) throws(DocumentError) {
        let places = indexes.indices.filter { shapes.contains(indexes[$0].shape) }
        guard let first = places.first.map({ indexes[$0] }) else { return }
        let numbers = try documentNumbers(of: first.shape.collection, after: ~first.used, most: most)
        for number in numbers {
            guard let document = try cached(number: number)?.document else { continue }
            let collection = try collectionNumber(of: document.path)
            for place in places {
                for key in indexes[place].keys(of: document, collection: collection) { try insert(key, of: number) }
            }
        }
        let used = numbers.count < most ? now : ~(numbers.last ?? 0)
        for place in places {
            try database.run("UPDATE indexes SET used = ? WHERE number = ?", .integer(used), .integer(indexes[place].number))
            indexes[place].used = used
        }
    }

    /// The numbers of the first cached documents of all collections with an ID.
    func documentNumbers(of collection: PathSegment, after number: Int64, most: Int) throws(DocumentError) -> [Int64] {
        try database.all(
            """
            SELECT d.number FROM collections c JOIN documents d ON d.collection = c.number WHERE c.id = ? AND d.number > ?
            ORDER BY d.number LIMIT ?
            """, .text(collection.text.text), .integer(number), .integer(Int64(most))
        ) { $0.integer(0) }
    }
}

extension JSONText {
    /// Writes the shape of an index: `{"scope":"group","collection":"users","fields":[["city","ascending"]]}`.
    mutating func shape(_ shape: IndexShape) {
        object { json in
            json.field("scope", shape.scope.rawValue)
            json.field("collection", shape.collection.text.text)
            json.list("fields", shape.fields) { json, field in
                json.list([field.path.description, field.kind.rawValue]) { $0.string($1) }
            }
        }
    }
}

extension IndexShape {
    init?(_ node: JSONNode) {
        guard let scope = node["scope"]?.text.flatMap(Scope.init(rawValue:)), let collection = node["collection"]?.text.flatMap({ PathSegment($0) }),
            let nodes = node["fields"]?.elements
        else { return nil }
        let fields = nodes.compactMap { node -> Field? in
            guard let parts = node.elements, parts.count == 2, let path = parts[0].text.flatMap({ FieldPath($0) }),
                let kind = parts[1].text.flatMap(Kind.init(rawValue:))
            else { return nil }
            return Field(path, kind)
        }
        guard fields.count == nodes.count else { return nil }
        self.init(scope, collection, fields)
    }
}
