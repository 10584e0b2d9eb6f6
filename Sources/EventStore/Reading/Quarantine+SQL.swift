// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// A stored quarantined event.
package struct StoredQuarantine: Sendable {
    package var seq: Int64
    package var received: Timestamp
    package var time: Timestamp?
    package var id: String?
    package var reason: String
    package var field: String
    package var message: String
    /// The kind of entry, such as an event or an update of a person.
    package var source: String
    /// The fields shared by all events of its request, as a flat JSON object.
    package var envelope: [UInt8]
    package var raw: [UInt8]
}

/// A page of quarantined events, newest first.
package struct QuarantinePage: Sendable {
    package var rows: [StoredQuarantine] = []
    /// The number to continue from; nil at the end.
    package var next: Int64?
}

/// The number of an app's quarantined events by reason: stored ones, and those beyond the limit that were only counted.
package struct QuarantineCount: Sendable, Equatable {
    package var reason: String
    package var kept: Int
    package var dropped: Int
}

extension EventStore {
    /// Returns quarantined events, newest first.
    ///
    /// `before` is the last number of the previous page.
    package func quarantine(app: AppID, before seq: Int64?, reason: String?, limit: Int) async throws -> QuarantinePage {
        try await readers.read { session in
            var page = QuarantinePage()
            var capacity = PageCapacity(events: limit)
            for day in try session.days().reversed() where !capacity.isFull {
                guard let file = try session.day(day) else { continue }
                page.rows += try file.quarantine(app: app, before: seq, reason: reason, &capacity)
            }
            if capacity.isFull { page.next = page.rows.last?.seq }
            return page
        }
    }

    /// Returns the counts of one day of receipt, or of all stored days.
    package func quarantineCounts(app: AppID, on only: Day? = nil) async throws -> [QuarantineCount] {
        try await readers.read { session in
            var counts: [String: QuarantineCount] = [:]
            for day in try only.map({ [$0] }) ?? session.days() {
                guard let file = try session.day(day) else { continue }
                try file.statement("SELECT reason, kept, dropped FROM quarantine_counts WHERE app = ?").each([.integer(app.rawValue)]) { row in
                    var count = counts[row.text(0)] ?? QuarantineCount(reason: row.text(0), kept: 0, dropped: 0)
                    count.kept += row.int(1)
                    count.dropped += row.int(2)
                    counts[row.text(0)] = count
                }
            }
            return counts.values.sorted { ($1.kept + $1.dropped, $0.reason) < ($0.kept + $0.dropped, $1.reason) }
        }
    }

    /// Removes events from the quarantine after they were accepted by a replay.
    package func removeQuarantined(app: AppID, _ seqs: [Int64]) async throws {
        if seqs.isEmpty { return }
        // Today's file comes first: if the day ends in between, its file is met again among the sealed ones.
        let today = try await change { context in
            context.unquarantined[app] = try context.today.removeQuarantined(seqs, app: app)
            return context.day
        }
        for day in try paths.days() where day < today {
            try await sealedDays.write(to: day) { _ = try $0.removeQuarantined(seqs, app: app) }
        }
    }
}

extension DayDB {
    /// Removes events and returns the space they used.
    ///
    /// Numbers in another day's file are skipped.
    package func removeQuarantined(_ seqs: [Int64], app: AppID) throws -> QuarantineLedger.Use {
        var gone = QuarantineLedger.Use()
        for seq in seqs {
            guard let bytes = try removeQuarantined(seq, app: app) else { continue }
            gone.rows += 1
            gone.bytes += bytes
        }
        return gone
    }

    /// Removes one event.
    ///
    /// Returns its size, or nil if it is in another day's file.
    private func removeQuarantined(_ seq: Int64, app: AppID) throws -> Int? {
        let removed = try statement("DELETE FROM quarantine WHERE seq = ? AND app = ? RETURNING reason, \(StoredQuarantine.size)").first(
            .integer(seq), .integer(app.rawValue)
        ) { (reason: $0.text(0), bytes: $0.int(1)) }
        guard let (reason, bytes) = removed else { return nil }
        try statement("UPDATE quarantine_counts SET kept = kept - 1 WHERE app = ? AND reason = ?").run(.integer(app.rawValue), .text(reason))
        try statement("DELETE FROM quarantine_counts WHERE app = ? AND reason = ? AND kept = 0 AND dropped = 0")
            .run(.integer(app.rawValue), .text(reason))
        return bytes
    }

    fileprivate func quarantine(app: AppID, before seq: Int64?, reason: String?, _ capacity: inout PageCapacity) throws -> [StoredQuarantine] {
        let sql = """
            SELECT \(StoredQuarantine.columns) FROM quarantine
            WHERE app = ?1 AND (?2 IS NULL OR seq < ?2) AND (?3 IS NULL OR reason = ?3) ORDER BY seq DESC LIMIT ?4
            """
        return try quarantine(statement(sql), [.integer(app.rawValue), .integer(seq), .text(reason), .integer(capacity.events)], &capacity)
    }

    /// Returns quarantined events in the order of their numbers.
    func quarantine(app: AppID, after seq: Int64, _ capacity: inout PageCapacity) throws -> [StoredQuarantine] {
        let sql = "SELECT \(StoredQuarantine.columns) FROM quarantine WHERE app = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"
        return try quarantine(statement(sql), [.integer(app.rawValue), .integer(seq), .integer(capacity.events)], &capacity)
    }

    private func quarantine(_ statement: Statement, _ values: [Value], _ capacity: inout PageCapacity) throws -> [StoredQuarantine] {
        var out: [StoredQuarantine] = []
        try statement.rows(values) { row in
            out.append(StoredQuarantine(row))
            capacity.take(out[out.count - 1])
            return !capacity.isFull
        }
        return out
    }
}

extension StoredQuarantine {
    /// The size that counts towards the limit.
    static let size = "length(raw) + length(CAST(envelope AS BLOB)) + length(CAST(message AS BLOB))"
    static let columns = "seq, received, time, id, reason, field, message, source, envelope, raw"

    init(_ row: Row) {
        self.init(
            seq: row.integer(0), received: Timestamp(milliseconds: row.integer(1)),
            time: row.optionalInteger(2).map { Timestamp(milliseconds: $0) }, id: row.optionalText(3), reason: row.text(4), field: row.text(5),
            message: row.text(6), source: row.text(7), envelope: row.bytes(8), raw: row.bytes(9))
    }
}
