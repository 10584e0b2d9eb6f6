/// Several lines over the same time, each in its own style; where they cross the later one is seen.
package struct LineChart: Sendable {
    private let lines: [[Double?]]
    private let start: String
    private let end: String

    package init(_ lines: [[Double?]], from start: String, to end: String) {
        (self.lines, self.start, self.end) = (lines, start, end)
    }

    package func draw(in whole: Rect, on frame: inout Frame, _ styles: [Style], axis: Style) {
        guard whole.height >= 2, whole.width >= 4 else { return }
        let top = Numbers.roundUp(lines.joined().compactMap(\.self).max() ?? 0)
        let area = ChartAxis(top: top, start: start, end: end).draw(in: whole, on: &frame, axis)
        var bits: [Int: UInt8] = [:]
        for (line, style) in zip(lines, styles) {
            for (x, y) in points(of: line, across: area.width * 2, down: area.height * 4, top) {
                let place = y / 4 * area.width + x / 2
                bits[place, default: 0] |= Braille.dot(x % 2 == 0 ? .left : .right, y % 4)
                frame.put([Braille.glyph(bits[place] ?? 0)], area.x + x / 2, area.y + y / 4, style)
            }
        }
    }

    /// Dots from left to right, each joined to the one before by those between them.
    private func points(of line: [Double?], across: Int, down: Int, _ top: Double) -> [(Int, Int)] {
        var out: [(Int, Int)] = []
        var last: Int?
        for x in 0..<across where !line.isEmpty {
            guard let value = value(line, at: Double(x) / Double(max(1, across - 1))) else {
                last = nil
                continue
            }
            let y = down - 1 - max(0, min(down - 1, Int((value / top * Double(down - 1)).rounded())))
            for between in min(last ?? y, y)...max(last ?? y, y) { out.append((x, between)) }
            last = y
        }
        return out
    }

    /// The value at a share of the way, on straight lines between its neighbours.
    private func value(_ line: [Double?], at share: Double) -> Double? {
        let place = share * Double(line.count - 1)
        let index = min(line.count - 1, Int(place))
        guard let left = line[index] else { return nil }
        guard index + 1 < line.count, let right = line[index + 1] else { return left }
        return left + (right - left) * (place - Double(index))
    }
}
