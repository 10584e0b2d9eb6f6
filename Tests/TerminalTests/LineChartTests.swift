// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Terminal

struct LineChartTests {
    private func drawn(_ lines: [[Double?]], names: [String], _ size: Size = Size(16, 5)) -> [String] {
        var frame = Frame(size)
        LineChart(lines, from: "a", to: "z", names: names).draw(in: frame.bounds, on: &frame, lines.map { _ in .plain }, axis: .plain)
        return frame.lines
    }

    @Test func `each line has its name at its end`() {
        let lines = drawn([[0, 0, 8, 8], [8, 8, 0, 0]], names: ["x", "y"])
        #expect(lines[0].last == "x" && lines[3].last == "y" && lines[4] == "  a          z")
    }

    @Test func `names of the same row are moved nearby, and those without space are left out`() {
        let same = drawn([[4, 4], [4, 4], [4, 4]], names: ["x", "y", "z"])
        #expect(same.prefix(3).map(\.last) == ["x", "y", "z"])
        let many = drawn((0..<9).map { [Double($0)] }, names: (0..<9).map { "\($0)" })
        #expect(many.prefix(4).allSatisfy { $0.last?.isNumber == true } && many.count == 5)
    }

    @Test func `a shorter line has its name at its last value, an empty one has none`() {
        let lines = drawn([[8, 8, nil], [nil, nil, nil], [0, 0, 8]], names: ["x", "y", "z"])
        #expect(lines[0].last == "x" && lines[1].last == "z" && !lines.contains { $0.contains("y") })
    }

    @Test func `names that do not fit are left out, and no size overflows`() {
        #expect(!drawn([[1, 2]], names: ["a long name"], Size(16, 5)).contains { $0.contains("long") })
        for width in 0...30 {
            for height in 0...8 {
                #expect(drawn([[1, 2], [3, 0]], names: ["before", "now"], Size(width, height)).allSatisfy { $0.width <= width })
            }
        }
    }
}
