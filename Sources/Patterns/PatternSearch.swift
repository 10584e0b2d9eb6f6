// SPDX-License-Identifier: Apache-2.0

/// The matches of a pattern in a text, one after the other from left to right.
///
///     b* in abc   →   0..<0, 1..<2, 2..<2, 3..<3
package struct PatternSearch {
    package let bytes: [UInt8]
    private let pattern: Pattern
    private var start = 0
    private var bounds: [Int]

    /// - Parameter groups: How many groups of each match are wanted, at most those that the pattern has.
    init(_ pattern: Pattern, _ text: String, groups: Int) {
        (self.pattern, bytes) = (pattern, Array(text.utf8))
        bounds = [Int](repeating: 0, count: 2 * (1 + min(groups, pattern.groups)))
    }

    /// The most bytes that `next` reads behind the match that it finds.
    package var bytesReadOn: Int { pattern.bytesReadOn(max(0, bytes.count - start)) }

    /// Returns the next match and its groups, the whole match first. A group that took no part is nil.
    package mutating func next() -> [Range<Int>?]? {
        guard start <= bytes.count, pattern.find(bytes, from: start, into: &bounds) else { return nil }
        start = bounds[1] > bounds[0] ? bounds[1] : next(bounds[1])
        return (0..<bounds.count / 2).map { bounds[2 * $0] < 0 ? nil : bounds[2 * $0]..<bounds[2 * $0 + 1] }
    }

    /// The start of the next character, so that no match begins within one.
    private func next(_ position: Int) -> Int {
        var next = position + 1
        while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
