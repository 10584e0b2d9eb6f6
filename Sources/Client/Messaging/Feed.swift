// SPDX-License-Identifier: Apache-2.0

/// What came by the stream and is not taken yet, and how far each reader is with it.
struct Feed {
    struct Entry: Equatable {
        /// Tells it from all others, also when it comes again.
        var id: String
        var cursor: String
        /// Nil where there is nothing to hand out: a gap, or what cannot be read.
        var message: RemoteMessage?
    }

    enum Step: Equatable {
        case message(RemoteMessage)
        /// There is nothing now.
        case wait
        /// This reader has left.
        case end
    }

    enum Addition {
        case new
        /// It is here already, which is what a new connection begins with.
        case known
        case full
    }

    private struct Reader {
        /// The number of the first entry that it has not taken.
        var place: Int
        var hasItInHand = false
    }

    /// More than the daemon keeps for a device that does not read.
    static let room = 200

    private var entries: [Entry] = []
    /// The number of the first of them.
    private var first = 0
    private var readers: [Int: Reader] = [:]

    var isUnread: Bool { readers.isEmpty }
    var hasRoom: Bool { entries.count < Feed.room }

    /// It begins with what not all have taken.
    mutating func join(_ reader: Int) {
        readers[reader] = Reader(place: first)
    }

    /// With the last reader everything goes: nobody has taken it, so the daemon brings it again.
    mutating func leave(_ reader: Int) -> String? {
        readers[reader] = nil
        if readers.isEmpty { self = Feed() }
        return drop()
    }

    mutating func add(_ entry: Entry) -> Addition {
        if entries.contains(where: { $0.id == entry.id }) { return .known }
        guard hasRoom else { return .full }
        entries.append(entry)
        return .new
    }

    /// Who asks for the next has taken what it was given. Answers the cursor up to which everything is taken by all, if that has changed.
    mutating func take(by reader: Int) -> String? {
        guard var own = readers[reader], own.hasItInHand else { return nil }
        own.place += 1
        own.hasItInHand = false
        readers[reader] = own
        return drop()
    }

    /// Nothing of it has been taken, and it cannot be acknowledged any more: it was for another token.
    mutating func forgetEntries() {
        first += entries.count
        entries = []
        for reader in readers.keys { readers[reader] = Reader(place: first) }
    }

    mutating func next(for reader: Int) -> Step {
        guard var own = readers[reader] else { return .end }
        defer { readers[reader] = own }
        while own.place - first < entries.count {
            if let message = entries[own.place - first].message {
                own.hasItInHand = true
                return .message(message)
            }
            own.place += 1
        }
        return .wait
    }

    private mutating func drop() -> String? {
        guard let place = readers.values.map(\.place).min(), place > first else { return nil }
        let cursor = entries[place - first - 1].cursor
        entries.removeFirst(place - first)
        first = place
        return cursor
    }
}
