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

    @Test func `names that end in one row stand near it, and those without a row are left out`() {
        let same = drawn([[4, 4], [4, 4], [4, 4]], names: ["x", "y", "z"])
        #expect(same.prefix(3).map(\.last) == ["x", "y", "z"])
        let many = drawn((0..<9).map { [Double($0)] }, names: (0..<9).map { "\($0)" })
        #expect(many.prefix(4).allSatisfy { $0.last?.isNumber == true } && many.count == 5)
    }

    @Test func `a line that ends early has its name where it ended, and one of nothing has none`() {
        let lines = drawn([[8, 8, nil], [nil, nil, nil], [0, 0, 8]], names: ["x", "y", "z"])
        #expect(lines[0].last == "x" && lines[1].last == "z" && !lines.contains { $0.contains("y") })
    }

    @Test func `where there is no room for names there are none, and no size breaks it`() {
        #expect(!drawn([[1, 2]], names: ["a long name"], Size(16, 5)).contains { $0.contains("long") })
        for width in 0...30 {
            for height in 0...8 {
                #expect(drawn([[1, 2], [3, 0]], names: ["before", "now"], Size(width, height)).allSatisfy { $0.width <= width })
            }
        }
    }
}
