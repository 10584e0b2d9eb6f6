// SPDX-License-Identifier: Apache-2.0

/// A set of tape positions, stored as bits from the first one on. Inserting takes constant time.
struct PlaceSet {
    private var words: [UInt64] = []
    /// The position of the first bit. Lower positions cannot be inserted.
    private var first = 0

    mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
    }

    /// - Parameter lowest: No lower position is inserted before the next `removeAll`.
    mutating func insert(_ place: Int, from lowest: Int) {
        if words.isEmpty { first = lowest }
        precondition(place >= first, "a place was inserted below the lowest one")
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
