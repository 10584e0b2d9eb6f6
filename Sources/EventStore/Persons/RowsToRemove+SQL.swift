// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
import Events
package import Platform
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
        /// The event as a part of its session; nil if it has no subject.
        var part: SessionPart?

        fileprivate init(_ batch: EventBatch, _ row: Int, _ reader: SessionReader) {
            (seq, time) = (batch.seqs[row], batch.times[row])
            part = reader.part(batch, row)
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
    /// The sessions of the events' subjects after the removal.
    var sessions: SessionRecut
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
    package func rowsToRemove(
        _ removal: PersonRemoval, after seq: Int64, through last: Int64, sessionTimeout: Timestamp.Span
    ) throws -> RowsToRemove {
        let keys = removal.keys
        var rows = RowsToRemove(sessions: SessionRecut(keys.app))
        rows.quarantined = Array(try quarantined(keys, removal.texts, through: last).prefix(RowsToRemove.limit))
        guard try holdsEvents(of: keys) else { return rows }
        rows.hasAliases = try holdsAliases(of: keys)
        rows.newest = try statement("SELECT max(seq) FROM events").first { $0.integer(0) } ?? 0
        let reader = try SessionReader(self, keys.app)
        var request = EventRequest(keys.app, SessionReader.columns, where: [.after(seq), .person(keys)])
        request.order = .ascending
        try source(request, withdrawn: .included).eachBatch { batch in
            for event in batch.rows.map({ RowsToRemove.Event(batch, $0, reader) }) {
                if event.seq <= last, rows.events.count < RowsToRemove.limit {
                    rows.events.append(event)
                } else {
                    rows.staying.add(app: keys.app, time: event.time, installation: event.installation, user: event.user)
                }
            }
        }
        rows.sessions = SessionRecut(rows.events, keys.app, timeout: sessionTimeout.milliseconds)
        try readOthers(for: &rows, app: keys.app, reader)
        return rows
    }

    /// Reads the app's other events: finds the keys of the given events that no other uses, and cuts the sessions of their subjects.
    private func readOthers(for rows: inout RowsToRemove, app: AppID, _ reader: SessionReader) throws {
        var keys = Set(rows.events.flatMap { [$0.user, $0.installation, $0.session] }).subtracting([0])
        let going = Set(rows.events.map(\.seq))
        if keys.isEmpty { return }
        var sessions = rows.sessions
        try source(EventRequest(app, SessionReader.columns), withdrawn: .included).eachBatch { batch in
            for row in batch.rows where !going.contains(batch.seqs[row]) {
                for key in [batch.users[row], batch.installations[row], batch.sessions[row]] where keys.contains(key) { keys.remove(key) }
                if sessions.subjects.contains(SessionSubject.key(user: batch.users[row], installation: batch.installations[row])) {
                    sessions.add(reader.part(batch, row), reader)
                }
            }
        }
        (rows.unneeded, rows.sessions) = (keys, sessions)
    }
}
