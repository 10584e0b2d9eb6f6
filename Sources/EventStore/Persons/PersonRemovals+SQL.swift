// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
import Events
package import Platform
import SQLite

extension MainDB {
    /// Records the keys, texts and salt of a person whose erasure begins.
    ///
    /// An erasure has a transaction per file, or several, so a kill can cut it short. The rows of `departures` make it repeatable: the next
    /// attempt reads them and finds the same rows, although the profile is gone, and gives anonymised events the same new keys. Example, a
    /// user u with an installation i:
    ///
    ///     1  main.db        departures (u, i); the profile is removed; u and i are blocked if requested       one transaction
    ///     2  messages.db, crashes.db
    ///     3  today's file   up to 5,000 rows at a time with their counts (`RowsToRemove`)                       a transaction each
    ///     4  sealed days    the same, through `SealedDays`
    ///     5  companions     the write-ahead logs are emptied
    ///     6  main.db        departures (u, i) is removed; the logs of events are emptied
    ///
    ///     a kill in step 4: the file's transaction is rolled back; the next attempt finds u and i in `departures`, removes what is left
    ///     and comes to step 6
    ///
    /// `Stores.erase` in the module AcrossStores runs the steps. Invariant: after each transaction, the counts of a file agree with its
    /// rows.
    func keep(_ removal: PersonRemoval) throws {
        var salt: UInt64 = 0
        if case .anonymity(let made, _) = removal.kind { salt = made }
        let insert = try statement(
            "INSERT OR REPLACE INTO departures (app, person, key, kind, id, salt) VALUES (?, ?, ?, ?, ?, ?)")
        for member in removal.members {
            let kind: IDRows.Kind = member.kind == .user ? .user : .installation
            try insert.run(
                .integer(removal.app.rawValue), .key(removal.person), .key(member.key), .integer(kind.rawValue), .text(member.id), .key(salt))
        }
    }

    /// Returns the keys and the salt that an interrupted attempt stored.
    package func unfinishedRemoval(of person: UInt64, app: AppID) throws -> (members: [PersonRemoval.Member], salt: UInt64?) {
        var salt: UInt64?
        let rows = try statement("SELECT key, kind, id, salt FROM departures WHERE app = ? AND person = ?").all(.integer(app.rawValue), .key(person))
        {
            if $0.key(3) != 0 { salt = $0.key(3) }
            return ($0.key(0), $0.integer(1), $0.text(2))
        }
        return (rows.map { PersonRemoval.Member(key: $0, kind: $1 == IDRows.Kind.user.rawValue ? .user : .installation, id: $2) }, salt)
    }

    /// Removes the record of an erasure that is complete.
    func forget(_ removal: PersonRemoval) throws {
        try statement("DELETE FROM departures WHERE app = ? AND person = ?").run(.integer(removal.app.rawValue), .key(removal.person))
    }

    /// Blocks keys of the person: later events with them are rejected.
    func block(_ keys: Set<UInt64>, _ removal: PersonRemoval, now: Timestamp) throws {
        let insert = try statement("INSERT OR REPLACE INTO blocked (app, key, person, since) VALUES (?, ?, ?, ?)")
        for key in keys {
            try insert.run(.integer(removal.app.rawValue), .key(key), .key(removal.person), .integer(now.milliseconds))
        }
    }

    /// Returns false if the person was not blocked.
    func unblock(_ person: UInt64, of app: AppID) throws -> Bool {
        try statement("DELETE FROM blocked WHERE app = ?1 AND (key = ?2 OR person = ?2)").run(.integer(app.rawValue), .key(person))
        return changes > 0
    }

    func isBlocked(_ keys: [UInt64]) throws -> Bool {
        let find = try statement("SELECT 1 FROM blocked WHERE key = ?")
        return try keys.contains { try find.first(.key($0)) { _ in true } == true }
    }

    /// Removes a person's profile from the main file.
    ///
    /// An anonymised person keeps the first sighting under the new key, so figures of new users stay the same.
    func removeProfile(_ removal: PersonRemoval, unfolded: [PersonFact]) throws -> RemovalCounts {
        let counts = try profileCounts(removal)
        let (app, list) = (removal.app.rawValue, removal.keys.all.list)
        if case .anonymity = removal.kind { try keepEarliest(try newPeople(removal, unfolded)) }
        try uncached("DELETE FROM people WHERE app = \(app) AND key IN \(list)").run()
        try uncached("DELETE FROM last_seen WHERE app = \(app) AND key IN \(list)").run()
        try uncached("DELETE FROM properties WHERE app = \(app) AND person IN \(list)").run()
        try uncached("DELETE FROM aliases WHERE app = \(app) AND (user IN \(list) OR installation IN \(list))").run()
        return counts
    }

    private func newPeople(_ removal: PersonRemoval, _ unfolded: [PersonFact]) throws -> [PersonFact] {
        let sql = "SELECT key, kind, first_seen FROM people WHERE app = \(removal.app.rawValue) AND key IN \(removal.keys.all.list)"
        let known = try uncached(sql).all { row in
            PersonFact(
                app: removal.app.rawValue, key: row.key(0), kind: IDRows.Kind(rawValue: row.integer(1)) ?? .user, text: [],
                firstSeen: row.integer(2))
        }
        return (known + unfolded.filter { removal.keys.all.contains($0.key) }).map { fact in
            var fact = fact
            (fact.key, fact.text) = (removal.newKey(for: fact.key) ?? fact.key, [])
            return fact
        }
    }

    /// Returns how much of the profile would be removed.
    func profileCounts(_ removal: PersonRemoval) throws -> RemovalCounts {
        let (app, list) = (removal.app.rawValue, removal.keys.all.list)
        var counts = RemovalCounts()
        counts[.installations] = removal.keys.installations.count - (removal.keys.user == 0 ? 1 : 0)
        counts[.properties] =
            try uncached("SELECT count(*) FROM properties WHERE app = \(app) AND person IN \(list) AND value IS NOT NULL").first { $0.int(0) } ?? 0
        counts[.pairs] =
            try uncached("SELECT count(*) FROM aliases WHERE app = \(app) AND (user IN \(list) OR installation IN \(list))").first { $0.int(0) } ?? 0
        return counts
    }
}

extension MainDB {
    /// Deletes an app's counts of people, except those of days whose rows data retention has deleted, which could not be counted again.
    func dropPeopleCounts(of app: AppID) throws {
        try statement(
            """
            DELETE FROM people_counts WHERE app = ?1 AND NOT EXISTS (
                SELECT 1 FROM history h WHERE h.app = ?1 AND h.metric = ?2 AND h.grain = ?3
                AND h.bucket BETWEEN start / 86400000 AND (end - 1) / 86400000)
            """
        ).run(integers: [app.rawValue, RollupMetric.events.rawValue, Grain.day.rawValue])
    }
}

extension DayDB {
    /// Returns how many rows of the person a day's file has.
    func survey(_ removal: PersonRemoval) throws -> RemovalCounts {
        var counts = RemovalCounts()
        counts[.quarantined] = try quarantined(removal.keys, removal.texts, through: .max).count
        guard try holdsEvents(of: removal.keys) else { return counts }
        try source(EventRequest(removal.app, .purchase, where: [.person(removal.keys)]), withdrawn: .included).eachBatch { batch in
            counts[.events] += batch.count
            counts[.purchases] += batch.purchases.count { $0 != nil }
        }
        return counts
    }
}
