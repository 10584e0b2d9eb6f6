// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events

/// A table with one line of bits per key and one bit per bucket.
///
/// Lines are stored in one array, because there may be millions. With 3 buckets, `mark(k, 0)` and `mark(k, 2)` make the line `101`, and
/// `eachWindow(2)` of it reports 0..<2 and 2..<3.
struct BitLines: Sendable {
    let buckets: Int
    private let width: Int
    private(set) var keys: [UInt64] = []
    private var words: [UInt64] = []
    private var places = KeyTable(capacityBits: 10)

    init(buckets: Int) {
        self.buckets = buckets
        width = (buckets + 63) / 64
    }

    var bytes: Int { (keys.count + words.count) * 8 + places.bytes }

    /// Returns the index of a key's line, which is added if it is new. Keys are not 0.
    mutating func place(of key: UInt64) -> Int {
        if let known = places[key] { return Int(known) }
        places.set(key, UInt32(truncatingIfNeeded: keys.count))
        keys.append(key)
        for _ in 0..<width { words.append(0) }
        return keys.count - 1
    }

    /// Returns the index of a key's line; nil if there is none.
    func known(_ key: UInt64) -> Int? {
        places[key].map(Int.init)
    }

    mutating func mark(_ key: UInt64, _ bucket: Int) {
        mark(at: place(of: key), bucket)
    }

    mutating func mark(at place: Int, _ bucket: Int) {
        words[place * width + bucket >> 6] |= 1 << UInt64(bucket & 63)
    }

    /// Adds a line of another table with the same buckets.
    mutating func add(_ key: UInt64, from other: BitLines, at otherPlace: Int) {
        let place = place(of: key)
        for i in 0..<width { words[place * width + i] |= other.words[otherPlace * width + i] }
    }

    mutating func add(_ other: BitLines) {
        for (place, key) in other.keys.enumerated() { add(key, from: other, at: place) }
    }

    mutating func clear(at place: Int) {
        for i in 0..<width { words[place * width + i] = 0 }
    }

    mutating func keepFirst(at place: Int) {
        guard let first = first(at: place) else { return }
        clear(at: place)
        mark(at: place, first)
    }

    func contains(at place: Int, _ bucket: Int) -> Bool {
        words[place * width + bucket >> 6] >> UInt64(bucket & 63) & 1 == 1
    }

    func first(at place: Int) -> Int? {
        for i in 0..<width where words[place * width + i] != 0 { return i * 64 + words[place * width + i].trailingZeroBitCount }
        return nil
    }

    func each(at place: Int, _ body: (Int) -> Void) {
        for i in 0..<width {
            var rest = words[place * width + i]
            while rest != 0 {
                body(i * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }

    /// Calls a closure with the buckets whose window contains a set bit, as disjoint ranges.
    ///
    /// A bucket's window is the bucket and the `size - 1` before it.
    func eachWindow(_ size: Int, at place: Int, _ body: (Range<Int>) -> Void) {
        var end = 0
        each(at: place) { bucket in
            let next = min(bucket + size, buckets)
            if max(bucket, end) < next { body(max(bucket, end)..<next) }
            end = max(end, next)
        }
    }
}
