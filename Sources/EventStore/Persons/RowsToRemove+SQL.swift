// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
import Events
import Platform
import SQLite

/// A chunk of a person's rows in one file, and the facts about the remaining rows that are needed to remove it.
///
/// Presence is a union of bits and a text is shared by all rows with its key, so neither can be reduced by subtraction. The reader
/// therefore collects the presence of the person's remaining events, and the keys that no other event uses. Example with a limit of two
/// events; u is erased up to number 9:
///
///     number    1        3        5        8          12
///     event     u 08:00  u 08:20  v 08:20  u 14:00    u 15:00
///     session   s1       s1       s2       s2         s3
///
///     events    1 and 3
///     staying   14:00 and 15:00, which become the presence of u after the removal
///     unneeded  s1; the text of u is still needed by 8 and 12
///     newest    12: events behind it arrived after the read, and `remove` adds them
///
/// The next chunk is event 8. Event 12 arrived after the erasure began and stays.
package struct RowsToRemove: Sendable {
    /// The limit of events, and of quarantined events, per chunk.
    static let limit = 5_000

    package struct Event: Sendable {
        package var seq: Int64
        var time: Int64
        var user: UInt64
        var installation: UInt64
        var session: UInt64

        fileprivate init(_ batch: EventBatch, _ row: Int) {
            (seq, time) = (batch.seqs[row], batch.times[row])
            (user, installation, session) = (batch.users[row], batch.installations[row], batch.sessions[row])
        }
    }

    package var events: [Event] = []
    package var quarantined: [Int64] = []
    /// Whether the file has aliases of the person, which are removed together.
    var hasAliases = false
    /// The presence of the person's remaining events.
    var staying = PresenceBits()
    /// The keys that no remaining event uses.
    ///
    /// Their texts are removed.
    var unneeded: Set<UInt64> = []
    /// The number of the newest event that was read.
    var newest: Int64 = 0

    package var isEmpty: Bool { events.isEmpty && quarantined.isEmpty && !hasAliases }
}

/// Presence collected from events.
struct PresenceBits: Sendable {
    private(set) var entries: [ActiveQuarters.Entry: ActiveQuarters.Bits] = [:]

    mutating func add(app: AppID, time: Int64, installation: UInt64, user: UInt64) {
        let day = time.flooredQuotient(by: Day.milliseconds)
        let entry = ActiveQuarters.Entry(
            app: app.rawValue, day: Int32(truncatingIfNeeded: day), installation: installation, user: user)
        let bits = ActiveQuarters.Bits(quarter: Int((time - day * Day.milliseconds) / QuarterHour.milliseconds))
        entries[entry, default: .init()].early |= bits.early
        entries[entry, default: .init()].late |= bits.late
    }
}

extension DayDB {
    /// Returns the next chunk of the person's rows after a number and through another; an empty one if nothing is left.
    package func rowsToRemove(_ removal: PersonRemoval, after seq: Int64, through last: Int64) throws -> RowsToRemove {
        let keys = removal.keys
        var rows = RowsToRemove()
        rows.quarantined = Array(try quarantined(keys, removal.texts, through: last).prefix(RowsToRemove.limit))
        guard try holdsEvents(of: keys) else { return rows }
        rows.hasAliases = try holdsAliases(of: keys)
        rows.newest = try statement("SELECT max(seq) FROM events").first { $0.integer(0) } ?? 0
        var request = EventRequest(keys.app, [.seq, .time, .keys], where: [.after(seq), .person(keys)])
        request.order = .ascending
        try source(request).eachBatch { batch in
            for event in batch.rows.map({ RowsToRemove.Event(batch, $0) }) {
                if event.seq <= last, rows.events.count < RowsToRemove.limit {
                    rows.events.append(event)
                } else {
                    rows.staying.add(app: keys.app, time: event.time, installation: event.installation, user: event.user)
                }
            }
        }
        rows.unneeded = try unneeded(rows.events, app: keys.app)
        return rows
    }

    /// Returns the keys of the given events that no other event of the app uses.
    private func unneeded(_ events: [RowsToRemove.Event], app: AppID) throws -> Set<UInt64> {
        var keys = Set(events.flatMap { [$0.user, $0.installation, $0.session] }).subtracting([0])
        let going = Set(events.map(\.seq))
        if keys.isEmpty { return keys }
        try source(EventRequest(app, [.seq, .keys])).eachBatch { batch in
            for row in batch.rows {
                let used = [batch.users[row], batch.installations[row], batch.sessions[row]]
                for key in used where keys.contains(key) && !going.contains(batch.seqs[row]) { keys.remove(key) }
            }
        }
        return keys
    }
}
