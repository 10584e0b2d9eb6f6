// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Database
package import Platform
import SQLite

/// The first and last sighting of a person for each pair of installation and user, read from the stored presence.
package struct PersonPresence: Sendable {
    package struct Pair: Hashable, Sendable {
        package var installation: UInt64
        package var user: UInt64
    }

    /// The starts of the first and the last quarter-hour.
    package struct Stay: Sendable {
        package var first: Int64
        package var last: Int64

        /// Creates the stay of a row's bits, of which at least one is set.
        init(day: Int64, early: UInt64, late: UInt64) {
            let firstQuarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
            let lastQuarter = late != 0 ? 111 - late.leadingZeroBitCount : 63 - early.leadingZeroBitCount
            first = day * Day.milliseconds + Int64(firstQuarter) * QuarterHour.milliseconds
            last = day * Day.milliseconds + Int64(lastQuarter) * QuarterHour.milliseconds
        }

        package mutating func add(_ other: Stay) {
            (first, last) = (min(first, other.first), max(last, other.last))
        }
    }

    package private(set) var pairs: [Pair: Stay] = [:]
    /// The days whose files have events of the person, oldest first.
    package private(set) var days: [Day] = []
    /// The days whose files have events of the last quarter-hour.
    private var lastDays: [Day] = []

    /// The first and the last quarter-hour over all pairs; nil if the person was never seen.
    package var whole: Stay? {
        pairs.values.reduce(nil) { whole, stay in
            var sum = whole ?? stay
            sum.add(stay)
            return sum
        }
    }

    /// Reads all files.
    ///
    /// In each, `presence` is read before `actives`, so rows folded in between are not missed.
    package init(of keys: PersonKeys, _ session: ReadSession) throws {
        let parts = try session.each(of: session.days()) { file, day in (day, try file.stays(of: keys)) }
        let last = parts.compactMap { $0.1.values.map(\.last).max() }.max()
        lastDays = parts.filter { $0.1.values.contains { $0.last == last } }.map(\.0)
        for (day, stays) in parts where !stays.isEmpty {
            days.append(day)
            pairs.merge(stays) { one, other in
                var sum = one
                sum.add(other)
                return sum
            }
        }
    }
}

extension PersonPresence {
    /// Returns the time of the person's last event or alias. Its quarter-hour is known from the presence, so only the files with events in
    /// it are read. Once data retention has removed the event, the quarter-hour's start is all that is known.
    package func lastSeen(_ keys: PersonKeys, _ session: ReadSession) throws -> Timestamp? {
        guard let quarter = whole?.last else { return nil }
        let (from, to) = (Timestamp(milliseconds: quarter), Timestamp(milliseconds: quarter + QuarterHour.milliseconds))
        var last = quarter
        for day in lastDays {
            let request = EventRequest(keys.app, .time, where: EventCondition.times(from, to) + [.person(keys)])
            guard let file = try session.day(day) else { continue }
            try file.source(request, withdrawn: .included).eachBatch { batch in last = batch.rows.reduce(last) { max($0, batch.times[$1]) } }
            last = max(last, try file.lastAlias(of: keys, from: quarter, to: quarter + QuarterHour.milliseconds) ?? last)
        }
        return Timestamp(milliseconds: last)
    }
}

extension DayDB {
    fileprivate func stays(of keys: PersonKeys) throws -> [PersonPresence.Pair: PersonPresence.Stay] {
        var stays: [PersonPresence.Pair: PersonPresence.Stay] = [:]
        for table in ["presence", "actives"] {
            try uncached("SELECT installation, user, day, early, late FROM \(table) WHERE \(keys.condition)").each([]) { row in
                let stay = PersonPresence.Stay(day: row.integer(2), early: row.key(3), late: row.key(4))
                stays[.init(installation: row.key(0), user: row.key(1)), default: stay].add(stay)
            }
        }
        return stays
    }

    /// Returns whether the file has an event of the person.
    func holdsEvents(of keys: PersonKeys) throws -> Bool {
        for table in ["presence", "actives"] {
            if try uncached("SELECT 1 FROM \(table) WHERE \(keys.condition) LIMIT 1").first(row: { _ in true }) == true { return true }
        }
        return false
    }
}
