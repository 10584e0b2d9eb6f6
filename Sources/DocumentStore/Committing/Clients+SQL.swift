// SPDX-License-Identifier: Apache-2.0

import Database
import JSON
import Platform
import SQLite
import SignalboxDocumentModel

extension DocumentDB {
    func version(of id: PathSegment, in collection: Int64) throws -> DocumentTime? {
        try statement("SELECT version FROM documents WHERE collection = ? AND id = ?").first(.integer(collection), .blob(StoredID.bytes(id))) {
            DocumentTime(microseconds: $0.integer(0))
        } ?? nil
    }

    /// Returns the bytes of a document's stored fields, which are not read; nil if it is not there.
    func bodyBytes(of id: PathSegment, in collection: Int64) throws -> Int64? {
        try statement("SELECT length(body) FROM documents WHERE collection = ? AND id = ?").first(
            .integer(collection), .blob(StoredID.bytes(id))
        ) { $0.integer(0) }
    }

    /// Returns the last batch of a client and the answer it got.
    func lastBatch(of client: String, app: AppID) throws -> (number: Int64, answer: CommitResult)? {
        try statement("SELECT batch, stamp, answer FROM clients WHERE app = ? AND client = ?").first(.integer(app.rawValue), .text(client)) { row in
            guard let stamp = DocumentTime(microseconds: row.integer(1)) else { throw DocumentError.damaged }
            return (row.integer(0), CommitResult(stamp: stamp, writes: try DocumentDB.writes(row.bytes(2))))
        }
    }

    /// Returns the time that is noted for a client's last batch, and whether all its batches had no writes; nil for an unknown client.
    func lastBatchTime(of client: String, app: AppID) throws -> (at: Timestamp, isWithoutWrites: Bool)? {
        try statement("SELECT at, without_writes FROM clients WHERE app = ? AND client = ?").first(.integer(app.rawValue), .text(client)) {
            (Timestamp(milliseconds: $0.integer(0)), $0.integer(1) == 1)
        }
    }

    func remember(
        _ batch: DocumentCommit.Batch, _ result: CommitResult, app: AppID, at time: Timestamp, isWithoutWrites: Bool = false
    ) throws {
        try statement(
            "INSERT OR REPLACE INTO clients (app, client, batch, stamp, answer, at, without_writes) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).run(
            .integer(app.rawValue), .text(batch.client), .integer(batch.number), .integer(result.stamp.microseconds),
            .blob(DocumentDB.answer(result.writes)), .integer(time.milliseconds), .integer(isWithoutWrites ? 1 : 0))
    }

    /// The number of an app's clients whose batches all had no writes.
    func clientsWithoutWrites(of app: AppID) throws -> Int {
        // Without the name of the index all clients of the app are read.
        try statement("SELECT count(*) FROM clients INDEXED BY clients_without_writes WHERE app = ? AND without_writes = 1").first(
            .integer(app.rawValue)
        ) { $0.int(0) } ?? 0
    }

    /// Removes the oldest of an app's clients whose batches all had no writes. Returns their number.
    func removeClientsWithoutWrites(of app: AppID, atMost limit: Int) throws -> Int {
        // With pairs of app and client all clients of the app are read.
        try statement(
            """
            DELETE FROM clients WHERE app = ?1 AND client IN (
                SELECT client FROM clients WHERE app = ?1 AND without_writes = 1 ORDER BY at LIMIT ?2
            )
            """
        ).run(.integer(app.rawValue), .integer(limit))
        return changes
    }

    /// The results of writes as `[[version, [results]], …]`; the version of no document is null.
    static func answer(_ writes: [CommitResult.Write]) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(
            .array(
                writes.map { write in
                    .array([write.version.map { .integer($0.microseconds) } ?? .null, .array(write.results)])
                }))
        return writer.bytes
    }

    static func writes(_ answer: [UInt8]) throws -> [CommitResult.Write] {
        let values = try JSONParser().withReader { reader in
            let tape = try reader.parse(answer, limits: JSONLimits(members: 400_000))
            return try NativeJSON(tape).values(at: 0)
        }
        return values.map { value in
            var version: DocumentTime?
            if case .integer(let stamp)? = value.elements.first { version = DocumentTime(microseconds: stamp) }
            return CommitResult.Write(version: version, results: value.elements.last?.elements ?? [])
        }
    }
}
