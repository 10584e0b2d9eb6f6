// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

/// Writes of one call that the daemon has not confirmed: it makes all of them or none.
struct PendingWrites: Sendable {
    let number: Int64
    /// The time of the call in microseconds, an estimate of the commit's.
    let at: Int64
    let writes: [ClientWrite]
    /// The same writes as the model has them.
    let changes: [DocumentWrite]
    let bytes: Int
    /// The number under which they were sent, with all others that have it.
    var batch: Int64?
}

/// The queue of writes on the disk.
extension LocalStore {
    func pending() throws(DocumentError) -> [PendingWrites] {
        try database.all("SELECT number, batch, at, body FROM pending ORDER BY number") { row -> PendingWrites? in
            let body = row.blob(3)
            guard let nodes = JSONNode(body)?.elements else { return nil }
            let writes = nodes.compactMap { ClientWrite($0) }
            guard writes.count == nodes.count, let changes = try? writes.map({ write throws(DocumentError) in try write.model() }) else { return nil }
            return PendingWrites(
                number: row.integer(0), at: row.integer(2), writes: writes, changes: changes, bytes: body.count,
                batch: row.isNull(1) ? nil : row.integer(1))
        }.compactMap { $0 }
    }

    /// Queues writes. They are on the disk when this returns.
    func enqueue(_ writes: [ClientWrite], _ changes: [DocumentWrite], at now: Int64) throws(DocumentError) -> PendingWrites {
        var json = JSONText()
        json.list(writes) { $0.write($1) }
        let body = json.bytes
        return try database.transaction(isDurable: true) { () throws(DocumentError) in
            try database.run("INSERT INTO pending (at, body) VALUES (?, ?)", .integer(now), .blob(body))
            return PendingWrites(number: database.lastRow, at: now, writes: writes, changes: changes, bytes: body.count, batch: nil)
        }
    }

    /// Gives queued writes the next batch's number, before they are sent for the first time. It is on the disk when this returns.
    func assignBatch(to numbers: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
        try database.transaction(isDurable: true) { () throws(DocumentError) in
            let batch = (try meta("batch").flatMap { Int64($0) } ?? 0) + 1
            try setMeta("batch", String(batch))
            try database.run(
                "UPDATE pending SET batch = ? WHERE number BETWEEN ? AND ?", .integer(batch), .integer(numbers.lowerBound),
                .integer(numbers.upperBound))
            return batch
        }
    }

    /// Takes the number of a refused batch from its writes, so that they can be sent in smaller ones.
    func splitBatch(_ batch: Int64) throws(DocumentError) {
        try database.run("UPDATE pending SET batch = NULL WHERE batch = ?", .integer(batch))
    }

    func removeBatch(_ batch: Int64) throws(DocumentError) {
        try database.run("DELETE FROM pending WHERE batch = ?", .integer(batch))
    }
}
