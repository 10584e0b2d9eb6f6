// SPDX-License-Identifier: Apache-2.0

/// Milliseconds in any order, of which some are found by their rank.
///
/// Many numbers are counted in 4,096 ranges of equal width, and only the range with the rank is sorted, in a fifth of the time of sorting all:
///
///     numbers   5 90 7 3 8 …    ranges of 10: 4 numbers, 0, …    rank 2   in the first range: 3 5 7 8   →   7
package struct RankedNumbers {
    private static let ranges = 4_096
    private let numbers: [Int64]
    private let least: Int64
    private let shift: UInt64
    /// The number of numbers before each range; empty if all numbers are sorted.
    private var starts: [Int] = []

    package init(_ numbers: [Int64]) {
        guard numbers.count > RankedNumbers.ranges, let least = numbers.min(), let greatest = numbers.max() else {
            (self.numbers, self.least, shift) = (numbers.sorted(), 0, 0)
            return
        }
        (self.numbers, self.least) = (numbers, least)
        let width = UInt64(bitPattern: greatest &- least)
        shift = UInt64(max(0, UInt64.bitWidth - width.leadingZeroBitCount - RankedNumbers.ranges.trailingZeroBitCount))
        starts = [Int](repeating: 0, count: RankedNumbers.ranges + 1)
        for number in numbers { starts[range(of: number) + 1] += 1 }
        for range in 1...RankedNumbers.ranges { starts[range] += starts[range - 1] }
    }

    /// Returns a quantile in seconds with three decimals, interpolated between two neighbours; 0 if there are no numbers.
    package func secondsAtQuantile(_ share: Double) -> Double { secondsAtQuantiles([share])[0] }

    /// Returns several quantiles. The numbers are searched once.
    package func secondsAtQuantiles(_ shares: [Double]) -> [Double] {
        if numbers.isEmpty { return shares.map { _ in 0 } }
        let places = shares.map { $0 * Double(numbers.count - 1) }
        let found = ranked(at: places.flatMap { [Int($0), min(Int($0) + 1, numbers.count - 1)] })
        return places.enumerated().map { place, exact in
            let (lower, part) = (Int(exact), exact - Double(Int(exact)))
            guard lower + 1 < numbers.count else { return Double(found[2 * place]).rounded() / 1_000 }
            return (Double(found[2 * place]) * (1 - part) + Double(found[2 * place + 1]) * part).rounded() / 1_000
        }
    }

    /// Returns the numbers of some ranks.
    private func ranked(at ranks: [Int]) -> [Int64] {
        if starts.isEmpty { return ranks.map { numbers[$0] } }
        let wanted = ranks.map { rank in (starts.firstIndex { $0 > rank } ?? starts.count) - 1 }
        // The place of each wanted range among the parts, plus one.
        var (places, parts) = ([UInt8](repeating: 0, count: RankedNumbers.ranges), [[Int64]]())
        for range in wanted where places[range] == 0 {
            parts.append([])
            places[range] = UInt8(parts.count)
        }
        for number in numbers {
            let place = places[range(of: number)]
            if place != 0 { parts[Int(place) - 1].append(number) }
        }
        for place in parts.indices { parts[place].sort() }
        return zip(ranks, wanted).map { rank, range in parts[Int(places[range]) - 1][rank - starts[range]] }
    }

    private func range(of number: Int64) -> Int { Int(truncatingIfNeeded: UInt64(bitPattern: number &- least) >> shift) }
}
