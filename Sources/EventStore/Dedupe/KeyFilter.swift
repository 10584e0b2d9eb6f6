// SPDX-License-Identifier: Apache-2.0

/// Says of most keys that are not in a run that they are not, for twelve bits a key and one cache line a question.
///
/// It is a row of blocks in the order of the keys: each key has bits in one of them only, so that a block can be asked by itself.
struct KeyFilter: Sendable {
    static let blockWords = 8

    let words: [UInt64]

    /// Words for a number of keys; about one in two hundred strangers passes.
    static func size(for count: Int) -> Int {
        max(1, (count * 12 + 511) / 512) * blockWords
    }

    /// Where the block of a key begins in a filter of so many words.
    static func block(of key: UInt64, in size: Int) -> Int {
        Int(truncatingIfNeeded: key.multipliedFullWidth(by: UInt64(size / blockWords)).high) * blockWords
    }

    static func insert(_ key: UInt64, into words: inout [UInt64], at block: Int) {
        var bits = spread(key)
        for _ in 0..<7 {
            words[block + Int(truncatingIfNeeded: bits & 7)] |= 1 << (bits >> 3 & 63)
            bits >>= 9
        }
    }

    static func mayContain(_ key: UInt64, _ words: [UInt64], at block: Int) -> Bool {
        var bits = spread(key)
        for _ in 0..<7 {
            if words[block + Int(truncatingIfNeeded: bits & 7)] & 1 << (bits >> 3 & 63) == 0 { return false }
            bits >>= 9
        }
        return true
    }

    func mayContain(_ key: UInt64) -> Bool {
        KeyFilter.mayContain(key, words, at: KeyFilter.block(of: key, in: words.count))
    }

    /// The block is taken from the high bits, so the bits within it must not hang on those alone.
    private static func spread(_ key: UInt64) -> UInt64 {
        let product = key.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }
}
