// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform
import SQLite

/// The search for one page.
final class PersonList {
    private struct Candidate {
        var key: UInt64
        var place: PersonSelection.Place
        /// Nil if it was not read, or the main file does not have it.
        var id: String?
    }

    private let main: MainDB
    private let session: ReadSession
    private let selection: PersonSelection
    private let app: AppID
    private let recent: RecentPersons
    /// The number of persons whose properties one page compares, so that a page takes some hundredth of a second.
    static let examined = 5_000

    init(_ main: MainDB, _ session: ReadSession, _ selection: PersonSelection, _ app: AppID, _ recent: RecentPersons) {
        (self.main, self.session, self.selection, self.app, self.recent) = (main, session, selection, app, recent)
    }

    func page() throws -> PersonPage {
        let candidates = try selection.prefix.map { try Merge(byID($0).next, recentByID($0).next) } ?? Merge(bySeen().next, recentBySeen().next)
        var found: [Candidate] = []
        var last: PersonSelection.Place?
        var examined = 0
        while let candidate = try candidates.next() {
            guard found.count < selection.limit, examined < PersonList.examined else {
                return PersonPage(items: try items(found), next: last)
            }
            (last, examined) = (candidate.place, examined + 1)
            if try passes(candidate.key) { found.append(candidate) }
        }
        return PersonPage(items: try items(found), next: nil)
    }

    /// Returns the persons with their IDs. One whose ID is gone meanwhile is left out.
    private func items(_ found: [Candidate]) throws -> [(id: PersonID, profile: PersonProfile)] {
        var ids: [UInt64: String] = [:]
        for candidate in found { ids[candidate.key] = try candidate.id ?? knownID(candidate.key) }
        let texts = try recentTexts(of: Set(found.map(\.key).filter { ids[$0] == nil }))
        return try found.compactMap { candidate in
            guard let id = ids[candidate.key] ?? texts[candidate.key] else { return nil }
            return (PersonID(selection.kind, id), try profile(of: candidate.key))
        }
    }

    func profile(of key: UInt64) throws -> PersonProfile {
        var profile = try main.profile(of: key, app: app) ?? PersonProfile()
        let stay = recent.stay(of: key)
        profile.firstSeen = [profile.firstSeen, stay.map { Timestamp(milliseconds: $0.first) }].compactMap(\.self).min()
        profile.lastSeen = [try lastSeen(key), stay?.last].compactMap(\.self).max().map { Timestamp(milliseconds: $0) }
        return profile
    }

    private func lastSeen(_ key: UInt64) throws -> Int64? {
        try main.statement("SELECT seen FROM last_seen WHERE app = ? AND key = ?").first(.integer(app.rawValue), .key(key)) { $0.integer(0) }
    }

    private func passes(_ key: UInt64) throws -> Bool {
        try selection.filters.allSatisfy { filter in
            guard case .user(let name) = filter.path else { return false }
            let find = try main.statement("SELECT value FROM properties WHERE app = ? AND person = ? AND name = ? AND value IS NOT NULL")
            let json = try find.first(.integer(app.rawValue), .key(key), .text(name)) { $0.bytes(0) }
            return filter.holds(json.flatMap(ParamText.plain))
        }
    }

    // MARK: By last sighting

    private func bySeen() throws -> Rows {
        let (seen, key): (Int64, Int64) = if case .seen(let seen, let key)? = selection.after { (seen, key) } else { (.max, .max) }
        // With filters most persons are not in the page, so their IDs are not read.
        let (id, join) =
            selection.filters.isEmpty ? ("p.id", "CROSS JOIN people p ON p.app = s.app AND p.key = s.key AND p.id != ''") : ("NULL", "")
        let rows = try main.uncached(
            """
            SELECT s.seen, s.key, \(id) FROM last_seen s INDEXED BY persons_by_last_seen \(join)
            WHERE s.app = ? AND s.kind = ? AND (s.seen, s.key) < (?, ?) ORDER BY s.seen DESC, s.key DESC
            """)
        try rows.start([.integer(app.rawValue), .integer(kind), .integer(seen), .integer(key)])
        return Rows(rows) { [recent] row in
            // A person who was seen again since is in the other list.
            if let stay = recent.stay(of: row.key(1)), stay.last > row.integer(0) { return nil }
            return Candidate(key: row.key(1), place: .seen(row.integer(0), key: row.integer(1)), id: row.optionalText(2))
        }
    }

    private func recentBySeen() throws -> Recents<(last: Int64, key: Int64)> {
        let (seen, key): (Int64, Int64) = if case .seen(let seen, let key)? = selection.after { (seen, key) } else { (.max, .max) }
        let people = try recentKeys().compactMap { key in recent.stay(of: key).map { (last: $0.last, key: Int64(bitPattern: key)) } }
            .filter { ($0.last, $0.key) < (seen, key) }.sorted { ($1.last, $1.key) < ($0.last, $0.key) }
        return Recents(people) { [self] person in
            let key = UInt64(bitPattern: person.key)
            guard try lastSeen(key) ?? .min < person.last else { return nil }
            return Candidate(key: key, place: .seen(person.last, key: person.key))
        }
    }

    private var kind: Int64 { (selection.kind == .user ? IDRows.Kind.user : .installation).rawValue }

    /// The recently seen persons, without those that are being removed.
    private func recentKeys() throws -> [UInt64] {
        let leaving = Set(try main.statement("SELECT key FROM departures WHERE app = ?").all(.integer(app.rawValue)) { $0.key(0) })
        return recent.keys(selection.kind).filter { !leaving.contains($0) }
    }

    private func knownID(_ key: UInt64) throws -> String? {
        try main.statement("SELECT id FROM people WHERE app = ? AND key = ? AND id != ''").first(.integer(app.rawValue), .key(key)) { $0.text(0) }
    }

    // MARK: By ID

    private func byID(_ prefix: String) throws -> Rows {
        let start = if case .id(let id)? = selection.after { (id, ">") } else { (prefix, ">=") }
        let rows = try main.uncached(
            "SELECT id, key FROM people INDEXED BY people_by_id WHERE app = ? AND kind = ? AND id \(start.1) ? ORDER BY id")
        try rows.start([.integer(app.rawValue), .integer(kind), .text(start.0)])
        return Rows(rows, while: { $0.text(0).utf8.starts(with: prefix.utf8) }) { row in
            Candidate(key: row.key(1), place: .id(row.text(0)), id: row.text(0))
        }
    }

    private func recentByID(_ prefix: String) throws -> Recents<(key: UInt64, value: String)> {
        let after = if case .id(let id)? = selection.after { id } else { "" }
        let people = try recentTexts(of: Set(recentKeys().filter { try knownID($0) == nil })).filter {
            $0.value.utf8.starts(with: prefix.utf8) && after.utf8.lexicographicallyPrecedes($0.value.utf8)
        }
        .sorted { $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) }
        return Recents(people) { person in Candidate(key: person.key, place: .id(person.value), id: person.value) }
    }

    /// Returns the IDs of persons that the main file does not have yet. They are among the last texts of their day's file.
    private func recentTexts(of keys: Set<UInt64>) throws -> [UInt64: String] {
        var missing = keys
        var texts: [UInt64: String] = [:]
        for day in try session.days().suffix(2).reversed() where !missing.isEmpty {
            guard let rows = try session.day(day)?.uncached("SELECT key, id FROM ids ORDER BY rowid DESC") else { continue }
            try rows.start([])
            while !missing.isEmpty, let row = try rows.next() {
                if missing.remove(row.key(0)) != nil { texts[row.key(0)] = row.text(1) }
            }
        }
        return texts
    }

    // MARK: Merging

    /// The candidates of a statement's rows.
    private final class Rows {
        private let statement: Statement
        private let isWanted: (Row) -> Bool
        private let candidate: (Row) -> Candidate?
        private var isOver = false

        init(_ statement: Statement, while isWanted: @escaping (Row) -> Bool = { _ in true }, _ candidate: @escaping (Row) -> Candidate?) {
            (self.statement, self.isWanted, self.candidate) = (statement, isWanted, candidate)
        }

        func next() throws -> Candidate? {
            while !isOver, let row = try statement.next(), isWanted(row) {
                if let found = candidate(row) { return found }
            }
            isOver = true
            return nil
        }
    }

    /// The candidates of recently seen persons. Each is looked up when a page comes to it, as there may be many.
    private final class Recents<Person> {
        private var people: ArraySlice<Person>
        private let candidate: (Person) throws -> Candidate?

        init(_ people: [Person], _ candidate: @escaping (Person) throws -> Candidate?) {
            (self.people, self.candidate) = (people[...], candidate)
        }

        func next() throws -> Candidate? {
            while let person = people.popFirst() {
                if let found = try candidate(person) { return found }
            }
            return nil
        }
    }

    /// Rows and recently seen persons in one order.
    private final class Merge {
        private let rows: () throws -> Candidate?
        private let recents: () throws -> Candidate?
        private var row: Candidate?
        private var recent: Candidate?

        init(_ rows: @escaping () throws -> Candidate?, _ recents: @escaping () throws -> Candidate?) throws {
            (self.rows, self.recents) = (rows, recents)
            (row, recent) = (try rows(), try recents())
        }

        func next() throws -> Candidate? {
            if let found = recent, row.map({ found.place.isBefore($0.place) }) ?? true {
                recent = try recents()
                return found
            }
            let found = row
            if found != nil { row = try rows() }
            return found
        }
    }
}

extension PersonSelection.Place {
    /// Whether a list shows this place first: the newest sighting, or the lesser ID.
    fileprivate func isBefore(_ other: PersonSelection.Place) -> Bool {
        switch (self, other) {
        case (.seen(let seen, let key), .seen(let otherSeen, let otherKey)): (otherSeen, otherKey) < (seen, key)
        case (.id(let id), .id(let other)): id.utf8.lexicographicallyPrecedes(other.utf8)
        default: false
        }
    }
}
