// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Platform
import SQLite

extension MainDB {
    /// Notes who is leaving.
    package func keep(_ departure: Departure) throws {
        var salt: UInt64 = 0
        if case .anonymity(let made, _) = departure.kind { salt = made }
        let insert = try statement(
            "INSERT OR REPLACE INTO departures (app, person, key, kind, id, salt) VALUES (?, ?, ?, ?, ?, ?)")
        for member in departure.members {
            let kind: IDRows.Kind = member.kind == .user ? .user : .installation
            try insert.run(
                .integer(departure.app.rawValue), .key(departure.person), .key(member.key), .integer(kind.rawValue), .text(member.id), .key(salt))
        }
    }

    /// Forgets who was leaving: they have left.
    package func forget(_ departure: Departure) throws {
        try statement("DELETE FROM departures WHERE app = ? AND person = ?").run(.integer(departure.app.rawValue), .key(departure.person))
    }

    package func block(_ keys: Set<UInt64>, _ departure: Departure, now: Timestamp) throws {
        let insert = try statement("INSERT OR REPLACE INTO blocked (app, key, person, since) VALUES (?, ?, ?, ?)")
        for key in keys {
            try insert.run(.integer(departure.app.rawValue), .key(key), .key(departure.person), .integer(now.milliseconds))
        }
    }

    func isBlocked(_ keys: [UInt64]) throws -> Bool {
        let find = try statement("SELECT 1 FROM blocked WHERE key = ?")
        return try keys.contains { try find.first(.key($0)) { _ in true } == true }
    }

    /// What is known of the person besides events; whoever stays under a new key keeps the time of the first sight, for figures of new
    /// people to stay as they are.
    package func removeProfile(_ departure: Departure, unfolded: [PersonFact]) throws -> DepartureReport {
        let report = try profileReport(departure)
        let (app, list) = (departure.app.rawValue, departure.keys.all.list)
        if case .anonymity = departure.kind { try keepEarliest(try newPeople(departure, unfolded)) }
        try uncached("DELETE FROM people WHERE app = \(app) AND key IN \(list)").run()
        try uncached("DELETE FROM properties WHERE app = \(app) AND person IN \(list)").run()
        try uncached("DELETE FROM aliases WHERE app = \(app) AND (user IN \(list) OR installation IN \(list))").run()
        return report
    }

    private func newPeople(_ departure: Departure, _ unfolded: [PersonFact]) throws -> [PersonFact] {
        let sql = "SELECT key, kind, first_seen FROM people WHERE app = \(departure.app.rawValue) AND key IN \(departure.keys.all.list)"
        let known = try uncached(sql).all { row in
            PersonFact(
                app: departure.app.rawValue, key: row.key(0), kind: IDRows.Kind(rawValue: row.integer(1)) ?? .user, text: [],
                firstSeen: row.integer(2))
        }
        return (known + unfolded.filter { departure.keys.all.contains($0.key) }).map { fact in
            var fact = fact
            (fact.key, fact.text) = (departure.newKey(for: fact.key) ?? fact.key, [])
            return fact
        }
    }

    package func profileReport(_ departure: Departure) throws -> DepartureReport {
        let (app, list) = (departure.app.rawValue, departure.keys.all.list)
        var report = DepartureReport()
        report.installations = departure.keys.installations.count - (departure.keys.user == 0 ? 1 : 0)
        report.properties =
            try uncached("SELECT count(*) FROM properties WHERE app = \(app) AND person IN \(list) AND value IS NOT NULL").first { $0.int(0) } ?? 0
        report.pairs =
            try uncached("SELECT count(*) FROM aliases WHERE app = \(app) AND (user IN \(list) OR installation IN \(list))").first { $0.int(0) } ?? 0
        return report
    }
}

extension DayDB {
    /// How much a day's file has of the person.
    package func survey(_ departure: Departure) throws -> DepartureReport {
        var report = DepartureReport()
        report.quarantined = try quarantined(departure.keys, departure.texts, through: .max).count
        guard try holdsEvents(of: departure.keys) else { return report }
        let sql = """
            SELECT count(*), count(p.seq) FROM events e NOT INDEXED LEFT JOIN purchases p USING (seq)
            WHERE \(departure.keys.condition(on: "e."))
            """
        try uncached(sql).each([]) { (report.events, report.purchases) = ($0.int(0), $0.int(1)) }
        return report
    }
}
