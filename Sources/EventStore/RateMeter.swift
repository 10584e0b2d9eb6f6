// SPDX-License-Identifier: Apache-2.0

/// The mean rate per second over the last minute, from one count per second.
package struct RateMeter: Sendable {
    private var counts = [Int](repeating: 0, count: 60)
    private var newest: Int64 = 0

    package init() {}

    /// Adds to a second.
    ///
    /// A second older than a minute is ignored.
    package mutating func add(_ count: Int, at second: Int64) {
        advance(to: second)
        guard second > newest - 60 else { return }
        counts[place(of: second)] += count
    }

    /// Returns the mean over the 60 seconds that end with `second`.
    package mutating func perSecond(at second: Int64) -> Double {
        advance(to: second)
        return Double(counts.reduce(0, +)) / 60
    }

    private mutating func advance(to second: Int64) {
        // The clock was set back by a minute or more. Counts of seconds ahead would stay as long as the clock was ahead.
        if second <= newest - 60 { self = RateMeter() }
        guard second > newest else { return }
        for gone in max(newest + 1, second - 59)...second { counts[place(of: gone)] = 0 }
        newest = second
    }

    private func place(of second: Int64) -> Int {
        Int(((second % 60) + 60) % 60)
    }
}
