// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Platform
import SQLite

extension EventStore {
    /// Returns events of a person before a number, newest first.
    ///
    /// There is no index by person, so each file is read backwards.
    package func timeline(
        _ records: PersonRecords, before seq: Int64?, limit: Int, in snapshot: EventSnapshot? = nil
    ) async throws -> EventPage {
        let snapshot = snapshot ?? self.snapshot
        return try await readers.read(.large, seconds: 30) { session in
            var page = EventPage(events: [], next: nil)
            var capacity = PageCapacity(events: limit)
            for day in records.days.reversed() where !capacity.isFull {
                guard let file = try session.day(day) else { continue }
                page.events += try file.timeline(records.keys, before: seq ?? .max, snapshot.withdrawn(of: day, session), &capacity)
            }
            if capacity.isFull { page.next = page.events.last?.seq }
            return page
        }
    }

    /// Returns quarantined events of a person before a number, newest first.
    ///
    /// An empty result means that there are no more.
    package func quarantine(of person: PersonInQuarantine, before seq: Int64, limit: Int) async throws -> [StoredQuarantine] {
        try await readers.read(.large, seconds: 30) { session in
            var out: [StoredQuarantine] = []
            var capacity = PageCapacity(events: limit)
            for day in try session.days().reversed() where !capacity.isFull {
                guard let file = try session.day(day) else { continue }
                let read = try file.statement("SELECT \(StoredQuarantine.columns) FROM quarantine WHERE seq = ?")
                for seq in try file.quarantined(person.keys, person.texts, through: seq - 1).reversed() where !capacity.isFull {
                    guard let row = try read.first(.integer(seq), row: StoredQuarantine.init) else { continue }
                    out.append(row)
                    capacity.take(row)
                }
            }
            return out
        }
    }
}

/// A person whose quarantined events are requested.
package struct PersonInQuarantine: Sendable {
    let keys: PersonKeys
    let texts: PersonTexts

    package init(keys: PersonKeys, texts: PersonTexts) {
        self.keys = keys
        self.texts = texts
    }
}

extension DayDB {
    fileprivate func timeline(
        _ keys: PersonKeys, before seq: Int64, _ withdrawn: WithdrawnRows, _ capacity: inout PageCapacity
    ) throws -> [StoredEvent] {
        try events(app: keys.app, where: [.before(seq), .person(keys)], .descending, withdrawn, &capacity)
    }

    /// Returns the newest events of a person, or of one of the person's sessions, in a range of event times.
    package func newestEvents(
        of person: PersonKeys, session: UInt64?, from: Timestamp, through end: Timestamp, _ withdrawn: WithdrawnRows, limit: Int
    ) throws -> [StoredEvent] {
        var conditions: [EventCondition] = [
            .person(person), .time(.greaterOrEqual, .integer(from.milliseconds)), .time(.lessOrEqual, .integer(end.milliseconds)),
        ]
        if let session { conditions.append(.sessions([session])) }
        var newest: [(time: Int64, seq: Int64)] = []
        try source(EventRequest(person.app, [.time, .seq], where: conditions), withdrawn: .included).eachBatch { batch in
            // A session may have millions of events.
            newest = Array((newest + batch.rows.map { (batch.times[$0], batch.seqs[$0]) }).sorted(by: >).prefix(limit))
        }
        var capacity = PageCapacity(events: limit)
        return newest.isEmpty ? [] : try events(app: person.app, where: [.seqs(newest.map(\.seq))], .ascending, withdrawn, &capacity)
    }
}
