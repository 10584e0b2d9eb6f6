// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// Presence that is durable in the day's append-only table but not yet folded into the indexed ones.
///
/// Keys are random: writing each sighting to a B-tree would rewrite most of its pages with every commit. Sightings are therefore appended
/// to `presence` and folded in batches, in key order. Queries read both `presence` and `actives`. Example:
///
///     presence     u 08:00, v 08:15, u 08:30
///     fold, 1      main.db: people u since 08:00, v since 08:15; u last seen 08:30, v 08:15; the minimum and maximum with what is there
///     fold, 2      the day's file, one transaction: actives u 08:00 and 08:30, v 08:15; `presence` is emptied
///
/// A kill between the two steps repeats both at the next start. The minimum and the union of bits give the same result again.
struct Unfolded {
    var rows = 0
    var people: [PersonFact] = []
    /// The sightings that an earlier process left.
    private(set) var left: [LastSighting] = []

    init() {}

    /// Reads the sightings that an earlier process left unfolded.
    init(leftIn file: DayDB) throws {
        var texts: [UInt64: (IDRows.Kind, [UInt8])?] = [:]
        let sightings = try file.statement("SELECT app, day, installation, user, early, late FROM presence").all { row in
            Sighting(row)
        }
        if sightings.isEmpty { return }
        for sighting in sightings {
            texts[sighting.installation] = .some(nil)
            texts[sighting.user] = .some(nil)
        }
        try file.statement("SELECT key, kind, id FROM ids").each([]) { row in
            guard texts[row.key(0)] != nil, let kind = IDRows.Kind(rawValue: row.integer(1)) else { return }
            texts[row.key(0)] = (kind, row.bytes(2))
        }
        rows = sightings.count
        left = try file.lastSightings()
        people = sightings.flatMap { sighting in
            [sighting.installation, sighting.user].compactMap { key in
                guard let known = texts[key], let (kind, text) = known else { return nil }
                return PersonFact(app: sighting.app, key: key, kind: kind, text: text, firstSeen: sighting.start)
            }
        }
    }

    private struct Sighting {
        let app: Int64
        let installation: UInt64
        let user: UInt64
        /// The start of its first quarter-hour.
        let start: Int64

        init(_ row: Row) {
            app = row.integer(0)
            installation = row.key(2)
            user = row.key(3)
            var bits = ActiveQuarters.Bits()
            (bits.early, bits.late) = (row.key(4), row.key(5))
            start = row.integer(1) * Day.milliseconds + Int64(bits.first) * QuarterHour.milliseconds
        }
    }

    /// Folds everything in key order, so each page of a B-tree is visited once.
    ///
    /// The main file comes first: writing a fact twice does no harm.
    mutating func fold(_ file: DayFile, into main: MainDB) throws {
        if rows == 0 { return }
        try main.connection.begin()
        try main.keepEarliest(people)
        try main.keepLatest(try file.db.lastSightings())
        try main.connection.commit()
        try file.db.connection.begin()
        try file.db.foldPresence()
        try file.db.connection.commit()
        self = Unfolded()
    }
}

extension DayDB {
    /// Folds the appended sightings into `actives`.
    func foldPresence() throws {
        try statement(
            """
            INSERT INTO actives (app, day, installation, user, early, late)
            SELECT app, day, installation, user, early, late FROM presence WHERE true ORDER BY app, day, installation, user
            ON CONFLICT DO UPDATE SET early = early | excluded.early, late = late | excluded.late
            """
        ).run()
        try statement("DELETE FROM presence").run()
    }
}
