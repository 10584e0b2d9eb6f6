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

    private(set) var users: KeyNumbers
    private(set) var installations: KeyNumbers
    private(set) var pairs: [Pair] = []
    /// The pairs of installations that have several, and of no installation.
    private var places = KeyTable(capacityBits: 10)
    /// The first and the last pair of each installation, and the last one's user. They spare most searches for users and pairs.
    private var ofInstallation: [Ends] = [Ends(user: 0, first: .max, last: .max)]

    private struct Ends: Sendable {
        /// The key of the last pair's user.
        var user: UInt64
        var first: UInt32
        var last: UInt32
    }

    var bytes: Int {
        users.bytes + installations.bytes + pairs.count * MemoryLayout<Pair>.stride + places.bytes + ofInstallation.count * MemoryLayout<Ends>.stride
    }

    /// - Parameter isOrdered: Whether most keys come in ascending order, each time with room reserved for them.
    init(isOrdered: Bool = false) {
        (users, installations) = (KeyNumbers(isOrdered: isOrdered), KeyNumbers(isOrdered: isOrdered))
    }

    /// Makes room for people whose keys are added in ascending order.
    mutating func reserve(_ more: Int) {
        users.reserve(more)
        installations.reserve(more)
    }

    /// Returns the number of a pair, which is added if it is new. At least one of the keys is not 0.
    mutating func pair(installation: UInt64, user: UInt64) -> Int {
        let number = installations.number(of: installation)
        if number == ofInstallation.count {
            let pair = add(Pair(installation: number, user: users.number(of: user)))
            ofInstallation.append(Ends(user: user, first: pair, last: pair))
            return Int(pair)
        }
        let known = ofInstallation[Int(number)]
        if number != 0 && known.user == user { return Int(known.last) }
        let pair = place(Pair(installation: number, user: users.number(of: user)), known)
        ofInstallation[Int(number)].user = user
        ofInstallation[Int(number)].last = pair
        return Int(pair)
    }

    private mutating func place(_ pair: Pair, _ known: Ends) -> UInt32 {
        if known.first != .max, pairs[Int(known.first)].user == pair.user { return known.first }
        let key = UInt64(pair.installation) << 32 | UInt64(pair.user)
        if let known = places[key] { return known }
        let place = add(pair)
        places.set(key, place)
        return place
    }

    private mutating func add(_ pair: Pair) -> UInt32 {
        pairs.append(pair)
        return UInt32(truncatingIfNeeded: pairs.count - 1)
    }

    /// Returns the key of a pair's user, or of its installation if it has no user.
    func person(of pair: Pair) -> UInt64 {
        pair.user != 0 ? users.keys[Int(pair.user)] : installations.keys[Int(pair.installation)]
    }
}

/// Numbers for keys in the order of their appearance, from 1. The key 0 has the number 0.
struct KeyNumbers: Sendable {
    private(set) var keys: [UInt64] = [0]
    private var numbers: KeyTable

    init(isOrdered: Bool) {
        numbers = KeyTable(capacityBits: 10, isOrdered: isOrdered)
    }

    /// One more than the highest number.
    var count: Int { keys.count }
    var bytes: Int { keys.count * 8 + numbers.bytes }

    mutating func reserve(_ more: Int) { numbers.reserve(more) }

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
