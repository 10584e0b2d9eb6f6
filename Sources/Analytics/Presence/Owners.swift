// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform

/// The users that the installations of a presence table belong to, with the table's range as one period.
///
/// It is `Identity` by number. Presence knows times to the quarter-hour, so an installation that first named two users in the same one is
/// tied until the events decide.
struct Owners: Sendable {
    /// The number of each installation's user; 0 for none.
    private(set) var users: [UInt32]
    /// The time at which each installation named that user.
    private(set) var times: [Int64]
    /// The installations for which the table cannot tell the first user.
    private(set) var tied: Set<Int> = []
    /// The installations that the table alone left tied, also those that the events settled since.
    private(set) var unclear: Set<Int> = []

    /// - Parameter isExact: Whether the table's times are moments. Of two users named at the same one, that with the lesser key counts.
    init(_ table: PresenceTable, isExact: Bool) {
        users = [UInt32](repeating: 0, count: table.people.installations.count)
        times = [Int64](repeating: .max, count: table.people.installations.count)
        for (place, pair) in table.people.pairs.enumerated() where pair.user != 0 && pair.installation != 0 && table.isPresent(at: place) {
            let (installation, time) = (Int(pair.installation), table.firsts[place])
            if time > times[installation] { continue }
            if time < times[installation] {
                (users[installation], times[installation]) = (pair.user, time)
                if !tied.isEmpty { tied.remove(installation) }
            } else if !isExact {
                tied.insert(installation)
            } else if table.people.users.keys[Int(pair.user)] < table.people.users.keys[Int(users[installation])] {
                users[installation] = pair.user
            }
        }
        unclear = tied
    }

    /// Leaves out tied installations for which it does not matter.
    mutating func forgetTies(where isIrrelevant: (Int) -> Bool) {
        tied = tied.filter { !isIrrelevant($0) }
    }

    /// Settles a tie.
    mutating func settle(_ installation: Int, user: UInt32, at time: Int64) {
        (users[installation], times[installation]) = (user, time)
        tied.remove(installation)
    }
}

/// The presence of people: a line for each user, then one for each installation that belongs to none.
struct PeopleLines: Sendable {
    private(set) var lines: Lines
    /// The time at which each line's person was first seen; the largest integer if unknown, and empty if nobody asked.
    private(set) var firstSeen: [Int64]
    /// The number of users and no one, whose lines come first.
    private let users: Int

    init(_ table: PresenceTable, _ owners: Owners, _ known: FirstSeen? = nil) {
        users = table.people.users.count
        lines = Lines(buckets: table.buckets, count: users + table.people.installations.count)
        firstSeen = [Int64](repeating: .max, count: known == nil ? 0 : lines.count)
        let (present, pairs) = (table.lines, table.people.pairs)
        for place in 0..<table.count where table.isPresent(at: place) {
            let (pair, line) = (pairs[place], line(of: pairs[place], owners))
            lines.add(at: line, present, at: place)
            guard let known else { continue }
            let time = pair.user != 0 ? known.users[Int(pair.user)] : known.installations[Int(pair.installation)]
            if time < firstSeen[line] { firstSeen[line] = time }
        }
    }

    var count: Int { lines.count }

    /// Returns the line of a pair's person.
    func line(of pair: PeopleNumbers.Pair, _ owners: Owners) -> Int {
        if pair.user != 0 { return Int(pair.user) }
        let owner = owners.users[Int(pair.installation)]
        return owner != 0 ? Int(owner) : users + Int(pair.installation)
    }

    /// Returns the key of a line's person.
    func key(of line: Int, _ people: PeopleNumbers) -> UInt64 {
        line < users ? people.users.keys[line] : people.installations.keys[line - users]
    }

    /// Returns the lines by key, without empty ones.
    func byKey(_ people: PeopleNumbers) -> BitLines {
        var lines = BitLines(buckets: lines.buckets)
        for line in 0..<count where !self.lines.isEmpty(at: line) {
            let place = lines.place(of: key(of: line, people))
            self.lines.each(at: line) { lines.mark(at: place, $0) }
        }
        return lines
    }
}
