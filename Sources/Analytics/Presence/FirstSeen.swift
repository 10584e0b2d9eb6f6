// SPDX-License-Identifier: Apache-2.0

/// The times at which users and installations were first seen, by number; the largest integer if unknown.
struct FirstSeen: Sendable {
    /// A person by number.
    struct Person: Sendable {
        var number: Int
        var isUser: Bool
    }

    private(set) var users: [Int64]
    private(set) var installations: [Int64]
    /// The people whose time became earlier since they were last taken; nil if they are not recorded.
    private var lowered: [Person]?

    init(_ people: PeopleNumbers) {
        users = [Int64](repeating: .max, count: people.users.count)
        installations = [Int64](repeating: .max, count: people.installations.count)
    }

    var bytes: Int { (users.count + installations.count) * 8 }

    /// Adds the numbers that people have got since, with unknown times.
    mutating func grow(_ people: PeopleNumbers) {
        while users.count < people.users.count { users.append(.max) }
        while installations.count < people.installations.count { installations.append(.max) }
    }

    /// Notes a sighting of a key. Others than those of the people are ignored.
    mutating func note(_ key: UInt64, at time: Int64, _ people: PeopleNumbers) {
        for isUser in [true, false] { note(key, isUser: isUser, at: time, people) }
    }

    mutating func note(_ key: UInt64, isUser: Bool, at time: Int64, _ people: PeopleNumbers) {
        if isUser, let number = people.users.known(key).map(Int.init), time < users[number] {
            users[number] = time
            lowered?.append(Person(number: number, isUser: true))
        } else if !isUser, let number = people.installations.known(key).map(Int.init), time < installations[number] {
            installations[number] = time
            lowered?.append(Person(number: number, isUser: false))
        }
    }

    /// Returns the people whose time became earlier since the last call. The first call begins to record them.
    mutating func takeLowered() -> [Person] {
        defer { lowered = [] }
        return lowered ?? []
    }

    mutating func add(_ other: FirstSeen) {
        for i in users.indices { users[i] = min(users[i], other.users[i]) }
        for i in installations.indices { installations[i] = min(installations[i], other.installations[i]) }
    }
}
