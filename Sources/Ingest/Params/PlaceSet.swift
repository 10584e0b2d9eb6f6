// SPDX-License-Identifier: Apache-2.0

/// Places of a tape, kept as bits from about the first one on: adding one costs the same however many there are.
struct PlaceSet {
    private var words: [UInt64] = []
    /// What the first bit stands for; no place below it may be added.
    private var first = 0

    mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
    }

    /// - Parameter lowest: No place below it is added before the next `removeAll`.
    mutating func insert(_ place: Int, from lowest: Int) {
        if words.isEmpty { first = lowest }
        let (word, bit) = (place - first).quotientAndRemainder(dividingBy: 64)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(bit)
    }

    func contains(_ place: Int) -> Bool {
        guard place >= first else { return false }
        let (word, bit) = (place - first).quotientAndRemainder(dividingBy: 64)
        return word < words.count && words[word] & 1 << UInt64(bit) != 0
    }
}
