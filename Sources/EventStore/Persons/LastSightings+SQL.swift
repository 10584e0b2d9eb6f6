// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// The sightings of a person that a file has not folded yet. An event's person is its user, else its installation.
struct LastSighting: Sendable {
    var app: Int64
    var key: UInt64
    var kind: IDRows.Kind
    var stay: PersonPresence.Stay
}

extension DayDB {
    /// Returns the sightings that are not folded yet, of an app or of all.
    func lastSightings(of app: AppID? = nil) throws -> [LastSighting] {
        let condition = app.map { "WHERE app = \($0.rawValue)" } ?? ""
        return try uncached("SELECT app, installation, user, day, early, late FROM presence \(condition)").all { row in
            let user = row.key(2)
            return LastSighting(
                app: row.integer(0), key: user != 0 ? user : row.key(1), kind: user != 0 ? .user : .installation,
                stay: PersonPresence.Stay(day: row.integer(3), early: row.key(4), late: row.key(5)))
        }
    }
}

extension MainDB {
    /// Stores the last sighting of each person.
    ///
    /// Persons of deleted apps and those that are being removed are skipped. Writing a sighting twice changes nothing.
    func keepLatest(_ sightings: [LastSighting]) throws {
        let apps = try existingApps()
        let leaving = Set(try statement("SELECT key FROM departures").all { $0.key(0) })
        var latest: [UInt64: LastSighting] = [:]
        for sighting in sightings where apps.contains(sighting.app) && !leaving.contains(sighting.key) {
            latest[sighting.key, default: sighting].stay.add(sighting.stay)
        }
        for sighting in latest.values.sorted(by: { $0.key < $1.key }) {
            try keepLatest(sighting.app, sighting.key, sighting.kind, sighting.stay.last)
        }
    }

    func keepLatest(_ app: Int64, _ key: UInt64, _ kind: IDRows.Kind, _ seen: Int64) throws {
        try statement(
            """
            INSERT INTO last_seen (app, key, kind, seen) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET seen = excluded.seen WHERE excluded.seen > seen
            """
        ).run(.integer(app), .key(key), .integer(kind.rawValue), .integer(seen))
    }
}
