// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// A refused event as it is kept.
package struct StoredQuarantine: Sendable {
    package var seq: Int64
    package var received: Timestamp
    package var time: Timestamp?
    package var id: String?
    package var reason: String
    package var field: String
    package var message: String
    /// What it came as, an event or an entry about a person.
    package var source: String
    /// What its request said of all its events, as a flat JSON object.
    package var envelope: [UInt8]
    package var raw: [UInt8]
}

/// Some of them, the newest first.
package struct QuarantinePage: Sendable {
    package var rows: [StoredQuarantine] = []
    /// Ask again from here; nil at the end.
    package var next: Int64?
}

/// How many events of an app were refused for a reason: kept to look at, or past the limit only counted.
package struct QuarantineCount: Sendable, Equatable {
    package var reason: String
    package var kept: Int
    package var dropped: Int
}

extension EventStore {
    /// Refused events, the newest first; `before` is the number the last page ended with.
    package func quarantine(app: AppID, before seq: Int64?, reason: String?, limit: Int) async throws -> QuarantinePage {
        try await readers.read { session in
            var page = QuarantinePage()
            var room = PageRoom(events: limit)
            for day in try session.days().reversed() where !room.isFull {
                guard let file = try session.day(day) else { continue }
                page.rows += try file.quarantine(app: app, before: seq, reason: reason, &room)
            }
            if room.isFull { page.next = page.rows.last?.seq }
            return page
        }
    }

    /// Of one day of receipt, or of all there are.
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

    /// Takes refused events out, once they were taken in after all.
    package func removeQuarantined(app: AppID, _ seqs: [Int64]) async throws {
        if seqs.isEmpty { return }
        // Today's first: should the day turn in between, its file is met once more among the closed ones.
        let today = try await change { context in
            context.unquarantined[app] = try context.today.removeQuarantined(seqs, app: app)
            return context.day
        }
        for day in try paths.days() where day < today {
            try await closed.write(to: day) { _ = try $0.removeQuarantined(seqs, app: app) }
        }
    }
}

extension DayDB {
    /// Answers what room that makes; numbers that stand in another day's file make none.
    package func removeQuarantined(_ seqs: [Int64], app: AppID) throws -> QuarantineLedger.Use {
        var gone = QuarantineLedger.Use()
        for seq in seqs {
            guard let bytes = try removeQuarantined(seq, app: app) else { continue }
            gone.rows += 1
            gone.bytes += bytes
        }
        return gone
    }

    /// Answers the length of what was kept; nil where it stands in another day's file.
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

    fileprivate func quarantine(app: AppID, before seq: Int64?, reason: String?, _ room: inout PageRoom) throws -> [StoredQuarantine] {
        let sql = """
            SELECT \(StoredQuarantine.columns) FROM quarantine
            WHERE app = ?1 AND (?2 IS NULL OR seq < ?2) AND (?3 IS NULL OR reason = ?3) ORDER BY seq DESC LIMIT ?4
            """
        return try quarantine(statement(sql), [.integer(app.rawValue), .integer(seq), .text(reason), .integer(room.events)], &room)
    }

    /// Refused events in the order of their numbers.
    func quarantine(app: AppID, after seq: Int64, _ room: inout PageRoom) throws -> [StoredQuarantine] {
        let sql = "SELECT \(StoredQuarantine.columns) FROM quarantine WHERE app = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"
        return try quarantine(statement(sql), [.integer(app.rawValue), .integer(seq), .integer(room.events)], &room)
    }

    private func quarantine(_ statement: Statement, _ values: [Value], _ room: inout PageRoom) throws -> [StoredQuarantine] {
        var out: [StoredQuarantine] = []
        try statement.rows(values) { row in
            out.append(StoredQuarantine(row))
            room.take(out[out.count - 1])
            return !room.isFull
        }
        return out
    }
}

extension StoredQuarantine {
    /// What counts of the room there is for them.
    static let size = "length(raw) + length(CAST(envelope AS BLOB)) + length(CAST(message AS BLOB))"
    static let columns = "seq, received, time, id, reason, field, message, source, envelope, raw"

    init(_ row: Row) {
        self.init(
            seq: row.integer(0), received: Timestamp(milliseconds: row.integer(1)),
            time: row.optionalInteger(2).map { Timestamp(milliseconds: $0) }, id: row.optionalText(3), reason: row.text(4), field: row.text(5),
            message: row.text(6), source: row.text(7), envelope: row.bytes(8), raw: row.bytes(9))
    }
}
