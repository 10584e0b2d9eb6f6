// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

extension DocumentDB {
    /// Returns the first collection of a range behind a path.
    func collection(in range: CollectionRange, after path: String?, app: AppID) throws -> CollectionRow? {
        let first = path.map { $0 + "\0" } ?? range.first
        let row: (Row) -> CollectionRow? = { row in
            DocumentPath(row.text(2)).map { CollectionRow(number: row.integer(0), path: $0, documents: row.integer(1)) }
        }
        guard let group = range.group else {
            return try statement(
                "SELECT number, documents, path FROM collections WHERE app = ? AND path >= ? AND path < ? ORDER BY path LIMIT 1"
            ).first(.integer(app.rawValue), .text(first), DocumentDB.end(range.end), row: row) ?? nil
        }
        return try statement(
            "SELECT number, documents, path FROM collections WHERE app = ? AND grp = ? AND path >= ? AND path < ? ORDER BY path LIMIT 1"
        ).first(.integer(app.rawValue), .text(group.text.text), .text(first), DocumentDB.end(range.end), row: row) ?? nil
    }

    /// Calls a function with the changes of a collection behind one, oldest first, until it returns false.
    func changes(
        of collection: Int64, behind place: ChangePlace, while body: (ChangePlace, _ id: [UInt8], _ before: DocumentRow?) throws -> Bool
    ) throws {
        try statement(
            """
            SELECT stamp, n, id, created, version, before FROM changes WHERE collection = ?1 AND (stamp, n) > (?2, ?3) ORDER BY stamp, n
            """
        ).rows([.integer(collection), .integer(place.stamp), .integer(place.n)]) { row in
            let id = row.bytes(2)
            let before = row.isNull(5) ? nil : DocumentRow(id: id, created: row.integer(3), version: row.integer(4), body: row.bytes(5))
            return try body(ChangePlace(stamp: row.integer(0), n: row.integer(1)), id, before)
        }
    }

    /// Removes a change from the log. Returns the bytes that counted for it.
    func removeChange(_ place: ChangePlace) throws -> Int64 {
        try statement("DELETE FROM changes WHERE stamp = ? AND n = ? RETURNING length(id) + coalesce(length(before), 0) + ?").first(
            .integer(place.stamp), .integer(place.n), .integer(ChangeRow.overhead)
        ) { $0.integer(0) } ?? 0
    }

    /// Removes the changes of a document after a stamp. Returns the bytes that counted for them.
    func removeChanges(of id: [UInt8], in collection: Int64, after stamp: Int64) throws -> Int64 {
        try statement(
            "DELETE FROM changes WHERE collection = ? AND stamp > ? AND id = ? RETURNING length(id) + coalesce(length(before), 0) + ?"
        ).all(.integer(collection), .integer(stamp), .blob(id), .integer(ChangeRow.overhead)) { $0.integer(0) }.reduce(0, +)
    }

    // MARK: Answers of batches

    /// Removes the values from some answers. Returns the client that comes last, nil at the end.
    ///
    /// An answer does not name its documents, so the results of transforms leave every answer of the app; versions stay. A client that is the
    /// person's is forgotten, and one of a server that is named like the person.
    func removeAnswers(about person: String, after client: String, app: AppID, atMost limit: Int) throws -> String? {
        let rows = try statement("SELECT client, answer FROM clients WHERE app = ? AND client > ? ORDER BY client LIMIT ?").all(
            .integer(app.rawValue), .text(client), .integer(Int64(limit))
        ) { ($0.text(0), $0.bytes(1)) }
        let own = Array(DocumentCommit.Batch.client("", ofUser: person, app: app).utf8)
        let ofUsers = Array(DocumentCommit.Batch.ofUsers(app).utf8)
        for (client, answer) in rows {
            if client.utf8.starts(with: ofUsers) ? client.utf8.starts(with: own) : client.isNamed(like: person) {
                try statement("DELETE FROM clients WHERE app = ? AND client = ?").run(.integer(app.rawValue), .text(client))
            } else if let shorter = try DocumentDB.answerWithoutResults(answer) {
                try statement("UPDATE clients SET answer = ? WHERE app = ? AND client = ?").run(
                    .blob(shorter), .integer(app.rawValue), .text(client))
            }
        }
        return rows.count == limit ? rows.last?.0 : nil
    }

    /// Removes some clients of a person. Returns their number.
    func removeClients(of person: String, app: AppID, atMost limit: Int) throws -> Int {
        let own = DocumentCommit.Batch.client("", ofUser: person, app: app)
        // The names begin with the ID and a space, after which comes the exclamation mark.
        let end = String(own.dropLast()) + "!"
        try statement(
            """
            DELETE FROM clients WHERE app = ?1 AND client IN (
                SELECT client FROM clients WHERE app = ?1 AND client >= ?2 AND client < ?3 ORDER BY client LIMIT ?4
            )
            """
        ).run(.integer(app.rawValue), .text(own), .text(end), .integer(Int64(limit)))
        return changes
    }

    /// Returns an answer without the results of transforms; nil if it has none.
    private static func answerWithoutResults(_ answer: [UInt8]) throws -> [UInt8]? {
        let writes = try DocumentDB.writes(answer)
        guard writes.contains(where: { !$0.results.isEmpty }) else { return nil }
        return DocumentDB.answer(writes.map { CommitResult.Write(version: $0.version, results: []) })
    }
}

extension String {
    /// Whether a text is an ID or has it. A short ID is no part of a text by intention.
    func isNamed(like id: String) -> Bool {
        hasSameBytes(as: id) || id.utf8.count >= 8 && Array(utf8).contains(Array(id.utf8))
    }
}
