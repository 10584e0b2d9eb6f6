/// Says of most keys that are not in a run that they are not, for twelve bits a key and one cache line a question.
struct KeyFilter: Sendable {
    private(set) var words: [UInt64]

    /// Room for a number of keys; about one in two hundred strangers passes.
    init(for count: Int) {
        words = [UInt64](repeating: 0, count: max(1, (count * 12 + 511) / 512) * 8)
    }

    init(words: [UInt64]) {
        self.words = words
    }

    mutating func insert(_ key: UInt64) {
        let block = self.block(of: key)
        var bits = KeyFilter.spread(key)
        for _ in 0..<7 {
            words[block + Int(truncatingIfNeeded: bits & 7)] |= 1 << (bits >> 3 & 63)
            bits >>= 9
        }
    }

    func mayContain(_ key: UInt64) -> Bool {
        let block = self.block(of: key)
        var bits = KeyFilter.spread(key)
        for _ in 0..<7 {
            if words[block + Int(truncatingIfNeeded: bits & 7)] & 1 << (bits >> 3 & 63) == 0 { return false }
            bits >>= 9
        }
        return true
    }

    private func block(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: key.multipliedFullWidth(by: UInt64(words.count / 8)).high) * 8
    }

    /// The block is taken from the high bits, so the bits within it must not hang on those alone.
    private static func spread(_ key: UInt64) -> UInt64 {
        let product = key.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }
}
