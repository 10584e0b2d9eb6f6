// SPDX-License-Identifier: Apache-2.0

import Database
import JSON
package import Platform
import SQLite
package import SignalboxDocumentModel

/// A walk over all documents of an app by the paths of their collections, then their IDs, as lines of JSON.
///
///     {"path":"users/u1","fields":{"n":1},"created":1795428000000001,"version":1795428000000001}
package struct DocumentExport: Sendable {
    private static let bytesOfPage = 2 << 20
    private static let documentsOfPage = 5_000

    /// The collection that the walk has come to; nil before the first.
    private var collection: String?
    /// The ID behind which it goes on within the collection.
    private var last: [UInt8] = []
    package private(set) var isDone = false
    package private(set) var documents = 0

    /// - Parameter path: The last document that a client has of an earlier export.
    package init(after path: DocumentPath?) {
        guard let path, let parent = path.parent else { return }
        (collection, last) = (parent.description, StoredID.bytes(path.id))
    }

    /// Returns the next lines; none at the end.
    mutating func page(_ file: DocumentDB, app: AppID) throws -> [UInt8] {
        var (lines, count) = ([UInt8](), 0)
        while !isDone, lines.count < Self.bytesOfPage, count < Self.documentsOfPage {
            // Within a collection the walk goes on; afterwards the next path is the first one behind it.
            guard let row = try file.nextCollection(from: collection ?? "", isLeft: false, app: app) else {
                isDone = true
                break
            }
            let path = row.path.description
            if !(collection?.hasSameBytes(as: path) ?? false) { (collection, last) = (path, []) }
            var hasMore = false
            try file.documents(of: row.number, from: last) { document in
                if document.id == last { return true }
                if lines.count >= Self.bytesOfPage || count >= Self.documentsOfPage {
                    hasMore = true
                    return false
                }
                try DocumentExport.append(document, in: row.path, to: &lines)
                (last, count) = (document.id, count + 1)
                return true
            }
            if hasMore { break }
            guard let next = try file.nextCollection(from: path, isLeft: true, app: app) else {
                isDone = true
                break
            }
            (collection, last) = (next.path.description, [])
        }
        documents += count
        return lines
    }

    private static func append(_ row: DocumentRow, in collection: DocumentPath, to lines: inout [UInt8]) throws {
        guard let id = StoredID.segment(row.id) else { throw DocumentError.damaged }
        var json = JSONWriter(reserving: 128)
        json.beginObject()
        json.field("path", collection.description + "/" + id.text.text)
        json.field("created", row.created)
        json.field("version", row.version)
        json.endObject()
        // The stored body is the JSON of the fields already.
        lines += json.bytes.dropLast()
        lines += Array(",\"fields\":".utf8)
        lines += row.body
        lines += [UInt8(ascii: "}"), 0x0a]
    }
}

extension DocumentDB {
    /// Returns the first collection with documents from a path on, or behind it.
    func nextCollection(from path: String, isLeft: Bool, app: AppID) throws -> CollectionRow? {
        try statement(
            "SELECT number, documents, path FROM collections WHERE app = ? AND path >= ? AND documents > 0 ORDER BY path LIMIT 1"
        ).first(.integer(app.rawValue), .text(isLeft ? path + "\0" : path)) { row in
            DocumentPath(row.text(2)).map { CollectionRow(number: row.integer(0), path: $0, documents: row.integer(1)) }
        } ?? nil
    }
}

extension DocumentStore {
    /// Returns the next lines of an export; none at its end. Each part is one version of the database.
    package func next(_ export: inout DocumentExport, app: AppID) async throws -> [UInt8] {
        while !export.isDone {
            let (lines, later) = try await read(app, at: nil) { [export] view in
                var export = export
                return (try export.page(view.file, app: app), export)
            }
            export = later
            if !lines.isEmpty { return lines }
        }
        return []
    }

    /// Returns the stamp of the newest commit.
    package func newestStamp(app: AppID) async throws -> DocumentTime { try await read(app, at: nil) { $0.stamp } }
}
