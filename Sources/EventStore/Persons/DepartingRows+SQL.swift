// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
import Events
import Platform
import SQLite

/// Some of a person's rows in one file, and what must be known of the others before they can go.
package struct DepartingRows: Sendable {
    static let limit = 5_000

    package struct Event: Sendable {
        package var seq: Int64
        var time: Int64
        var user: UInt64
        var installation: UInt64
        var session: UInt64
    }

    package var events: [Event] = []
    package var quarantined: [Int64] = []
    /// The presence that the person's other rows still tell of.
    var staying = PresenceBits()
    /// Keys that no other row needs the text of.
    var unneeded: Set<UInt64> = []
    /// The newest event that was looked at.
    var newest: Int64 = 0

    package var isEmpty: Bool { events.isEmpty && quarantined.isEmpty }
}

/// Presence summed up from events.
struct PresenceBits: Sendable {
    private(set) var entries: [ActiveQuarters.Entry: ActiveQuarters.Bits] = [:]

    mutating func add(app: AppID, time: Int64, installation: UInt64, user: UInt64) {
        let day = time.flooredQuotient(by: Day.milliseconds)
        let entry = ActiveQuarters.Entry(
            app: app.rawValue, day: Int32(truncatingIfNeeded: day), installation: installation, user: user)
        let bits = ActiveQuarters.Bits(quarter: Int((time - day * Day.milliseconds) / 900_000))
        entries[entry, default: .init()].early |= bits.early
        entries[entry, default: .init()].late |= bits.late
    }
}

extension DayDB {
    /// The next rows behind a number and up to another; none where the person has nothing left here.
    package func departing(_ departure: Departure, after seq: Int64, through last: Int64) throws -> DepartingRows {
        let keys = departure.keys
        var rows = DepartingRows()
        rows.quarantined = Array(try quarantined(keys, departure.texts, through: last).prefix(DepartingRows.limit))
        guard try holdsEvents(of: keys) else { return rows }
        rows.newest = try statement("SELECT max(seq) FROM events").first { $0.integer(0) } ?? 0
        let sql = "SELECT seq, time, user, installation, session FROM events NOT INDEXED WHERE seq > ? AND \(keys.condition) ORDER BY seq"
        try uncached(sql).each([.integer(seq)]) { row in
            let event = DepartingRows.Event(
                seq: row.integer(0), time: row.integer(1), user: row.key(2), installation: row.key(3), session: row.key(4))
            if event.seq <= last, rows.events.count < DepartingRows.limit {
                rows.events.append(event)
            } else {
                rows.staying.add(app: keys.app, time: event.time, installation: event.installation, user: event.user)
            }
        }
        rows.unneeded = try unneeded(rows.events, app: keys.app)
        return rows
    }

    /// The keys of some events that no other event of the app has.
    private func unneeded(_ events: [DepartingRows.Event], app: AppID) throws -> Set<UInt64> {
        var keys = Set(events.flatMap { [$0.user, $0.installation, $0.session] }).subtracting([0])
        let going = Set(events.map(\.seq))
        if keys.isEmpty { return keys }
        try statement("SELECT seq, user, installation, session FROM events NOT INDEXED WHERE app = ?").each([.integer(app.rawValue)]) { row in
            for key in [row.key(1), row.key(2), row.key(3)] where keys.contains(key) && !going.contains(row.integer(0)) { keys.remove(key) }
        }
        return keys
    }
}
