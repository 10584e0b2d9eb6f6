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
    /// The ID of the store that queued them, which is another one in a copy, or one that follows it (`renewClient`).
    var client: String
    /// The number under which they are sent, with all others that have it: that of the last of them.
    var batch: Int64?
    /// Whether a request with the batch may have been sent that had no answer, and may still arrive.
    var hasUnansweredRequest = false
}

/// The limits of the writes of one commit.
enum BatchLimits {
    /// As many as the daemon allows users.
    static let mostWrites = 500
    private static let mostBytes = 1 << 20

    /// Returns the number of calls from the start of a list that are sent together; at least one.
    static func prefix(of calls: some Collection<(writes: Int, bytes: Int)>) -> Int {
        var (count, writes, bytes) = (0, 0, 0)
        for call in calls {
            (writes, bytes) = (writes + call.writes, bytes + call.bytes)
            if count > 0, writes > mostWrites || bytes > mostBytes { break }
            count += 1
        }
        return count
    }
}

/// The queue of writes on the disk.
extension LocalStore {
    /// Returns the writes that an earlier launch has queued, each with the batch in which it is sent.
    ///
    /// The batches depend on these writes alone, so that a copy of the store makes the same ones and the daemon applies each once.
    func pending() throws(DocumentError) -> [PendingWrites] {
        var all = try database.all("SELECT number, client, batch, at, body FROM pending ORDER BY number") { row -> PendingWrites? in
            let body = row.blob(4)
            guard let nodes = JSONNode(body)?.elements else { return nil }
            let writes = nodes.compactMap { ClientWrite($0) }
            guard writes.count == nodes.count, let changes = try? writes.map({ write throws(DocumentError) in try write.model() }) else { return nil }
            return PendingWrites(
                number: row.integer(0), at: row.integer(3), writes: writes, changes: changes, bytes: body.count, client: row.text(1),
                batch: row.isNull(2) ? nil : row.integer(2), hasUnansweredRequest: !row.isNull(2))
        }.compactMap { $0 }
        var next = all.firstIndex { $0.batch == nil } ?? all.endIndex
        while next < all.endIndex {
            let group = PendingWrites.group(all[next...])
            try assign(group.upperBound - 1, to: group, in: &all)
            next = group.upperBound
        }
        return all
    }

    /// Queues writes. They are on the disk when this returns.
    func enqueue(_ writes: [ClientWrite], _ changes: [DocumentWrite], at now: Int64) throws(DocumentError) -> PendingWrites {
        var json = JSONText()
        json.list(writes) { $0.write($1) }
        let body = json.bytes
        let client = client
        return try database.transaction(isDurable: true) { () throws(DocumentError) in
            try database.run("INSERT INTO pending (client, at, body) VALUES (?, ?, ?)", .text(client), .integer(now), .blob(body))
            return PendingWrites(
                number: database.lastRow, at: now, writes: writes, changes: changes, bytes: body.count, client: client, batch: nil)
        }
    }

    /// Returns the indices of the first writes of the queue that are sent together, which have a batch then. It is on the disk when this
    /// returns.
    func firstBatch(of queue: inout [PendingWrites]) throws(DocumentError) -> Range<Int> {
        guard let first = queue.first else { return 0..<0 }
        if let batch = first.batch { return 0..<queue.prefix { $0.batch == batch }.count }
        let group = PendingWrites.group(queue[...])
        try assign(group.upperBound - 1, to: group, in: &queue)
        return group
    }

    /// Halves a refused batch, so that each half is sent alone. The daemon keeps no number of a refused commit.
    func split(_ group: Range<Int>, of queue: inout [PendingWrites]) throws(DocumentError) {
        let half = group.lowerBound..<group.lowerBound + group.count / 2
        try assign(half.upperBound - 1, to: half, in: &queue)
        for index in group { queue[index].hasUnansweredRequest = false }
    }

    /// Gives a batch whose number was ended another client's ID, with which no request of the batch was sent. A copy of the store takes the same
    /// ID, so that the daemon applies the batch once.
    func renewClient(of group: Range<Int>, in queue: inout [PendingWrites]) throws(DocumentError) {
        guard let first = queue[group].first, let batch = first.batch else { return }
        let client = PendingWrites.client(after: first.client)
        try database.run("UPDATE pending SET client = ? WHERE batch = ?", .text(client), .integer(batch))
        for index in group { (queue[index].client, queue[index].hasUnansweredRequest) = (client, false) }
    }

    /// Gives writes the batch that has the number of the last of them.
    private func assign(_ last: Int, to group: Range<Int>, in queue: inout [PendingWrites]) throws(DocumentError) {
        let (from, batch) = (queue[group.lowerBound].number, queue[last].number)
        try database.transaction(isDurable: true) { () throws(DocumentError) in
            try database.run("UPDATE pending SET batch = ? WHERE number BETWEEN ? AND ?", .integer(batch), .integer(from), .integer(batch))
        }
        for index in group { queue[index].batch = batch }
    }

    func removeBatch(_ batch: Int64) throws(DocumentError) {
        try database.run("DELETE FROM pending WHERE batch = ?", .integer(batch))
    }
}

extension PendingWrites {
    /// Returns the ID of a client that follows another one. The numbers of batches grow with each of them, as all take them from one queue.
    ///
    ///     r4nd0m → r4nd0m.1 → r4nd0m.2
    fileprivate static func client(after client: String) -> String {
        let parts = client.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[1]) else { return client + ".1" }
        return "\(parts[0]).\(number + 1)"
    }

    /// Returns the indices of the first writes without a batch that one store has queued and that are sent together.
    fileprivate static func group(_ queue: ArraySlice<PendingWrites>) -> Range<Int> {
        let same = queue.prefix { $0.batch == nil && $0.client == queue.first?.client }
        return queue.startIndex..<queue.startIndex + BatchLimits.prefix(of: same.map { ($0.writes.count, $0.bytes) })
    }
}
