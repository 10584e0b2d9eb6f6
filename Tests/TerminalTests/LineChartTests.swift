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

    private func marked(_ lines: [[Double?]], _ size: Size, _ marks: [Character] = LineChart.letters) -> Frame {
        var frame = Frame(size)
        LineChart(lines, from: "", to: "", marks: marks).draw(in: frame.bounds, on: &frame, lines.map { _ in .plain }, axis: .plain)
        return frame
    }

    @Test func `each line has its mark along it, also where lines lie on each other`() {
        let lines = marked([[4, 4], [4, 4], [0, 0]], Size(60, 7)).lines
        for mark in ["a", "b", "c"] { #expect(lines.joined().count { String($0) == mark } >= 3, "\(mark) in \(lines)") }
        #expect(lines.first { $0.contains("a") }?.contains("b") == true && lines.first { $0.contains("c") }?.contains("a") == false)
    }

    @Test func `a gap in a line has no mark, and no size overflows or lacks a mark where there is room`() {
        #expect(!marked([[nil, nil, nil], [1, 2, 3]], Size(60, 7)).lines.joined().contains("a"))
        for width in 0...40 {
            for height in 0...6 {
                let lines = marked([[1, 2], [2, 1], [1, 1], [2, 2]], Size(width, height)).lines
                #expect(lines.allSatisfy { $0.width <= width })
                if width >= 12, height >= 3 { for mark in ["a", "b", "c", "d"] { #expect(lines.joined().contains(mark), "\(width)x\(height)") } }
            }
        }
    }

    @Test func `marks differ in ASCII from each other and from the dots of lines`() {
        let marks = (LineChart.shapes + LineChart.letters.prefix(6)).map { Alphabet.ascii.shows(Glyph(character: $0, width: 1)) }
        #expect(Set(marks).count == marks.count)
        let dots = (0...8).map { count in Alphabet.ascii.shows(Braille.glyph(UInt8((1 << count) - 1))) }
        #expect(Set(marks).isDisjoint(with: dots))
    }
}
