// SPDX-License-Identifier: Apache-2.0

import Database
package import Events
package import Platform
import SQLite

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
package struct PageCapacity {
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

    mutating func take(_ quarantined: StoredQuarantine) {
        events -= 1
        bytes -= quarantined.raw.count + quarantined.envelope.count
    }
}

extension EventStore {
    /// Returns the events of an app after a number, in a range of event times.
    ///
    /// Each page is a read of its own, so a slow client holds no resources. The pages of one snapshot fit together.
    package func events(
        app: AppID, after seq: Int64, from: Timestamp?, to: Timestamp?, limit: Int, in snapshot: EventSnapshot? = nil
    ) async throws -> EventPage {
        let snapshot = snapshot ?? self.snapshot
        return try await readers.read { session in
            var page = EventPage(events: [], next: nil)
            var capacity = PageCapacity(events: limit)
            for day in try session.days() {
                guard let file = try session.day(day), try file.holdsEvents(after: seq) else { continue }
                page.events += try file.events(app: app, after: seq, from: from, to: to, snapshot.withdrawn(of: day, session), &capacity)
                if capacity.isFull {
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

    func events(
        app: AppID, after seq: Int64, from: Timestamp?, to: Timestamp?, _ withdrawn: WithdrawnRows, _ capacity: inout PageCapacity
    ) throws -> [StoredEvent] {
        // In the order of numbers: any other order would sort all events of the app for each page.
        try events(app: app, where: [.after(seq)] + EventCondition.times(from, to), .ascending, withdrawn, &capacity)
    }

    /// Returns events with their texts until the page is full.
    package func events(
        app: AppID, where conditions: [EventCondition], _ order: EventRequest.Order, _ withdrawn: WithdrawnRows, _ capacity: inout PageCapacity
    ) throws -> [StoredEvent] {
        var request = EventRequest(app, StoredEvent.columns, where: conditions)
        request.order = order
        request.firstBatch = capacity.events
        let source = try source(request, withdrawn: .flagged(withdrawn))
        let texts = FileTexts(self)
        var found: [(event: StoredEvent, keys: [UInt64])] = []
        var batch = EventBatch()
        while !capacity.isFull, try source.next(into: &batch) {
            for row in batch.rows where !capacity.isFull {
                let event = try StoredEvent(batch, row, texts)
                found.append((event, [batch.users[row], batch.installations[row], batch.sessions[row]]))
                capacity.take(event)
            }
        }
        let persons = try self.texts(of: Set(found.flatMap(\.keys)))
        return found.map { event, keys in
            var event = event
            event.user = persons[keys[0]]
            event.installation = persons[keys[1]]
            event.session = persons[keys[2]]
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
    fileprivate static let columns: EventColumns = [.seq, .id, .name, .time, .received, .keys, .flags, .params, .context]

    /// Without the texts of user, installation and session, which are looked up for all events of a page together.
    fileprivate init(_ batch: EventBatch, _ row: Int, _ texts: FileTexts) throws {
        seq = batch.seqs[row]
        id = String(decoding: batch.ids[row], as: UTF8.self)
        name = String(decoding: try texts.name(batch.names[row]) ?? [], as: UTF8.self)
        time = Timestamp(milliseconds: batch.times[row])
        received = Timestamp(milliseconds: batch.received[row])
        flags = batch.flags[row]
        params = batch.params[row]
        context = try texts.context(batch.contexts[row]).map { $0.map { String(decoding: $0, as: UTF8.self) } }
    }
}
