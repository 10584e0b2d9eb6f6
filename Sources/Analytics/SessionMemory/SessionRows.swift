// SPDX-License-Identifier: Apache-2.0

import EventStore

/// A part of a session in memory, as far as figures need it: 24 bytes.
struct SessionRow: Sendable {
    /// The part's flags, with those of its place in a session.
    struct State: OptionSet, Sendable {
        let rawValue: UInt8

        static let sale = State(rawValue: 1)
        static let crash = State(rawValue: 2)
        static let activity = State(rawValue: 4)
        /// At least two screen views.
        static let views = State(rawValue: 8)
        /// Not the first part of its session.
        static let isLater = State(rawValue: 16)
        /// The first part of a session that has others.
        static let hasLater = State(rawValue: 32)
        /// A part of a subject whose sessions are cut for each query.
        static let isCutPerQuery = State(rawValue: 64)
        static let isFree = State(rawValue: 128)

        /// Rows that are not counted as sessions.
        static let uncounted: State = [.isLater, .isCutPerQuery, .isFree]

        init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        init(_ part: SessionPart) {
            self.init(rawValue: part.flags.rawValue & 7 | (part.views.count >= 2 ? 8 : 0))
        }

        var flags: SessionPart.Flags { .init(rawValue: rawValue & 7) }
    }

    var first: Int64
    /// The time from the first to the last event in milliseconds, less than a day.
    var length: UInt32
    /// The numbers of the subject and of the user named first; 0 for none.
    var subject: UInt32
    var user: UInt32
    private var packed: UInt32

    static let free = SessionRow(first: .max, length: 0, subject: 0, user: 0, value: 0, .isFree)

    /// - Parameter value: The code of a version, less than 2^24.
    init(first: Int64, length: UInt32, subject: UInt32, user: UInt32, value: UInt32, _ state: State) {
        (self.first, self.length, self.subject, self.user) = (first, length, subject, user)
        packed = value << 8 | UInt32(state.rawValue)
    }

    var value: UInt32 { packed >> 8 }
    var state: State { State(rawValue: UInt8(truncatingIfNeeded: packed)) }
    var isEngaged: Bool { length > 10_000 || !state.isDisjoint(with: [.views, .sale]) }
}

/// The rest of a part, which is needed to join others to it: 24 bytes.
struct SessionRest: Sendable {
    var session: UInt64 = 0
    var views = ViewNumbers()
    /// The time from the first event to the one that named the user.
    var userOffset: UInt32 = 0
    /// The number of the subject's next row plus one; 0 for none.
    var next: UInt32 = 0
}

/// Rows in blocks of 4,096, so that they grow without being copied and a query passes over the blocks of other days.
struct SessionRows: Sendable {
    struct Block: Sendable {
        fileprivate(set) var rows: [SessionRow] = []
        fileprivate(set) var rests: [SessionRest] = []
        /// Bounds of the rows' times.
        fileprivate(set) var least = Int64.max
        fileprivate(set) var greatest = Int64.min
    }

    private static let bits = 12
    private(set) var blocks: [Block] = []
    private var free: [UInt32] = []

    var bytes: Int {
        blocks.count * (MemoryLayout<SessionRow>.stride + MemoryLayout<SessionRest>.stride) << SessionRows.bits + free.count * 4
    }

    subscript(number: UInt32) -> SessionRow { blocks[Int(number) >> SessionRows.bits].rows[SessionRows.place(number)] }

    func rest(of number: UInt32) -> SessionRest { blocks[Int(number) >> SessionRows.bits].rests[SessionRows.place(number)] }

    private static func place(_ number: UInt32) -> Int { Int(number) & (1 << bits - 1) }

    /// Returns the number of a row by its place in a block.
    static func number(_ block: Int, _ place: Int) -> UInt32 { UInt32(truncatingIfNeeded: block << bits + place) }

    /// Returns the number of a new row.
    mutating func take() -> UInt32 {
        if let number = free.popLast() { return number }
        if blocks.last.map({ $0.rows.count >> SessionRows.bits == 1 }) ?? true {
            var block = Block()
            block.rows.reserveCapacity(1 << SessionRows.bits)
            block.rests.reserveCapacity(1 << SessionRows.bits)
            blocks.append(block)
        }
        let last = blocks.count - 1
        blocks[last].rows.append(.free)
        blocks[last].rests.append(SessionRest())
        return SessionRows.number(last, blocks[last].rows.count - 1)
    }

    mutating func set(_ number: UInt32, _ row: SessionRow, _ rest: SessionRest) {
        let (block, place) = (Int(number) >> SessionRows.bits, SessionRows.place(number))
        blocks[block].rows[place] = row
        blocks[block].rests[place] = rest
        if row.first < blocks[block].least { blocks[block].least = row.first }
        if row.first > blocks[block].greatest { blocks[block].greatest = row.first }
    }

    mutating func remove(_ number: UInt32) {
        blocks[Int(number) >> SessionRows.bits].rows[SessionRows.place(number)] = .free
        free.append(number)
    }
}
