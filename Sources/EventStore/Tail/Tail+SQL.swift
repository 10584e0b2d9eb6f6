// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// Stored records for a tail that is behind the ring.
struct TailPage: Sendable {
    var records: [TailRecord] = []
    /// All records up to this number were examined.
    var through: Int64
}

extension EventStore {
    /// Returns the next stored records after a number and through another.
    ///
    /// A page has records of one file only, so no read takes long.
    func tailPage(app: AppID, after seq: Int64, through last: Int64, _ filter: TailFilter, limit: Int) async throws -> TailPage {
        let snapshot = snapshot
        return try await readers.read { session in
            var page = TailPage(through: seq)
            for day in try session.days() {
                guard let file = try session.day(day) else { continue }
                let end = min(last, try file.lastSeq())
                guard end > page.through else { continue }
                page = try file.tailPage(app: app, after: page.through, through: end, filter, snapshot.withdrawn(of: day, session), limit: limit)
                if page.through < end || !page.records.isEmpty { return page }
            }
            return TailPage(through: last)
        }
    }
}

extension DayDB {
    fileprivate func tailPage(
        app: AppID, after seq: Int64, through end: Int64, _ filter: TailFilter, _ withdrawn: WithdrawnRows, limit: Int
    ) throws -> TailPage {
        var capacity = PageCapacity(events: limit)
        let events = filter.wantsEvents ? try self.events(app: app, after: seq, from: nil, to: nil, withdrawn, &capacity) : []
        var quarantineCapacity = PageCapacity(events: limit)
        let quarantined = filter.wantsQuarantine ? try quarantine(app: app, after: seq, &quarantineCapacity) : []
        // A kind that filled its page may have more, so records of the other kind behind that wait for the next page.
        let ends = [capacity.isFull ? events.last?.seq : nil, quarantineCapacity.isFull ? quarantined.last?.seq : nil].compactMap { $0 }
        let through = min(end, ends.min() ?? end)
        let records = events.filter(filter.shows).map(TailRecord.event) + quarantined.map(TailRecord.quarantined)
        return TailPage(records: records.filter { $0.seq <= through }.sorted { $0.seq < $1.seq }, through: through)
    }
}
