// SPDX-License-Identifier: Apache-2.0

import EventStore

/// A session that begins in a query's range.
package struct FoundSession: Sendable {
    package var bucket: Int
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

    package init() {}

    package mutating func number(of person: UInt64) -> UInt32 {
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
            for number in list where marks[Int(number)] != self.lists {
                marks[Int(number)] = self.lists
                different += 1
            }
        }
        return different
    }
}
