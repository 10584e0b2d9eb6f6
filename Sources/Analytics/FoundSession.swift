// SPDX-License-Identifier: Apache-2.0

import EventStore

/// A session that begins in a query's range.
package struct FoundSession: Sendable {
    package var bucket: Int
    /// The key of the person, or a number if the sums expect numbers.
    package var person: UInt64
    var length: Int64
    var isEngaged: Bool
    package var hasCrash: Bool
    /// Whether it is only a crash outside of any session.
    package var isOnlyCrash: Bool
    /// The code of the session's value; 0 for none.
    package var value: UInt32
}

/// Counts of sessions, first of those of some subjects and then of all.
package protocol SessionSums: Sendable {
    /// Prepares for sessions whose people are numbers instead of keys.
    mutating func expectNumbers()
    mutating func add(_ session: FoundSession)
    /// Adds the sessions of other subjects.
    mutating func join(_ other: Self)
}

/// The sum of a session's events or parts.
struct SessionSum {
    var first = Int64.max
    var last = Int64.min
    /// The screen views of events, or those of parts.
    var screens = 0
    var views = ViewNumbers()
    var hasPurchase = false
    var hasCrash = false
    var isOnlyCrash = true
    /// Whether an event of the session matches the query.
    var passes = false
    /// The user that it named earliest; 0 for none.
    var namedUser: UInt64 { user }
    private var user: UInt64 = 0
    private var userTime = Int64.max
    private var passedAt = Int64.max
    private var value: UInt32 = 0
    /// Other values of matches at the same time.
    private var others: [UInt32] = []

    var isEngaged: Bool { last - first > 10_000 || screens >= 2 || views.count >= 2 || hasPurchase }

    mutating func extend(_ first: Int64, _ last: Int64) {
        (self.first, self.last) = (min(self.first, first), max(self.last, last))
    }

    /// Notes a user that the session names. The earliest counts, and of several at the same time the one with the least key.
    mutating func name(_ user: UInt64, at time: Int64) {
        if user != 0, self.user == 0 || (time, user) < (userTime, self.user) { (self.user, userTime) = (user, time) }
    }

    /// Notes a match and its value, a code.
    mutating func pass(_ value: UInt32, at time: Int64) {
        passes = true
        if time < passedAt {
            (passedAt, self.value) = (time, value)
            if !others.isEmpty { others = [] }
        } else if time == passedAt, value != self.value, !others.contains(value) {
            others.append(value)
        }
    }

    /// Returns the code of the value of the first match; the least value if several have the same time, 0 for none.
    func value(_ table: ValueTable) -> UInt32 {
        if others.isEmpty { return value }
        let values = (others + [value]).filter { $0 != 0 }
        return values.min { (table[$0] ?? []).lexicographicallyPrecedes(table[$1] ?? []) } ?? 0
    }

    /// Returns the person that the session counts for: the user it names, else the person of its subject in the query's range.
    func person(of subject: UInt64, _ owners: SubjectOwners) -> UInt64 {
        user != 0 ? user : owners.person(of: subject)
    }
}

/// Numbers of people, so that different ones are counted in lists of numbers.
package struct PersonNumbers: Sendable {
    private var numbers = KeyTable(capacityBits: 10)
    private var keys: [UInt64] = []
    /// The person asked for last. A person's sessions often come one after the other.
    private var last: (key: UInt64, number: UInt32) = (0, 0)
    /// The list in which each number was last seen.
    private var marks: [UInt32] = []
    private var lists: UInt32 = 0
    /// Whether people already are numbers.
    private var areNumbered = false

    package init() {}

    package mutating func expectNumbers() { areNumbered = true }

    package mutating func number(of person: UInt64) -> UInt32 {
        if areNumbered { return UInt32(truncatingIfNeeded: person) }
        if person == last.key { return last.number }
        let number = numbers[person] ?? UInt32(truncatingIfNeeded: keys.count)
        if number == keys.count {
            numbers.set(person, number)
            keys.append(person)
        }
        last = (person, number)
        return number
    }

    /// Adds other people. Returns their numbers here, by their numbers there.
    package mutating func add(_ other: PersonNumbers) -> [UInt32] {
        precondition(!areNumbered, "people with numbers need no others")
        var numbers: [UInt32] = []
        numbers.reserveCapacity(other.keys.count)
        for key in other.keys { numbers.append(number(of: key)) }
        return numbers
    }

    /// Returns how many different numbers are in some lists.
    package mutating func different(in lists: some Sequence<[UInt32]>) -> Int {
        if marks.count < keys.count { marks += [UInt32](repeating: 0, count: keys.count - marks.count) }
        self.lists += 1
        var different = 0
        for list in lists {
            if areNumbered, let most = list.max().map(Int.init), most >= marks.count {
                marks += [UInt32](repeating: 0, count: most + 1 - marks.count)
            }
            for number in list where marks[Int(number)] != self.lists {
                marks[Int(number)] = self.lists
                different += 1
            }
        }
        return different
    }
}

/// Numbers for pairs of a value's code and a bucket, in the order of their first use, so that sums by pair are an array.
package struct CellNumbers: Sendable {
    package struct Cell: Sendable {
        package var value: UInt32
        package var bucket: Int
    }

    /// The limit of places in arrays. Pairs of further values are found by a hash, as there may be many values of few pairs.
    private static let limit = 1 << 20

    /// The pairs by number.
    package private(set) var cells: [Cell] = []
    private let buckets: Int
    /// The number of each pair plus one, by value; 0 for none. Empty for values whose pairs are in `others`.
    private var dense: [[UInt32]] = []
    private var denseCount = 0
    private var others: [UInt64: UInt32] = [:]

    package init(buckets: Int) {
        self.buckets = buckets
    }

    /// Returns the number of a pair, which is the count of `cells` before for a new one.
    package mutating func number(_ value: UInt32, _ bucket: Int) -> Int {
        while dense.count <= Int(value) { dense.append(newLine()) }
        let isDense = !dense[Int(value)].isEmpty
        let key = UInt64(value) << 32 | UInt64(bucket)
        if let known = isDense ? dense[Int(value)][bucket] : others[key], known != 0 { return Int(known) - 1 }
        cells.append(Cell(value: value, bucket: bucket))
        let number = UInt32(truncatingIfNeeded: cells.count)
        if isDense { dense[Int(value)][bucket] = number } else { others[key] = number }
        return cells.count - 1
    }

    private mutating func newLine() -> [UInt32] {
        guard denseCount + buckets <= CellNumbers.limit else { return [] }
        denseCount += buckets
        return [UInt32](repeating: 0, count: buckets)
    }
}
