// SPDX-License-Identifier: Apache-2.0

/// Several lines over the same time, each in its own style. Later lines cover earlier ones.
package struct LineChart: Sendable {
    private let lines: [[Double?]]
    private let start: String
    private let end: String
    private let names: [String]
    private let marks: [Character]

    /// Marks for lines with known names. They also differ in ASCII, and from the dots of the lines there.
    package static let shapes: [Character] = ["◆", "▲", "×", "▼"]
    /// Marks for any number of lines.
    package static let letters: [Character] = Array("abcdefghijklmnopqrstuvwxyz")

    /// Creates a chart. Names are drawn at the ends of the lines, and marks along them, so that lines can be told apart without colors.
    package init(_ lines: [[Double?]], from start: String, to end: String, names: [String] = [], marks: [Character] = []) {
        (self.lines, self.start, self.end, self.names, self.marks) = (lines, start, end, names, marks)
    }

    package func draw(in whole: Rect, on frame: inout Frame, _ styles: [Style], axis: Style) {
        guard whole.height >= 2, whole.width >= 4 else { return }
        let top = Numbers.roundUp(lines.joined().compactMap(\.self).max() ?? 0)
        let widest = names.map(\.width).max() ?? 0
        let (left, right) = whole.split(columns: whole.width - (widest > 0 && widest < whole.width / 3 ? widest + 1 : 0))
        let area = ChartAxis(top: top, start: start, end: end).draw(in: left, on: &frame, axis)
        drawNames(in: Rect(right.x + 1, area.y, right.width - 1, area.height), top, on: &frame, styles)
        var bits: [Int: UInt8] = [:]
        for (line, style) in zip(lines, styles) {
            for (x, y) in points(of: line, across: area.width * 2, down: area.height * 4, top) {
                let place = y / 4 * area.width + x / 2
                bits[place, default: 0] |= Braille.dot(x % 2 == 0 ? .left : .right, y % 4)
                frame.put([Braille.glyph(bits[place] ?? 0)], area.x + x / 2, area.y + y / 4, style)
            }
        }
        for (index, style) in styles.enumerated() where index < marks.count && index < lines.count {
            drawMarks(of: index, in: area, top, on: &frame, style)
        }
    }

    /// The columns between two marks of a line.
    private static let markGap = 16

    /// Draws the mark of a line at regular distances. Each line has columns of its own, so no mark hides another one.
    private func drawMarks(of index: Int, in area: Rect, _ top: Double, on frame: inout Frame, _ style: Style) {
        let gap = max(lines.count, min(LineChart.markGap, area.width / 2))
        let glyph = Glyph(character: marks[index], width: 1)
        for x in stride(from: (2 * index + 1) * gap / (2 * lines.count), to: area.width, by: gap) where !lines[index].isEmpty {
            guard let value = value(lines[index], at: Double(2 * x + 1) / Double(max(1, 2 * area.width - 1))) else { continue }
            frame.put([glyph], area.x + x, area.y + row(of: value, down: area.height * 4, top) / 4, style)
        }
    }

    /// Draws each name in the row where its line ends, or in the nearest free row.
    private func drawNames(in area: Rect, _ top: Double, on frame: inout Frame, _ styles: [Style]) {
        var free = Set(0..<max(0, area.height))
        for ((name, line), style) in zip(zip(names, lines), styles) {
            guard let value = line.last(where: { $0 != nil }) ?? nil else { continue }
            let wanted = row(of: value, down: area.height * 4, top) / 4
            guard let row = free.min(by: { (abs($0 - wanted), $0) < (abs($1 - wanted), $1) }) else { return }
            free.remove(row)
            frame.text(name, in: Rect(area.x, area.y + row, area.width, 1), style)
        }
    }

    /// Returns the dot row of a value, counted from the top.
    private func row(of value: Double, down: Int, _ top: Double) -> Int {
        down - 1 - max(0, min(down - 1, Int((value / top * Double(down - 1)).rounded())))
    }

    /// Returns the dots of a line from left to right, with dots that connect neighbors.
    private func points(of line: [Double?], across: Int, down: Int, _ top: Double) -> [(Int, Int)] {
        var out: [(Int, Int)] = []
        var last: Int?
        for x in 0..<across where !line.isEmpty {
            guard let value = value(line, at: Double(x) / Double(max(1, across - 1))) else {
                last = nil
                continue
            }
            let y = row(of: value, down: down, top)
            for between in min(last ?? y, y)...max(last ?? y, y) { out.append((x, between)) }
            last = y
        }
        return out
    }

    /// Returns the linearly interpolated value at a share of the width.
    private func value(_ line: [Double?], at share: Double) -> Double? {
        let place = share * Double(line.count - 1)
        let index = min(line.count - 1, Int(place))
        guard let left = line[index] else { return nil }
        guard index + 1 < line.count, let right = line[index + 1] else { return left }
        return left + (right - left) * (place - Double(index))
    }
}
