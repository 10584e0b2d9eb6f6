// SPDX-License-Identifier: Apache-2.0

import Events

/// The people that sealed files show in a range of up to 64 buckets, and sums over them.
///
/// A person is a word with a bit for each bucket. Only people of the open day's file (`OpenPeople`) are counted again by a query:
///
///     sealed    ann 0b0011    among the sums: new in bucket 0, returning in 1, dormant in 2
///     open      ann 0b0100
///     query     the sums without ann 0b0011 and with ann 0b0111
///
/// An installation with an owner has its word without a user twice: its own, which does not count, and in that of its owner.
struct SealedPeople: Sendable {
    static let bucketsLimit = 64

    let buckets: TimeBuckets
    let firstBuckets: FirstBuckets
    /// The owners of installations, by the sealed files alone.
    let owners: Owners
    private(set) var words: [UInt64]
    /// The bucket in which each person was first seen, as `FirstBuckets.place`.
    private(set) var firsts: [Int16]
    /// The number of people.
    private(set) var count = 0
    private var known: [PersonFigure: [Int]] = [:]

    var bytes: Int { words.count * 10 + owners.users.count * 12 }

    init(_ table: PresenceTable, _ owners: Owners, _ seen: FirstSeen, _ buckets: TimeBuckets) {
        (self.buckets, self.owners, firstBuckets) = (buckets, owners, FirstBuckets(buckets))
        let size = 2 * max(table.people.users.count, table.people.installations.count)
        words = [UInt64](repeating: 0, count: size)
        firsts = [Int16](repeating: .max, count: size)
        let (present, pairs) = (table.lines.words, table.people.pairs)
        for place in 0..<table.count where present[place] != 0 {
            let (user, installation) = (Int(pairs[place].user), Int(pairs[place].installation))
            if user != 0 {
                add(present[place], to: SealedPeople.line(user: user), firstBuckets.place(of: seen.users[user]))
                continue
            }
            let first = firstBuckets.place(of: seen.installations[installation])
            add(present[place], to: SealedPeople.line(installation: installation), first)
            let owner = Int(owners.users[installation])
            if owner != 0 { add(present[place], to: SealedPeople.line(user: owner), first) }
        }
        count = words.indices.count { isPerson($0) }
    }

    static func line(user: Int) -> Int { 2 * user }
    static func line(installation: Int) -> Int { 2 * installation + 1 }

    private mutating func add(_ word: UInt64, to line: Int, _ first: Int16) {
        words[line] |= word
        firsts[line] = min(firsts[line], first)
    }

    /// Returns the number of an installation's user; 0 for none.
    func owner(of installation: Int) -> Int {
        installation < owners.users.count ? Int(owners.users[installation]) : 0
    }

    func word(at line: Int) -> UInt64 { line < words.count ? words[line] : 0 }
    func first(at line: Int) -> Int16 { line < firsts.count ? firsts[line] : .max }

    /// Whether a line counts: it is present, and no installation that belongs to a user.
    func isPerson(_ line: Int) -> Bool {
        words[line] != 0 && (line & 1 == 0 || owner(of: line >> 1) == 0)
    }

    /// Returns the sums of a figure over these people. They are counted once.
    mutating func sums(of figure: PersonFigure) -> [Int] {
        if let sums = known[figure] { return sums }
        var sums = [Int](repeating: 0, count: figure.count(buckets: buckets.count))
        for line in words.indices where isPerson(line) { figure.add(words[line], first: firsts[line], to: &sums, buckets.count) }
        known[figure] = sums
        return sums
    }

    /// Notes that a person was seen earlier than was known.
    mutating func lower(_ person: FirstSeen.Person, _ seen: FirstSeen) {
        if person.isUser {
            return lower(SealedPeople.line(user: person.number), to: firstBuckets.place(of: seen.users[person.number]))
        }
        let first = firstBuckets.place(of: seen.installations[person.number])
        lower(SealedPeople.line(installation: person.number), to: first)
        let owner = owner(of: person.number)
        if owner != 0, word(at: SealedPeople.line(installation: person.number)) != 0 { lower(SealedPeople.line(user: owner), to: first) }
    }

    private mutating func lower(_ line: Int, to first: Int16) {
        guard word(at: line) != 0, first < firsts[line] else { return }
        if isPerson(line) {
            for figure in known.keys {
                figure.add(words[line], first: firsts[line], times: -1, to: &known[figure, default: []], buckets.count)
                figure.add(words[line], first: first, to: &known[figure, default: []], buckets.count)
            }
        }
        firsts[line] = first
    }
}

extension PersonFigure {
    /// Adds a person with a word of buckets.
    func add(_ word: UInt64, first: Int16, times: Int = 1, to sums: inout [Int], _ buckets: Int) {
        add(first: first < 0 || first == .max ? nil : Int(first), times: times, to: &sums, buckets: buckets) { body in
            var rest = word
            while rest != 0 {
                body(rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
