// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

extension DocumentDB {
    /// A row of the log with its collection.
    struct FeedRow {
        let place: ChangePlace
        let app: Int64
        let collection: Int64
        let path: String
        let kind: ChangeKind
        let id: [UInt8]
        let before: DocumentRow?
        let depth: Int
    }

    /// Calls a function with the changes behind a position, oldest first, until it returns false: those of all apps, or of one collection.
    func feed(behind place: ChangePlace, of collection: Int64?, while body: (FeedRow) throws -> Bool) throws {
        let rows =
            collection == nil
            ? try statement(
                """
                SELECT h.stamp, h.n, c.app, c.number, c.path, h.kind, h.id, h.created, h.version, h.before
                FROM changes h CROSS JOIN collections c ON c.number = h.collection WHERE (h.stamp, h.n) > (?1, ?2) ORDER BY h.stamp, h.n
                """)
            : try statement(
                """
                SELECT h.stamp, h.n, c.app, c.number, c.path, h.kind, h.id, h.created, h.version, h.before
                FROM changes h CROSS JOIN collections c ON c.number = h.collection
                WHERE h.collection = ?3 AND (h.stamp, h.n) > (?1, ?2) ORDER BY h.stamp, h.n
                """)
        try rows.rows([.integer(place.stamp), .integer(place.n)] + (collection.map { [.integer($0)] } ?? [])) { row in
            let (kind, depth) = try ChangeKind.read(row.integer(5))
            let id = row.bytes(6)
            let before = row.isNull(9) ? nil : DocumentRow(id: id, created: row.integer(7), version: row.integer(8), body: row.bytes(9))
            return try body(
                FeedRow(
                    place: ChangePlace(stamp: row.integer(0), n: row.integer(1)), app: row.integer(2), collection: row.integer(3), path: row.text(4),
                    kind: kind, id: id, before: before, depth: depth))
        }
    }

    /// Calls a function with the states of a collection's documents before changes behind a position, until it returns false. Their bodies are
    /// read on demand.
    func statesBefore(changesOf collection: Int64, behind place: ChangePlace, while body: (_ id: [UInt8], _ version: Int64, Row) throws -> Bool)
        throws
    {
        try statement(
            "SELECT id, version, created, before FROM changes WHERE collection = ?1 AND (stamp, n) > (?2, ?3) ORDER BY stamp, n"
        ).rows([.integer(collection), .integer(place.stamp), .integer(place.n)]) { try body($0.bytes(0), $0.integer(1), $0) }
    }
}
