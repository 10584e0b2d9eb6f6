// SPDX-License-Identifier: Apache-2.0

import Database
package import Events
package import Platform
package import SQLite

/// A stored event with its texts.
package struct StoredEvent: Sendable {
    package var seq: Int64
    /// A UUID in lower case, or the ID as received.
    package var id: String
    package var name: String
    package var time: Timestamp
    package var received: Timestamp
    package var user: String?
    package var installation: String?
    package var session: String?
    /// In the order of `EventContext.fields`.
    package var context: [String?]
    /// The JSON object of the parameters; empty for none.
    package var params: [UInt8]
    package var flags: EventFlags
}

/// A page of stored events.
package struct EventPage: Sendable {
    package var events: [StoredEvent]
    /// The number to continue from; nil at the end.
    package var next: Int64?
}

/// The remaining capacity of a page: events and 4 MiB of payload.
///
/// One event may be as large as a thousand others.
package struct PageRoom {
    package var events: Int
    var bytes = 4 << 20

    package init(events: Int) {
        self.events = events
    }

    package var isFull: Bool { events <= 0 || bytes <= 0 }

    mutating func take(_ event: StoredEvent) {
        events -= 1
        bytes -= event.params.count
    }

    mutating func take(_ refused: StoredQuarantine) {
        events -= 1
        bytes -= refused.raw.count + refused.envelope.count
    }
}

extension EventStore {
    /// Returns the events of an app after a number, in a range of event times.
    ///
    /// Each page is a read of its own, so a slow client holds no resources.
    package func events(app: AppID, after seq: Int64, from: Timestamp?, to: Timestamp?, limit: Int) async throws -> EventPage {
        try await readers.read { session in
            var page = EventPage(events: [], next: nil)
            var room = PageRoom(events: limit)
            for day in try session.days() {
                guard let file = try session.day(day), try file.holdsEvents(after: seq) else { continue }
                page.events += try file.events(app: app, after: seq, from: from, to: to, &room)
                if room.isFull {
                    page.next = page.events.last?.seq
                    return page
                }
            }
            return page
        }
    }
}

extension DayDB {
    fileprivate func holdsEvents(after seq: Int64) throws -> Bool {
        try statement("SELECT max(seq) FROM events").first(row: { $0.integer(0) > seq }) ?? false
    }

    func events(app: AppID, after seq: Int64, from: Timestamp?, to: Timestamp?, _ room: inout PageRoom) throws -> [StoredEvent] {
        // In the order of numbers: any other order would sort all events of the app for each page.
        let sql = """
            \(StoredEvent.selection)
            WHERE e.seq > ?1 AND e.app = ?2 AND (?3 IS NULL OR e.time >= ?3) AND (?4 IS NULL OR e.time < ?4) ORDER BY e.seq LIMIT ?5
            """
        let values: [Value] = [
            .integer(seq), .integer(app.rawValue), .integer(from?.milliseconds), .integer(to?.milliseconds), .integer(room.events),
        ]
        return try events(try statement(sql), values, &room)
    }

    /// Runs a statement that begins with `StoredEvent.selection`.
    package func events(_ statement: Statement, _ values: [Value], _ room: inout PageRoom) throws -> [StoredEvent] {
        var keys: Set<UInt64> = []
        var found: [(event: StoredEvent, keys: [UInt64])] = []
        try statement.rows(
            values,
            while: { row in
                let (event, persons) = (try StoredEvent(row), [row.key(5), row.key(6), row.key(7)])
                keys.formUnion(persons)
                found.append((event, persons))
                room.take(event)
                return !room.isFull
            })
        let texts = try self.texts(of: keys)
        return found.map { event, keys in
            var event = event
            event.user = texts[keys[0]]
            event.installation = texts[keys[1]]
            event.session = texts[keys[2]]
            return event
        }
    }

    /// Returns the texts of keys.
    ///
    /// The open day's file has no index (`DayIndex`), so the table is scanned once.
    func texts(of keys: Set<UInt64>) throws -> [UInt64: String] {
        let keys = keys.subtracting([0])
        var texts: [UInt64: String] = [:]
        if keys.isEmpty { return texts }
        if try has(.ids) {
            let find = try statement("SELECT id FROM ids WHERE key = ? ORDER BY rowid LIMIT 1")
            for key in keys { texts[key] = try find.first(.key(key)) { $0.text(0) } }
        } else {
            try statement("SELECT key, id FROM ids").each([]) { row in
                if keys.contains(row.key(0)), texts[row.key(0)] == nil { texts[row.key(0)] = row.text(1) }
            }
        }
        return texts
    }
}

extension StoredEvent {
    package static let selection = """
        SELECT e.seq, d.id, w.text, e.time, e.received, e.user, e.installation, e.session, e.flags, d.params,
               \(EventContext.fields.map { "c.\($0)" }.joined(separator: ", "))
        FROM events e NOT INDEXED JOIN details d USING (seq) JOIN words w ON w.id = e.name LEFT JOIN contexts c ON c.id = e.context
        """

    fileprivate init(_ row: Row) throws {
        seq = row.integer(0)
        id = row.isBlob(1) ? String(decoding: UUID128(networkBytes: row.bytes(1)).text, as: UTF8.self) : row.text(1)
        name = row.text(2)
        time = Timestamp(milliseconds: row.integer(3))
        received = Timestamp(milliseconds: row.integer(4))
        flags = EventFlags(rawValue: UInt8(truncatingIfNeeded: row.integer(8)))
        params = try row.params(9)
        context = (0..<EventContext.fields.count).map { row.optionalText(Int32(10 + $0)) }
    }
}
