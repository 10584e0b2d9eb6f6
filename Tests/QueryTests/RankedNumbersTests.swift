// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Testing

@Suite struct RankedNumbersTests {
    /// Computes a quantile from all numbers in order.
    private static func seconds(_ numbers: [Int64], _ share: Double) -> Double {
        let sorted = numbers.sorted()
        guard let last = sorted.last else { return 0 }
        let place = share * Double(sorted.count - 1)
        let lower = Int(place)
        guard lower + 1 < sorted.count else { return Double(last) / 1_000 }
        let part = place - Double(lower)
        return (Double(sorted[lower]) * (1 - part) + Double(sorted[lower + 1]) * part).rounded() / 1_000
    }

    @Test(arguments: [0, 1, 2, 4_096, 4_097, 20_000])
    func `quantiles are those of the sorted numbers`(count: Int) {
        var random = SeededGenerator(UInt64(count))
        for greatest in [0, 1, 4_095, 4_096, 1_000_000, Int64.max / 4] {
            let numbers = (0..<count).map { _ in Int64.random(in: 0...greatest, using: &random) }
            for numbers in [numbers, numbers.map { $0 / 3 * 3 }, numbers.map { min($0, 7) }] {
                let ranked = RankedNumbers(numbers)
                for share in [0, 0.1, 0.5, 0.9, 0.999, 1] {
                    #expect(ranked.secondsAtQuantile(share) == Self.seconds(numbers, share), "\(share) of up to \(greatest)")
                }
            }
        }
    }
}
