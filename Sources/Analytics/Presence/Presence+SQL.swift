// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// A range's presence, and when its people were first seen if a query needs that.
struct PeopleOfRange: Sendable {
    var table: PresenceTable
    var firstSeen: FirstSeen?
}

extension QueryContext {
    /// Returns the presence of people in buckets whose edges are on quarter-hours.
    ///
    /// It comes from the index in memory, or from the files if the index would be too large.
    func presence(_ buckets: TimeBuckets) throws -> PresenceTable {
        try peopleOfRange(buckets, needsFirstSeen: false).table
    }

    func peopleOfRange(_ buckets: TimeBuckets, needsFirstSeen: Bool) throws -> PeopleOfRange {
        let masks = QuarterMasks(buckets)
        if let found = try memory?.presence.people(self, masks, buckets, needsFirstSeen: needsFirstSeen) { return found }
        let table = try session.fold(of: days(from: buckets.from, to: buckets.to), into: PresenceTable(buckets: buckets.count)) { file, _ in
            try presence(masks, buckets.count, in: file)
        } joining: {
            try $0.add($1)
        }
        return PeopleOfRange(table: table, firstSeen: needsFirstSeen ? try firstSeen(table.people) : nil)
    }

    private func presence(_ masks: QuarterMasks, _ buckets: Int, in file: DayDB) throws -> PresenceTable {
        var table = PresenceTable(buckets: buckets)
        // Read in this order, a row that is folded meanwhile is read twice rather than missed.
        for source in ["presence", "actives"] {
            let sql = """
                SELECT day, installation, user, early, late FROM \(source)
                WHERE app = ? AND day BETWEEN ? AND ? AND (early & ? OR late & ?)
                """
            let values: [Value] = [
                .integer(app.rawValue), .integer(Int64(masks.first)), .integer(Int64(masks.last)), .key(masks.all.early), .key(masks.all.late),
            ]
            try file.statement(sql).each(values) { row in
                let (day, installation, user) = (row.integer(0), row.key(1), row.key(2))
                let (early, late) = (row.key(3), row.key(4))
                for mask in masks.of(Int32(truncatingIfNeeded: day)) {
                    let (early, late) = (early & mask.early, late & mask.late)
                    if early | late == 0 { continue }
                    let quarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
                    try table.mark(
                        installation: installation, user: user, bucket: mask.bucket,
                        at: day * Day.milliseconds + Int64(quarter) * QuarterHour.milliseconds)
                }
            }
        }
        return table
    }

    // MARK: First sightings

    /// Returns the times at which people were first seen.
    ///
    /// First sightings are in the main file once folded, and until then in the `presence` rows of their day.
    func firstSeen(_ people: PeopleNumbers) throws -> FirstSeen {
        // Read before the main file, so that a row that is folded meanwhile is not missed.
        var first = try session.fold(of: session.days(), into: FirstSeen(people)) { file, _ in
            try unfolded(in: file, people)
        } joining: {
            if let part = $1 { $0.add(part) }
        }
        first.add(try firstSeenInMain(people))
        return first
    }

    private func unfolded(in file: DayDB, _ people: PeopleNumbers) throws -> FirstSeen? {
        var first: FirstSeen?
        try file.statement("SELECT day, installation, user, early, late FROM presence WHERE app = ?").each([.integer(app.rawValue)]) { row in
            let (early, late) = (row.key(3), row.key(4))
            let quarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
            let time = row.integer(0) * Day.milliseconds + Int64(quarter) * QuarterHour.milliseconds
            for key in [row.key(1), row.key(2)] where key != 0 { first.noteAny(key, at: time, people) }
        }
        return first
    }

    /// Returns the first sightings of the main file, read in two halves at once.
    func firstSeenInMain(_ people: PeopleNumbers) throws -> FirstSeen {
        let ranges = ["key < 0", "key >= 0"]
        let path = session.paths.main
        let parts = try session.each(of: [path, path]) { (main: MainDB, half) in
            var first = FirstSeen(people)
            let sql = "SELECT key, first_seen, kind FROM people WHERE app = ? AND \(ranges[half])"
            try main.statement(sql).each([.integer(app.rawValue)]) { row in
                first.note(row.key(0), isUser: row.integer(2) == 1, at: row.integer(1), people)
            }
            return first
        }
        return parts.dropFirst().reduce(into: parts.first ?? FirstSeen(people)) { $0.add($1) }
    }
}

extension FirstSeen? {
    fileprivate mutating func noteAny(_ key: UInt64, at time: Int64, _ people: PeopleNumbers) {
        var first = self ?? FirstSeen(people)
        self = nil
        first.note(key, at: time, people)
        self = first
    }
}

/// The presence that a file has of an app, by UTC day.
struct StoredPresence: Sendable {
    struct Part: Sendable {
        var day: Int32
        var installations: [UInt64] = []
        var users: [UInt64] = []
        var early: [UInt64] = []
        var late: [UInt64] = []

        fileprivate mutating func add(_ row: Row) {
            installations.append(row.key(1))
            users.append(row.key(2))
            early.append(row.key(3))
            late.append(row.key(4))
        }
    }

    private(set) var days: [Part] = []

    var rows: Int { days.reduce(0) { $0 + $1.early.count } }

    fileprivate mutating func add(_ part: Part) {
        if !part.early.isEmpty { days.append(part) }
    }
}

extension DayDB {
    /// Returns all presence of an app. `presence` is read before `actives`, so that rows that a fold moves meanwhile are read twice, not missed.
    func storedPresence(of app: AppID) throws -> StoredPresence {
        var stored = StoredPresence()
        for source in ["presence", "actives"] {
            let sql = "SELECT day, installation, user, early, late FROM \(source) WHERE app = ?"
            var part = StoredPresence.Part(day: 0)
            try statement(sql).each([.integer(app.rawValue)]) { row in
                let day = Int32(truncatingIfNeeded: row.integer(0))
                if part.day != day {
                    stored.add(part)
                    part = StoredPresence.Part(day: day)
                }
                part.add(row)
            }
            stored.add(part)
        }
        return stored
    }

    /// Returns the UTC days of an app's presence.
    func presentDays(of app: AppID) throws -> Set<Int32> {
        let folded = """
            WITH RECURSIVE days (day) AS (
                SELECT min(day) FROM actives WHERE app = ?1
                UNION ALL SELECT (SELECT min(day) FROM actives WHERE app = ?1 AND day > days.day) FROM days WHERE days.day IS NOT NULL)
            SELECT day FROM days WHERE day IS NOT NULL
            """
        let appended = "SELECT DISTINCT day FROM presence WHERE app = ?1"
        // In this order for the same reason as `storedPresence`.
        let days = try [appended, folded].flatMap { sql in
            try statement(sql).all(.integer(app.rawValue)) { Int32(truncatingIfNeeded: $0.integer(0)) }
        }
        return Set(days)
    }
}
