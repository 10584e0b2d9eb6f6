// SPDX-License-Identifier: Apache-2.0

/// The presence of persons by quarter-hour: 96 bits for each app, UTC day, installation and user.
///
/// The offset of every time zone in use is a multiple of 15 minutes, so a day of any zone is a union of quarter-hours, and its active users
/// can be counted exactly. Example: in a zone of UTC+05:45, the 25th is quarters 73…95 of the 24th and 0…72 of the 25th.
///
/// This type is a cache of the stored bits. It tells the writer whether a sighting must be written:
///
///     mark(u, quarter of 08:05) → .earliest    bit 32 is new, and the first of the day
///     mark(u, quarter of 08:10) → .none        the same quarter
///     mark(u, quarter of 14:20) → .quarter     bit 57 is new
///     mark(u, quarter of 07:50) → .earliest    bit 31 is new, and earlier than the first
///
/// Invariant: a bit in the cache is stored, or part of the transaction under way. After a rollback the cache is emptied.
struct ActiveQuarters: Sendable {
    /// The place of one person's bits.
    ///
    /// The installation or the user is 0 if an event has none.
    struct Entry: Hashable, Sendable {
        var app: Int64
        var day: Int32
        var installation: UInt64
        var user: UInt64
    }

    /// The part of a sighting that is not in the cache yet.
    enum Effect: Sendable {
        case none
        case quarter
        /// A new quarter that is the first of its day, or earlier than the first so far.
        case earliest
    }

    struct Bits: Sendable {
        var early: UInt64 = 0
        var late: UInt64 = 0

        init() {}

        init(quarter: Int) {
            if quarter < 48 { early = 1 << UInt64(quarter) } else { late = 1 << UInt64(quarter - 48) }
        }

        /// The first quarter-hour that is set.
        var first: Int { early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount }
    }

    private struct Slot: Sendable {
        var entry: Entry
        var bits: Bits
        /// The minute of the last sighting, since 1970.
        var minute: Int32
    }

    /// The cached entries.
    ///
    /// A full cache is emptied; its bits are then written again, which changes nothing.
    private var slots: [Slot] = []
    private var index = [UInt32](repeating: 0, count: 1_024)
    /// The number of entries at which the cache is emptied.
    static let limit = 400_000

    /// Also returns whether the person's last sighting was in another minute, for `RecentPeople`.
    mutating func mark(_ entry: Entry, quarter: Int, minute: Int32) -> (Effect, isNewMinute: Bool) {
        let bit = Bits(quarter: quarter)
        let place = find(entry)
        if index[place] == 0 {
            insert(Slot(entry: entry, bits: bit, minute: minute), at: place)
            return (.earliest, true)
        }
        let i = Int(index[place]) - 1
        let known = slots[i]
        let isNewMinute = known.minute != minute
        if isNewMinute { slots[i].minute = minute }
        if known.bits.early & bit.early != 0 || known.bits.late & bit.late != 0 { return (.none, isNewMinute) }
        slots[i].bits.early |= bit.early
        slots[i].bits.late |= bit.late
        return (quarter < known.bits.first ? .earliest : .quarter, isNewMinute)
    }

    mutating func removeAll() {
        slots = []
        index = [UInt32](repeating: 0, count: 1_024)
    }

    private mutating func insert(_ slot: Slot, at place: Int) {
        if slots.count >= ActiveQuarters.limit {
            removeAll()
            return insert(slot, at: find(slot.entry))
        }
        slots.append(slot)
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
