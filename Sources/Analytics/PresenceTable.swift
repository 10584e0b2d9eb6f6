// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// Who was there in which of some buckets: a line for each pair of an installation and a user, 0 where there is none.
///
/// A person is a user, or an installation while it names no user. Within a period an installation's presence without a user belongs
/// to the user it named earliest there.
struct PresenceTable: Sendable {
    struct Pair: Sendable {
        var installation: UInt64
        var user: UInt64
        /// The earliest quarter-hour, in milliseconds.
        var first: Int64 = .max

        /// The user, or the installation where there is none.
        var own: UInt64 { user != 0 ? user : installation }
    }

    /// Some four million pairs in up to 64 buckets, 700,000 hour by hour over a quarter of a year.
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

    /// Everybody's buckets where all of it is one period and installations belong to users as `identity` says.
    func people(_ identity: Identity) -> BitLines {
        var people = BitLines(buckets: buckets)
        for (place, pair) in pairs.enumerated() {
            people.add(identity.person(user: pair.user, installation: pair.installation), from: lines, at: place)
        }
        return people
    }

    /// Users, installations without one, and those same installations where they did name one.
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
    /// The two are hashes already; mixed so that a pair is not its mirror image. Never 0.
    fileprivate var key: UInt64 {
        let mixed = (installation ^ user &* 0x9e37_79b9_7f4a_7c15) &* 0xff51_afd7_ed55_8ccd
        let folded = mixed ^ mixed >> 32
        return folded == 0 ? 1 : folded
    }
}

/// Everybody of a presence table, counted without knowing who is who: in any period in which an installation named a user, that user
/// was there too.
struct Census: Sendable {
    var users: BitLines
    var anonymous: BitLines
    var named: BitLines

    /// Different people of each bucket together with those before it that make up a window.
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
            // Where it also named a user, that user stands for it.
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

    /// Different people where all of it is one period.
    var total: Int {
        users.keys.count + anonymous.keys.count { named.known($0) == nil }
    }
}
