// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

extension DocumentDB {
    /// Returns an app's indexes, those of all collections or of those with an ID.
    ///
    /// - Parameter known: The fields of indexes that were read before. Readers give them, as an index that was committed keeps its fields.
    func indexes(of app: AppID, collection: PathSegment? = nil, known: IndexFields? = nil) throws -> [StoredIndex] {
        let group = collection.map { Value.text($0.text.text) } ?? .null
        let find =
            "SELECT number, scope, grp, until, built, origin, reason, used, entries, bytes FROM indexes WHERE app = ?1 AND NOT dropped AND (?2 IS NULL OR grp = ?2) ORDER BY number"
        let rows = try statement(find).all(.integer(app.rawValue), group) { row in
            (
                number: row.integer(0), scope: row.text(1), group: row.text(2), until: row.integer(3), built: row.integer(4), origin: row.text(5),
                reason: row.text(6), used: row.integer(7), entries: row.int(8), bytes: row.integer(9)
            )
        }
        return try rows.map { row in
            guard let scope = IndexShape.Scope(rawValue: row.scope), let collection = PathSegment(row.group),
                let origin = StoredIndex.Origin(rawValue: row.origin)
            else { throw DocumentError.damaged }
            return StoredIndex(
                number: row.number, shape: IndexShape(scope, collection, try fields(ofIndex: row.number, known)), origin: origin, reason: row.reason,
                used: Timestamp(milliseconds: row.used), entries: row.entries, bytes: row.bytes, until: row.until, built: row.built)
        }
    }

    private func fields(ofIndex number: Int64, _ known: IndexFields?) throws -> [IndexShape.Field] {
        if let fields = known?[number] { return fields }
        let fields = try fields(ofIndex: number)
        known?[number] = fields
        return fields
    }

    private func fields(ofIndex number: Int64) throws -> [IndexShape.Field] {
        try statement("SELECT path, kind FROM index_fields WHERE idx = ? ORDER BY n").all(.integer(number)) { ($0.text(0), $0.text(1)) }
            .map { path, kind in
                guard let path = FieldPath(path), let kind = IndexShape.Kind(rawValue: kind) else { throw DocumentError.damaged }
                return IndexShape.Field(path, kind)
            }
    }

    /// Makes an index, which has no entries yet.
    func addIndex(_ shape: IndexShape, _ origin: StoredIndex.Origin, app: AppID, at time: Timestamp, why reason: String = "") throws {
        try statement(
            """
            INSERT INTO indexes (app, scope, grp, until, built, created, origin, reason, used)
            SELECT ?1, ?2, ?3, ifnull(max(number), 0), 0, ?4, ?5, ?6, ?4 FROM documents
            """
        ).run(
            .integer(app.rawValue), .text(shape.scope.rawValue), .text(shape.collection.text.text), .integer(time.milliseconds),
            .text(origin.rawValue),
            .text(reason))
        let number = lastInsertedRow
        for (n, field) in shape.fields.enumerated() {
            try statement("INSERT INTO index_fields (idx, n, path, kind) VALUES (?, ?, ?, ?)").run(
                .integer(number), .integer(Int64(n)), .text(field.path.description), .text(field.kind.rawValue))
        }
    }

    /// Keeps an index from being used. Its entries are removed later.
    func drop(_ index: StoredIndex) throws {
        try statement("UPDATE indexes SET dropped = 1 WHERE number = ?").run(integers: [index.number])
    }

    func set(_ origin: StoredIndex.Origin, of index: StoredIndex) throws {
        try statement("UPDATE indexes SET origin = ? WHERE number = ?").run(.text(origin.rawValue), .integer(index.number))
    }

    func setBuilt(_ index: StoredIndex, through number: Int64) throws {
        try statement("UPDATE indexes SET built = ? WHERE number = ?").run(integers: [number, index.number])
    }

    /// Returns an index that lacks entries, with its app.
    func indexToBuild() throws -> (index: StoredIndex, app: AppID)? {
        let find = "SELECT number, app FROM indexes WHERE built < until AND NOT dropped ORDER BY number LIMIT 1"
        guard let (number, app) = try statement(find).first(row: { ($0.integer(0), AppID(rawValue: $0.integer(1))) }) else { return nil }
        return try indexes(of: app).first { $0.number == number }.map { ($0, app) }
    }

    /// Returns the number of indexes that lack entries.
    func indexesToBuild() throws -> Int {
        try statement("SELECT count(*) FROM indexes WHERE built < until AND NOT dropped").first { $0.int(0) } ?? 0
    }

    // MARK: Entries

    /// Adds an entry. Returns whether it was not there.
    func add(_ entry: IndexEntry, of document: Int64) throws -> Bool {
        try statement("INSERT OR IGNORE INTO entries (key, number, cut) VALUES (?, ?, ?)")
            .run(.blob(entry.key), .integer(document), .integer(entry.isCut ? 1 : 0))
        return changes > 0
    }

    /// Removes an entry. Returns whether it was there.
    func remove(_ entry: IndexEntry) throws -> Bool {
        try statement("DELETE FROM entries WHERE key = ?").run(.blob(entry.key))
        return changes > 0
    }

    /// Adds the growth of indexes to their counts.
    func add(_ growth: [IndexGrowth]) throws {
        for (index, one) in Dictionary(grouping: growth, by: \.index) {
            var sum = IndexGrowth(index: index)
            for change in one { sum.add(change) }
            try statement("UPDATE indexes SET entries = entries + ?, bytes = bytes + ? WHERE number = ?").run(
                .integer(Int64(sum.entries)), .integer(Int64(sum.bytes)), .integer(index))
        }
    }

    /// Calls a function with the documents of a group whose numbers are in a range, in their order, until it returns false.
    func documents(
        of app: AppID, group: PathSegment, numbers: ClosedRange<Int64>, while body: (DocumentRow, CollectionRow, Int64) throws -> Bool
    ) throws {
        try statement(
            """
            SELECT d.id, d.created, d.version, d.body, c.number, c.path, d.number FROM documents d CROSS JOIN collections c ON c.number = d.collection
            WHERE d.number BETWEEN ? AND ? AND c.app = ? AND c.grp = ? ORDER BY d.number
            """
        ).rows([.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(app.rawValue), .text(group.text.text)]) { row in
            guard let path = DocumentPath(row.text(5)) else { throw DocumentError.damaged }
            return try body(DocumentRow(row), CollectionRow(number: row.integer(4), path: path, documents: 0), row.integer(6))
        }
    }

    /// Calls a function with the documents of a range of keys, in their order, until it returns false.
    func documents(
        from lower: [UInt8], to upper: [UInt8], descending: Bool, while body: (ScannedRow, DocumentPath) throws -> Bool
    ) throws {
        // Most of them are of one collection.
        var collection: (number: Int64, path: DocumentPath)?
        try statement(
            """
            SELECT d.id, d.created, d.version, d.body, d.collection FROM entries e CROSS JOIN documents d ON d.number = e.number
            WHERE e.key >= ? AND e.key < ? ORDER BY e.key \(descending ? "DESC" : "ASC")
            """
        ).rows([.blob(lower), .blob(upper)]) { row in
            let number = row.integer(4)
            if let known = collection, known.number == number { return try body(ScannedRow(row), known.path) }
            guard let path = try path(ofCollection: number) else { throw DocumentError.damaged }
            collection = (number, path)
            return try body(ScannedRow(row), path)
        }
    }

    private func path(ofCollection number: Int64) throws -> DocumentPath? {
        try statement("SELECT path FROM collections WHERE number = ?").first(.integer(number)) { DocumentPath($0.text(0)) }.flatMap(\.self)
    }

    func hasCutEntry(from lower: [UInt8], to upper: [UInt8]) throws -> Bool {
        try statement("SELECT 1 FROM entries WHERE cut = 1 AND key >= ? AND key < ? LIMIT 1").first(.blob(lower), .blob(upper)) { $0.integer(0) }
            != nil
    }

    func entryCount(from lower: [UInt8], to upper: [UInt8]) throws -> Int64 {
        try statement("SELECT count(*) FROM entries WHERE key >= ? AND key < ?").first(.blob(lower), .blob(upper)) { $0.integer(0) } ?? 0
    }

    // MARK: Removing

    /// Removes entries of an index that was dropped or whose app is deleted, then the index. Returns the number of rows; 0 without such one.
    func removeSomeEntries(ofApp app: Int64? = nil, atMost limit: Int) throws -> Int {
        let find = app == nil ? "SELECT number FROM indexes WHERE dropped LIMIT 1" : "SELECT number FROM indexes WHERE app = ? LIMIT 1"
        guard let number = try statement(find).first(app.map { [Value.integer($0)] } ?? [], row: { $0.integer(0) }) else { return 0 }
        let range = StoredIndex.range(of: number)
        try statement("DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE key >= ? AND key < ? LIMIT ?)").run(
            .blob(range.first), .blob(range.end), .integer(Int64(limit)))
        if changes > 0 { return changes }
        for sql in ["DELETE FROM index_fields WHERE idx = ?", "DELETE FROM indexes WHERE number = ?"] {
            try statement(sql).run(integers: [number])
        }
        return 1
    }
}
