// SPDX-License-Identifier: Apache-2.0

/// A bounded buffer of received messages with a position for each reader.
///
/// An entry is acknowledged once all readers have consumed it; a reader consumes a message by asking for the next one. Example:
/// two readers, entries 1 and 2. Reader A asks twice (has 2 in hand, consumed 1), reader B once: nothing is acknowledged. B asks
/// again: 1 is acknowledged and dropped.
struct MessageBuffer {
    struct Entry: Equatable {
        /// Identifies the entry, also when it is redelivered.
        var id: String
        var cursor: String
        /// `nil` for a gap or an unreadable message, which readers skip.
        var message: RemoteMessage?
    }

    enum Step: Equatable {
        case message(RemoteMessage)
        /// No message is available.
        case wait
        /// The reader has left.
        case end
    }

    enum Addition {
        case new
        /// The entry is buffered already; a new connection repeats unacknowledged messages.
        case known
        case full
    }

    private struct Reader {
        /// The number of the first entry that this reader has not consumed.
        var place: Int
        var isHoldingMessage = false
    }

    /// The limit of buffered entries, above what the daemon keeps for a device.
    static let capacity = 200

    private var entries: [Entry] = []
    /// The number of the first entry.
    private var first = 0
    private var readers: [Int: Reader] = [:]

    var hasNoReaders: Bool { readers.isEmpty }
    var hasCapacity: Bool { entries.count < MessageBuffer.capacity }

    /// Adds a reader, which begins with the oldest buffered entry.
    mutating func join(_ reader: Int) {
        readers[reader] = Reader(place: first)
    }

    /// Removes a reader. The last one clears the buffer; unacknowledged messages are redelivered by the daemon.
    mutating func leave(_ reader: Int) -> String? {
        readers[reader] = nil
        if readers.isEmpty { self = MessageBuffer() }
        return drop()
    }

    mutating func add(_ entry: Entry) -> Addition {
        if entries.contains(where: { $0.id == entry.id }) { return .known }
        guard hasCapacity else { return .full }
        entries.append(entry)
        return .new
    }

    /// Marks the reader's message as consumed. Returns the cursor to acknowledge, if it has advanced.
    mutating func take(by reader: Int) -> String? {
        guard var own = readers[reader], own.isHoldingMessage else { return nil }
        own.place += 1
        own.isHoldingMessage = false
        readers[reader] = own
        return drop()
    }

    /// Drops all entries: they belong to a previous token and cannot be acknowledged.
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
                own.isHoldingMessage = true
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
