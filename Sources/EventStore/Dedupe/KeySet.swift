// SPDX-License-Identifier: Apache-2.0

/// A hash set of 64-bit hashes with open addressing and linear probing, about 11 bytes per key.
///
/// 0 is never a key.
package struct KeySet: Sendable {
    private var slots: [UInt64]
    private var shift: UInt64
    package private(set) var count = 0

    package init(capacityBits: Int = 10) {
        slots = [UInt64](repeating: 0, count: 1 << capacityBits)
        shift = UInt64(64 - capacityBits)
    }

    package init(_ keys: [UInt64]) {
        self.init()
        for key in keys { _ = insert(key) }
    }

    /// Inserts a key.
    ///
    /// Returns false if it was present.
    package mutating func insert(_ key: UInt64) -> Bool {
        let slot = find(key)
        if slots[slot] == key { return false }
        slots[slot] = key
        count += 1
        if count * 4 > slots.count * 3 { grow() }
        return true
    }

    package func contains(_ key: UInt64) -> Bool {
        slots[find(key)] == key
    }

    /// Removes a key and moves later ones into the gap, so no probe ends too early.
    mutating func remove(_ key: UInt64) {
        var gap = find(key)
        guard slots[gap] == key else { return }
        let mask = slots.count - 1
        var next = gap
        while true {
            next = (next + 1) & mask
            let moved = slots[next]
            if moved == 0 { break }
            let distanceFromHome = (next - home(moved)) & mask
            if distanceFromHome >= (next - gap) & mask {
                slots[gap] = moved
                gap = next
            }
        }
        slots[gap] = 0
        count -= 1
    }

    /// The keys in ascending order.
    func sorted() -> [UInt64] {
        slots.filter { $0 != 0 }.sorted()
    }

    private func home(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: key.scattered >> shift)
    }

    /// Returns the key's slot, or the free slot for it.
    private func find(_ key: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = home(key)
        while slots[slot] != key && slots[slot] != 0 {
            slot = (slot + 1) & mask
        }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: old.count * 2)
        shift -= 1
        for key in old where key != 0 { slots[find(key)] = key }
    }
}

extension UInt64 {
    /// The hash of a key that is itself a hash.
    ///
    /// Keys often arrive in ascending order; unscattered, they would fill a small table from one end, and each lookup would probe past all
    /// of them.
    fileprivate var scattered: UInt64 { self &* UInt64.scatteringFactor }

    fileprivate static let scatteringFactor: UInt64 = 0x9e37_79b9_7f4a_7c15
}

/// A hash table from 64-bit hashes to 32-bit numbers, built as `KeySet` is.
///
/// An ordered table places keys by their first bits, so lookups in ascending order walk through its memory once:
///
///     keys 0x1…, 0x2…, 0x9… in 8 slots    slots 0, 1, 4
///
/// The caller reserves room before it adds ascending keys, because they fill a table that grows meanwhile from one end.
package struct KeyTable: Sendable {
    private var keys: [UInt64]
    private var values: [UInt32]
    private var shift: UInt64
    private var factor: UInt64
    private(set) var count = 0
    /// The distance of a key from its place from which an ordered table no longer is one. Hashes do not come so far.
    private static let longestProbe = 1_024

    package init(capacityBits: Int = 8, isOrdered: Bool = false) {
        keys = [UInt64](repeating: 0, count: 1 << capacityBits)
        values = [UInt32](repeating: 0, count: 1 << capacityBits)
        shift = UInt64(64 - capacityBits)
        factor = isOrdered ? 1 : UInt64.scatteringFactor
    }

    package var bytes: Int { keys.count * (MemoryLayout<UInt64>.size + MemoryLayout<UInt32>.size) }

    package subscript(key: UInt64) -> UInt32? {
        let slot = find(key)
        return keys[slot] == key ? values[slot] : nil
    }

    package mutating func set(_ key: UInt64, _ value: UInt32) {
        let slot = find(key)
        if keys[slot] != key {
            keys[slot] = key
            count += 1
        }
        values[slot] = value
        if factor == 1, (slot - home(key)) & (keys.count - 1) > KeyTable.longestProbe {
            factor = UInt64.scatteringFactor
            rebuild(slots: keys.count)
        }
        if count * 4 > keys.count * 3 { rebuild(slots: keys.count * 2) }
    }

    /// Makes room for more keys.
    package mutating func reserve(_ more: Int) {
        var slots = keys.count
        while (count + more) * 4 > slots * 3 { slots *= 2 }
        if slots > keys.count { rebuild(slots: slots) }
    }

    private func home(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* factor) >> shift) }

    private func find(_ key: UInt64) -> Int {
        let mask = keys.count - 1
        var slot = home(key)
        while keys[slot] != key && keys[slot] != 0 {
            slot = (slot + 1) & mask
        }
        return slot
    }

    private mutating func rebuild(slots: Int) {
        let (oldKeys, oldValues) = (keys, values)
        keys = [UInt64](repeating: 0, count: slots)
        values = [UInt32](repeating: 0, count: slots)
        shift = UInt64(64 - slots.trailingZeroBitCount)
        for (key, value) in zip(oldKeys, oldValues) where key != 0 {
            let slot = find(key)
            keys[slot] = key
            values[slot] = value
        }
    }
}
