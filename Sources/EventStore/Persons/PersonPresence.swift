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

        package mutating func add(_ other: Stay) {
            (first, last) = (min(first, other.first), max(last, other.last))
        }
    }

    package private(set) var pairs: [Pair: Stay] = [:]
    /// The days whose files have events of the person, oldest first.
    package private(set) var days: [Day] = []

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

extension DayDB {
    fileprivate func stays(of keys: PersonKeys) throws -> [PersonPresence.Pair: PersonPresence.Stay] {
        var stays: [PersonPresence.Pair: PersonPresence.Stay] = [:]
        for table in ["presence", "actives"] {
            try uncached("SELECT installation, user, day, early, late FROM \(table) WHERE \(keys.condition)").each([]) { row in
                let (early, late) = (row.key(3), row.key(4))
                let first = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
                let last = late != 0 ? 111 - late.leadingZeroBitCount : 63 - early.leadingZeroBitCount
                let start = row.integer(2) * Day.milliseconds
                let stay = PersonPresence.Stay(
                    first: start + Int64(first) * QuarterHour.milliseconds, last: start + Int64(last) * QuarterHour.milliseconds)
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
