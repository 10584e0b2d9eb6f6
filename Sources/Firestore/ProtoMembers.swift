// SPDX-License-Identifier: Apache-2.0

/// The members of a message: the place of each value by its name. They are few, so a search through them is faster than a table.
struct ProtoMembers {
    private(set) var all: [(name: String, place: Int)] = []

    var count: Int { all.count }

    subscript(name: String) -> Int? { all.first { $0.name == name }?.place }

    /// Adds a member. Returns false if there is one of this name.
    mutating func add(_ name: String, at place: Int) -> Bool {
        if self[name] != nil { return false }
        all.append((name, place))
        return true
    }
}
