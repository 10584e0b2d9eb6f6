// SPDX-License-Identifier: Apache-2.0

/// A blocked Bloom filter: 12 bits per key, 7 of them set, all in one block of 64 bytes.
///
/// About one in 200 absent keys passes.
///
/// Each lookup touches one cache line, or reads 64 bytes if the filter stays in the file. The blocks are in the order of the keys, so a run
/// writes its filter front to back as the keys ascend. Example with 1,000 keys:
///
///     size(for: 1_000) = 192                        24 blocks of 8 words, 1,536 bytes
///     block(of: 0x4000_0000_0000_0000, in: 192) = 48     a quarter of the range: the block at a quarter of the filter
struct KeyFilter: Sendable {
    static let blockWords = 8

    let words: [UInt64]

    /// Returns the number of filter words for a number of keys.
    static func size(for count: Int) -> Int {
        max(1, (count * 12 + 511) / 512) * blockWords
    }

    /// Returns the first word of a key's block in a filter of `size` words.
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

    /// Mixes the key, because its high bits alone select the block and must not select the bits within it, too.
    private static func spread(_ key: UInt64) -> UInt64 {
        let product = key.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }
}
