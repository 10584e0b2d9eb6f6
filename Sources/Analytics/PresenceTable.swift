// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The presence of people: a set of buckets for each pair of an installation and a user.
///
/// Active users, lifecycle and cohort retention are counted from this table rather than from events. Each pair has one bit per bucket. A
/// user of 0 means that the installation named none. Three hours, in which installation i names user a at 11:20:
///
///     pair     10  11  12    first
///     (i, 0)    1   1   0    10:00
///     (i, a)    0   1   0    11:15
///
///     people(identity)   a: 1 1 0        one period, so all of i belongs to a
///     census.total       1               a
///     census.counts      1 1 0           i at 10, a at 11 (each hour is its own period)
struct PresenceTable: Sendable {
    struct Pair: Sendable {
        var installation: UInt64
        var user: UInt64
        /// The start of the first quarter-hour, in milliseconds since 1970.
        var first: Int64 = .max

        /// The user, or the installation if there is no user.
        var own: UInt64 { user != 0 ? user : installation }
    }

    /// The limit in bytes: about four million pairs in up to 64 buckets, or 700,000 hour by hour over a quarter of a year.
    private static let limit = 256 << 20

    private(set) var pairs: [Pair] = []
    private var lines: BitLines

    var buckets: Int { lines.buckets }

    init(buckets: Int) {
        lines = BitLines(buckets: buckets)
    }

    mutating func mark(installation: UInt64, user: UInt64, bucket: Int, at time: Int64) throws(Refusal) {
        let place = try place(of: Pair(installation: installation, user: user))
        lines.mark(at: place, bucket)
        if time < pairs[place].first { pairs[place].first = time }
    }

    mutating func add(_ other: PresenceTable) throws(Refusal) {
        for (i, pair) in other.pairs.enumerated() {
            let place = try place(of: pair)
            lines.add(pair.key, from: other.lines, at: i)
            if pair.first < pairs[place].first { pairs[place].first = pair.first }
        }
    }

    private mutating func place(of pair: Pair) throws(Refusal) -> Int {
        let place = lines.place(of: pair.key)
        if place == pairs.count {
            pairs.append(pair)
            guard lines.bytes + pairs.count * MemoryLayout<Pair>.stride <= PresenceTable.limit else { throw .tooManyPeople }
        }
        return place
    }

    func contains(at place: Int, _ bucket: Int) -> Bool { lines.contains(at: place, bucket) }
    func each(at place: Int, _ body: (Int) -> Void) { lines.each(at: place, body) }

    /// Returns the buckets of each person, with all of the table as one period.
    func people(_ identity: Identity) -> BitLines {
        var people = BitLines(buckets: buckets)
        for (place, pair) in pairs.enumerated() {
            people.add(identity.person(user: pair.user, installation: pair.installation), from: lines, at: place)
        }
        return people
    }

    /// The table split by kind of presence, for counts that need no identity.
    var census: Census {
        var census = Census(users: BitLines(buckets: buckets), anonymous: BitLines(buckets: buckets), named: BitLines(buckets: buckets))
        for (place, pair) in pairs.enumerated() {
            if pair.user == 0 {
                census.anonymous.add(pair.installation, from: lines, at: place)
            } else {
                census.users.add(pair.user, from: lines, at: place)
                if pair.installation != 0 { census.named.add(pair.installation, from: lines, at: place) }
            }
        }
        return census
    }
}

extension PresenceTable.Pair {
    /// A hash of the pair, never 0. Both halves are hashes already; they are mixed so that a pair differs from its mirror image.
    fileprivate var key: UInt64 {
        let mixed = (installation ^ user &* 0x9e37_79b9_7f4a_7c15) &* 0xff51_afd7_ed55_8ccd
        let folded = mixed ^ mixed >> 32
        return folded == 0 ? 1 : folded
    }
}

/// Different people of a presence table, counted without resolving identities.
///
/// In a period in which an installation named a user, that user is present anyway, so the installation adds nobody. The number of people is
/// therefore the number of users plus that of installations that named no user in the period. This holds for all windows at once, without
/// an `Identity` for each.
struct Census: Sendable {
    var users: BitLines
    var anonymous: BitLines
    var named: BitLines

    /// Returns the number of different people of each bucket's window, which is the bucket and the `window - 1` before it.
    ///
    /// The presence of each key becomes ranges of windows, and their boundaries are added up as differences, so the time does not depend on
    /// the window.
    func counts(window: Int) -> [Int] {
        var changes = [Int](repeating: 0, count: users.buckets + 1)
        func count(_ range: Range<Int>, _ change: Int) {
            changes[range.lowerBound] += change
            changes[range.upperBound] -= change
        }
        for place in users.keys.indices { users.eachWindow(window, at: place) { count($0, 1) } }
        for (place, installation) in anonymous.keys.enumerated() {
            anonymous.eachWindow(window, at: place) { count($0, 1) }
            guard let other = named.known(installation) else { continue }
            // Windows in which the installation also named a user are subtracted, because the user counts for it.
            var alone: [Range<Int>] = []
            anonymous.eachWindow(window, at: place) { alone.append($0) }
            named.eachWindow(window, at: other) { named in
                for range in alone {
                    let both = range.clamped(to: named)
                    if !both.isEmpty { count(both, -1) }
                }
            }
        }
        var (counts, sum) = ([Int](), 0)
        for change in changes.dropLast() {
            sum += change
            counts.append(sum)
        }
        return counts
    }

    /// The number of different people if all buckets are one period.
    var total: Int {
        users.keys.count + anonymous.keys.count { named.known($0) == nil }
    }
}
