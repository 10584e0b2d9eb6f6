// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite
import SignalboxDocumentModel

/// A collection that has or had documents.
struct CollectionRow {
    let number: Int64
    let path: DocumentPath
    let documents: Int64
}

/// The growth of a collection's counts by one change.
struct CollectionGrowth {
    let collection: Int64
    let documents: Int
    let bytes: Int
}

extension DocumentDB {
    func collection(_ path: DocumentPath, app: AppID) throws -> CollectionRow? {
        try statement("SELECT number, documents FROM collections WHERE app = ? AND path = ?").first(
            .integer(app.rawValue), .text(path.description)
        ) { CollectionRow(number: $0.integer(0), path: path, documents: $0.integer(1)) }
    }

    /// Returns the path of a collection; nil if it is not one of the app.
    func path(of collection: Int64, app: AppID) throws -> DocumentPath? {
        try statement("SELECT path FROM collections WHERE number = ? AND app = ?").first(.integer(collection), .integer(app.rawValue)) {
            DocumentPath($0.text(0))
        } ?? nil
    }

    func addCollection(_ path: DocumentPath, app: AppID) throws -> Int64 {
        try statement("INSERT INTO collections (app, path, grp, documents, bytes) VALUES (?, ?, ?, 0, 0)").run(
            .integer(app.rawValue), .text(path.description), .text(path.id.text.text))
        return lastInsertedRow
    }

    /// Adds the growth of collections to their counts.
    func add(_ growth: [CollectionGrowth]) throws {
        for (collection, one) in Dictionary(grouping: growth, by: \.collection) {
            try statement("UPDATE collections SET documents = documents + ?, bytes = bytes + ? WHERE number = ?").run(
                integers: [one.reduce(0) { $0 + Int64($1.documents) }, one.reduce(0) { $0 + Int64($1.bytes) }, collection])
        }
    }

    /// The bytes of the entries of an app's documents in indexes.
    package func entryBytes(of app: AppID) throws -> Int64 {
        try statement("SELECT sum(bytes) FROM indexes WHERE app = ?").first(.integer(app.rawValue)) { $0.integer(0) } ?? 0
    }

    /// Returns the collections that a query covers.
    ///
    ///     users               users
    ///     orders everywhere   orders, users/u1/orders, …
    ///     all below users/u1  users/u1/orders, users/u1/orders/o1/items, …
    func collections(of query: DocumentQuery, app: AppID) throws -> [CollectionRow] {
        if let id = query.collection, !query.everyDepth {
            guard let path = DocumentPath((query.parent?.segments ?? []) + [id]) else { return [] }
            return try collection(path, app: app).map { [$0] } ?? []
        }
        let above = query.parent?.segments.count ?? 0
        return try collections(ofGroup: query.collection, below: query.parent, app: app).filter { row in
            query.everyDepth || row.path.segments.count == above + 1
        }
    }

    /// Returns collections with their ID, or all below a document. Those that lost all documents are among them, as the log has their changes.
    private func collections(ofGroup group: PathSegment?, below parent: DocumentPath?, app: AppID) throws -> [CollectionRow] {
        // A slash is the byte before 0, so the range has all paths that begin with the parent and a slash.
        let (first, end): (String, String?) = parent.map { ("\($0)/", "\($0)0") } ?? ("", nil)
        let rows: [CollectionRow?]
        if let group {
            rows = try statement("SELECT number, documents, path FROM collections WHERE app = ? AND grp = ? AND path >= ? AND path < ?").all(
                .integer(app.rawValue), .text(group.text.text), .text(first), DocumentDB.end(end), row: DocumentDB.collection)
        } else {
            rows = try statement("SELECT number, documents, path FROM collections WHERE app = ? AND path >= ? AND path < ?").all(
                .integer(app.rawValue), .text(first), DocumentDB.end(end), row: DocumentDB.collection)
        }
        return rows.compactMap(\.self)
    }

    /// The end of a range of paths. A range without end has that of the byte FF, which is behind all texts: U+10FFFF begins with F4.
    static func end(_ path: String?) -> Value { path.map { .text($0) } ?? .utf8([0xFF]) }

    private static func collection(_ row: Row) -> CollectionRow? {
        DocumentPath(row.text(2)).map { CollectionRow(number: row.integer(0), path: $0, documents: row.integer(1)) }
    }

    /// Returns the collections below a path, at every depth, also those without documents.
    func collections(below parent: DocumentPath?, app: AppID) throws -> [CollectionRow] { try collections(ofGroup: nil, below: parent, app: app) }

    /// Returns the IDs directly below a path, or at the top, that have documents at some depth below them: of collections below a document,
    /// of documents below a collection.
    ///
    /// Each seek skips the paths below the collection found before.
    func ids(below parent: DocumentPath?, app: AppID) throws -> Set<PathSegment> {
        let prefix = parent.map { "\($0)/" } ?? ""
        let end = DocumentDB.end(parent.map { "\($0)0" })
        let next = try statement(
            "SELECT path FROM collections WHERE app = ? AND path >= ? AND path < ? AND documents > 0 ORDER BY path LIMIT 1")
        var ids: Set<PathSegment> = []
        var last = prefix
        while let path = try next.first(.integer(app.rawValue), .text(last), end, row: { $0.text(0) }) {
            let rest = path.utf8.dropFirst(prefix.utf8.count).prefix { $0 != UInt8(ascii: "/") }
            guard let id = PathSegment(String(Substring(rest))) else { break }
            ids.insert(id)
            if ids.count > DocumentBounds.idsAtOnce { throw ReadFault.tooExpensive(examined: ids.count) }
            // The order is `a`, `a!`, `a/x/b`, `a0`: paths below `a` come after `a!`, so an ID may be found twice.
            last = path.utf8.elementsEqual((prefix + id.text.text).utf8) ? path + "\0" : "\(prefix)\(id.text.text)0"
        }
        return ids
    }
}
