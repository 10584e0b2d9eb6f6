// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Terminal

struct StackedBarTests {
    private func drawn(_ values: [Int], of whole: Int, _ width: Int) -> String {
        var frame = Frame(Size(width, 1))
        let parts = zip(values, "abcdef").map { StackedBar.Part($0, $1, .plain) }
        StackedBar(parts, of: whole).draw(in: frame.bounds, on: &frame)
        return frame.lines[0]
    }

    @Test func `each part has its share of the width, and small ones stay visible`() {
        #expect(drawn([1, 1], of: 2, 6) == "aaabbb")
        #expect(drawn([1_000_000, 0, 1, 1], of: 1_000_002, 8) == "aaaaaacd")
        #expect(drawn([1, 1, 1], of: 3, 8).count == 8)
        #expect(drawn([100, 0, 0], of: 200, 8) == "aaaa")
        #expect(drawn([], of: 0, 8) == "" && drawn([5], of: 3, 4) == "aaaa")
    }

    @Test(arguments: 0...40) func `a bar never exceeds its width`(width: Int) {
        for values in [[1, 2, 3, 4], [0, 0, 9, 1], [500, 1, 1, 1], [7, 7, 7, 7]] {
            #expect(drawn(values, of: 1_000, width).count <= width)
            if width > 0 { #expect(drawn(values, of: 1, width).count == width) }
        }
    }
}
