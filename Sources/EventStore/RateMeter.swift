// SPDX-License-Identifier: Apache-2.0

/// How many a second over the last minute, kept as a count for each of its seconds.
package struct RateMeter: Sendable {
    private var counts = [Int](repeating: 0, count: 60)
    private var newest: Int64 = 0

    package init() {}

    /// Adds to a second; one that has left the minute counts no more.
    package mutating func add(_ count: Int, at second: Int64) {
        advance(to: second)
        guard second > newest - 60 else { return }
        counts[place(of: second)] += count
    }

    /// The mean over the 60 seconds that end with `second`.
    package mutating func perSecond(at second: Int64) -> Double {
        advance(to: second)
        return Double(counts.reduce(0, +)) / 60
    }

    private mutating func advance(to second: Int64) {
        // Seconds that a clock named which was ahead, and has been set back since, would count for as long as it was ahead.
        if second <= newest - 60 { self = RateMeter() }
        guard second > newest else { return }
        for gone in max(newest + 1, second - 59)...second { counts[place(of: gone)] = 0 }
        newest = second
    }

    private func place(of second: Int64) -> Int {
        Int(((second % 60) + 60) % 60)
    }
}
