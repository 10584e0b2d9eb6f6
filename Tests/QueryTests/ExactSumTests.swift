// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Analytics

@Suite struct ExactSumTests {
    private static func sum(_ numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.rounded
    }

    @Test(
        arguments: [
            ([], 0), ([1e16, 1, 1, -1e16], 2), ([1e100, 1, -1e100, 1e-100], 1), ([0.1, 0.2, 0.3, -0.6], 2.7755575615628914e-17),
            ([1, 0x1p-53, 0x1p-106], 1 + 0x1p-52), ([1, 0x1p-53, -0x1p-106], 1), ([1, 0x1p-53], 1), ([1e300, -1e300], 0),
        ] as [([Double], Double)])
    func `a sum is rounded once`(numbers: [Double], expected: Double) {
        #expect(Self.sum(numbers) == expected)
    }

    @Test func `a sum does not depend on the order or on how parts are joined`() {
        var random = SeededGenerator(11)
        for _ in 0..<300 {
            let numbers = (0..<40).map { _ in Double.random(in: -1...1, using: &random) * [1e-12, 1, 1e9, 1e250].randomElement(using: &random)! }
            let expected = Self.sum(numbers)
            let shuffled = numbers.shuffled(using: &random)
            #expect(Self.sum(shuffled) == expected)
            var (left, right) = (ExactSum(), ExactSum())
            for (place, number) in shuffled.enumerated() { if place % 3 == 0 { left.add(number) } else { right.add(number) } }
            left.add(right)
            #expect(left.rounded == expected)
        }
    }
}
