// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Terminal

struct NumbersTests {
    @Test(arguments: [
        (0.0, "0"), (7, "7"), (0.25, "0.3"), (12.34, "12.3"), (999, "999"), (1_234, "1,234"), (99_999, "99,999"), (123_456, "123k"),
        (1_234_567, "1.2M"), (999_499, "999k"), (999_600, "1.0M"), (999_999_999_847, "1.0T"),
        (-1_234, "−1,234"), (1e15, "1,000T"), (Double.infinity, "–"), (Double.nan, "–"),
    ])
    func `a number is shortened`(value: Double, text: String) {
        #expect(Numbers.short(value) == text)
    }

    @Test func `a number uses the available width`() {
        #expect((3...7).map { Numbers.short(12_345, within: $0) } == ["12k", "12k", "12.3k", "12,345", "12,345"])
    }

    @Test(arguments: [(0.0, "0 B"), (1_023, "1,023 B"), (1_536, "1.5 KiB"), (67_108_864, "64 MiB"), (3_298_534_883_328, "3.0 TiB")])
    func `a size has a binary unit`(count: Double, text: String) {
        #expect(Numbers.bytes(count) == text)
    }

    @Test(arguments: [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3_600, "1 h"), (90_061, "1 d 1 h"), (86_405, "1 d 5 s")])
    func `a duration has its two largest units`(seconds: Int, text: String) {
        #expect(Numbers.duration(seconds: seconds) == text)
    }

    @Test(arguments: [(0.0, "0 %"), (0.004, "0.4 %"), (0.0996, "10 %"), (0.5, "50 %"), (1, "100 %")])
    func `a share is a rounded percentage`(share: Double, text: String) {
        #expect(Numbers.percent(share) == text)
    }

    @Test(arguments: [(0.0, 1.0), (1, 1), (1.2, 2), (7, 8), (10, 10), (11, 20), (53, 60), (99, 100), (101, 200), (350_000, 400_000)])
    func `an axis ends at a round number`(value: Double, top: Double) {
        #expect(Numbers.roundUp(value) == top)
    }
}
