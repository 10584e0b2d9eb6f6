// SPDX-License-Identifier: Apache-2.0

/// Who was there in which quarter-hour of a UTC day: one bit of 96.
///
/// Every zone's offset in use is a multiple of 15 minutes, so any zone's day is a union of quarter-hours and counts exactly.
struct ActiveQuarters: Sendable {
    /// One person's presence; 0 where there is no installation or no user.
    struct Entry: Hashable, Sendable {
        var app: Int64
        var day: Int32
        var installation: UInt64
        var user: UInt64
    }

    /// What a sighting told that was not known before.
    enum News: Sendable {
        case none
        case quarter
        /// Also the first of its day, or the earliest of its day so far.
        case earliest
    }

    struct Bits: Sendable {
        var early: UInt64 = 0
        var late: UInt64 = 0

        init() {}

        init(quarter: Int) {
            if quarter < 48 { early = 1 << UInt64(quarter) } else { late = 1 << UInt64(quarter - 48) }
        }

        var first: Int { early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount }
    }

    private struct Slot: Sendable {
        var entry: Entry
        var bits: Bits
    }

    /// Only a memory of what is stored already; when it is full it is emptied and what it held is written once more.
    private var slots: [Slot] = []
    private var index = [UInt32](repeating: 0, count: 1_024)
    static let limit = 400_000

    mutating func mark(_ entry: Entry, quarter: Int) -> News {
        let bit = Bits(quarter: quarter)
        let place = find(entry)
        if index[place] == 0 {
            insert(entry, bit, at: place)
            return .earliest
        }
        let i = Int(index[place]) - 1
        let known = slots[i].bits
        if known.early & bit.early != 0 || known.late & bit.late != 0 { return .none }
        slots[i].bits.early |= bit.early
        slots[i].bits.late |= bit.late
        return quarter < known.first ? .earliest : .quarter
    }

    mutating func removeAll() {
        slots = []
        index = [UInt32](repeating: 0, count: 1_024)
    }

    private mutating func insert(_ entry: Entry, _ bits: Bits, at place: Int) {
        if slots.count >= ActiveQuarters.limit {
            removeAll()
            return insert(entry, bits, at: find(entry))
        }
        slots.append(Slot(entry: entry, bits: bits))
        index[place] = UInt32(truncatingIfNeeded: slots.count)
        if slots.count * 2 > index.count { grow() }
    }

    private func find(_ entry: Entry) -> Int {
        let mask = index.count - 1
        var place = ActiveQuarters.hash(entry) & mask
        while index[place] != 0 && slots[Int(index[place]) - 1].entry != entry {
            place = (place + 1) & mask
        }
        return place
    }

    private static func hash(_ entry: Entry) -> Int {
        let person = entry.installation &* 0x9e37_79b9_7f4a_7c15 ^ entry.user
        let h = (person ^ UInt64(bitPattern: Int64(entry.day)) << 20 ^ UInt64(bitPattern: entry.app)) &* 0xff51_afd7_ed55_8ccd
        return Int(truncatingIfNeeded: h >> 33)
    }

    private mutating func grow() {
        index = [UInt32](repeating: 0, count: index.count * 2)
        for i in slots.indices { index[find(slots[i].entry)] = UInt32(truncatingIfNeeded: i + 1) }
    }
}
