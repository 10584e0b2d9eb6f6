// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import SignalboxDocumentModel
import TestSupport

@testable import Database
@testable import DocumentStore
@testable import EventStore

/// The contents of the document file, recounted with simple queries.
struct StoredDocuments {
    /// The number `n` of each document by app and path.
    private(set) var numbers: [String: Int] = [:]
    /// The inconsistencies.
    private(set) var problems: [String] = []

    init(of folder: String) throws {
        let file = try Connection(StorePaths(root: folder).documents, .read)
        // Reads one snapshot.
        try file.execute("BEGIN")
        let found = try file.statement("PRAGMA integrity_check").all { $0.text(0) }
        if found != ["ok"] { problems.append("the document file: \(found.prefix(3))") }
        try collect(file)
        try recount(file)
        try followLog(file)
        try compareEntries(DocumentDB(connection: file))
    }

    private mutating func collect(_ file: Connection) throws {
        let sql = "SELECT c.app, c.path, d.id, d.body FROM documents d JOIN collections c ON c.number = d.collection"
        try file.statement(sql).each([]) { row in
            numbers["\(row.integer(0))/\(row.text(1))/\(StoredID.segment(row.bytes(2))?.text.text ?? "")"] = try JSON(row.bytes(3))["n"].number
        }
    }

    private mutating func recount(_ file: Connection) throws {
        let sql = """
            SELECT c.path, c.documents, c.bytes, count(d.number), total(length(d.body)) FROM collections c
                LEFT JOIN documents d ON d.collection = c.number GROUP BY c.number HAVING c.documents != count(d.number) OR c.bytes < total(length(d.body))
            """
        let wrong = try file.statement(sql).all {
            "\($0.text(0)) has \($0.int(3)) documents, not \($0.int(1)), and \($0.int(4)) bytes, not \($0.int(2))"
        }
        problems += wrong
    }

    /// Follows each document through the log: a change begins where the one before ended, and the last one is the document.
    private mutating func followLog(_ file: Connection) throws {
        // The stamp of the last change that left a document; 0 if that removed it.
        var last: [String: Int64] = [:]
        let changes = "SELECT collection, hex(id), stamp, kind, version, before IS NULL FROM changes ORDER BY stamp, n"
        try file.statement(changes).each([]) { row in
            let document = "\(row.integer(0))/\(row.text(1))"
            let (version, isNew) = (row.integer(5) == 1 ? 0 : row.integer(4), row.integer(3) == ChangeKind.created.rawValue)
            let isNext = isNew == (version == 0) && version == last[document, default: version]
            if !isNext { problems.append("the log has a change of \(document) at \(row.integer(2)) of version \(version)") }
            last[document] = row.integer(3) == ChangeKind.deleted.rawValue ? 0 : row.integer(2)
        }
        var versions: [String: Int64] = [:]
        try file.statement("SELECT collection, hex(id), version FROM documents").each([]) {
            versions["\($0.integer(0))/\($0.text(1))"] = $0.integer(2)
        }
        for (document, stamp) in last where versions[document, default: 0] != stamp {
            problems.append("the log leaves \(document) at \(stamp), not \(versions[document, default: 0])")
        }
    }

    /// Compares the entries of finished indexes with those that the documents should have.
    private mutating func compareEntries(_ file: DocumentDB) throws {
        let last = try file.statement("SELECT ifnull(max(number), 0) FROM documents").first([]) { $0.integer(0) } ?? 0
        let bodies = BodyReader()
        for app in try file.statement("SELECT DISTINCT app FROM indexes WHERE NOT dropped").all(row: { $0.integer(0) }) {
            for index in try file.indexes(of: AppID(rawValue: app)) where index.isReady {
                var expected: Set<[UInt8]> = []
                try file.documents(of: AppID(rawValue: app), group: index.shape.collection, numbers: 0...max(last, 0)) { row, collection, _ in
                    let document = try row.document(in: collection.path, bodies)
                    for entry in index.entries(of: document, in: collection.number) { expected.insert(entry.key) }
                    return true
                }
                let range = StoredIndex.range(of: index.number)
                let stored = try file.statement("SELECT key FROM entries WHERE key >= ? AND key < ?").all(.blob(range.first), .blob(range.end)) {
                    $0.bytes(0)
                }
                if Set(stored) != expected { problems.append("index \(index.number) has \(stored.count) entries, not \(expected.count)") }
            }
        }
    }
}
