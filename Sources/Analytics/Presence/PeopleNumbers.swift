// SPDX-License-Identifier: Apache-2.0

import EventStore

/// Numbers for the people of a presence table, so that figures are arrays and not hash tables.
///
/// Users and installations are numbered from 1, and pairs of the two from 0:
///
///     installation i, no user    pair 0    (1, 0)
///     installation i, user a     pair 1    (1, 1)
///     no installation, user b    pair 2    (0, 2)
struct PeopleNumbers: Sendable {
    /// The numbers of an installation and a user; 0 for none.
    struct Pair: Sendable {
        var installation: UInt32
        var user: UInt32
    }

    private(set) var users = KeyNumbers()
    private(set) var installations = KeyNumbers()
    private(set) var pairs: [Pair] = []
    private var places = KeyTable(capacityBits: 10)
    /// The last pair of each installation and its user's key, which spare most searches for users and pairs.
    private var last: [(user: UInt64, pair: UInt32)] = [(0, 0)]

    var bytes: Int { users.bytes + installations.bytes + pairs.count * MemoryLayout<Pair>.stride + places.bytes + last.count * 16 }

    /// Returns the number of a pair, which is added if it is new. At least one of the keys is not 0.
    mutating func pair(installation: UInt64, user: UInt64) -> Int {
        let number = Int(installations.number(of: installation))
        if number != 0 && number < last.count && last[number].user == user { return Int(last[number].pair) }
        let pair = place(Pair(installation: UInt32(truncatingIfNeeded: number), user: users.number(of: user)))
        if number == last.count { last.append((user, 0)) }
        last[number] = (user, UInt32(truncatingIfNeeded: pair))
        return pair
    }

    private mutating func place(_ pair: Pair) -> Int {
        let key = UInt64(pair.installation) << 32 | UInt64(pair.user)
        if let known = places[key] { return Int(known) }
        places.set(key, UInt32(truncatingIfNeeded: pairs.count))
        pairs.append(pair)
        return pairs.count - 1
    }

    /// Returns the key of a pair's user, or of its installation if it has no user.
    func person(of pair: Pair) -> UInt64 {
        pair.user != 0 ? users.keys[Int(pair.user)] : installations.keys[Int(pair.installation)]
    }
}

/// Numbers for keys in the order of their appearance, from 1. The key 0 has the number 0.
struct KeyNumbers: Sendable {
    private(set) var keys: [UInt64] = [0]
    private var numbers = KeyTable(capacityBits: 10)

    /// One more than the highest number.
    var count: Int { keys.count }
    var bytes: Int { keys.count * 8 + numbers.bytes }

    mutating func number(of key: UInt64) -> UInt32 {
        if key == 0 { return 0 }
        if let known = numbers[key] { return known }
        let number = UInt32(truncatingIfNeeded: keys.count)
        numbers.set(key, number)
        keys.append(key)
        return number
    }

    /// Returns the number of a key; nil if it has none.
    func known(_ key: UInt64) -> UInt32? {
        key == 0 ? nil : numbers[key]
    }
}
