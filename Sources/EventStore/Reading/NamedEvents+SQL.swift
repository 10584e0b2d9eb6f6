// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

extension EventStore {
    /// The number of the last event that is on the disk.
    package var lastSeq: Int64 { gauges.now.lastSeq }

    /// Returns an app's events with one of some names after a number and through another, and the number up to which all were read.
    ///
    /// A page has events of one file only, so no read takes long.
    package func events(
        app: AppID, named names: [String], after seq: Int64, through last: Int64, limit: Int
    ) async throws -> (events: [StoredEvent], through: Int64) {
        let snapshot = snapshot
        let keys = names.map { hash(.name, app: app, Array($0.utf8).span) }
        return try await readers.read { session in
            // Numbers rise with the days, so that only the newest files have events behind the number.
            var days: [(day: Day, end: Int64)] = []
            for day in try session.days().reversed() {
                guard let end = try session.with(day, { try $0.lastSeq() }) else { continue }
                if end <= seq { break }
                days.append((day, min(end, last)))
            }
            for (day, end) in days.reversed() {
                var capacity = PageCapacity(events: limit)
                let withdrawn = try snapshot.withdrawn(of: day, session)
                let events = try session.with(day) { file in
                    try file.events(
                        app: app, where: [.after(seq), .seq(.lessOrEqual, .integer(end)), .names(keys)], .ascending, withdrawn, &capacity)
                }
                if let events, let final = events.last { return (events, capacity.isFull ? final.seq : end) }
            }
            return ([], last)
        }
    }
}
