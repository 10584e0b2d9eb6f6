// SPDX-License-Identifier: Apache-2.0

/// Values over time as a filled line of braille dots, two across and four down in each cell.
package struct AreaChart: Sendable {
    /// One value per step of time; `nil` if it is unknown.
    private let values: [Double?]
    private let start: String
    private let end: String

    package init(_ values: [Double?], from start: String, to end: String) {
        self.values = values
        self.start = start
        self.end = end
    }

    package func draw(in area: Rect, on frame: inout Frame, _ style: Style, axis: Style) {
        guard area.height >= 2, area.width >= 4 else { return }
        let top = Numbers.roundUp(values.compactMap(\.self).max() ?? 0)
        let plot = ChartAxis(top: top, start: start, end: end).draw(in: area, on: &frame, axis)
        fill(plot, top, on: &frame, style)
    }

    private func fill(_ area: Rect, _ top: Double, on frame: inout Frame, _ style: Style) {
        let heights = dots(across: area.width * 2, down: area.height * 4, top)
        for x in 0..<area.width {
            for y in 0..<area.height {
                let below = (area.height - 1 - y) * 4
                let bits = Braille.column(heights[2 * x] - below, .left) | Braille.column(heights[2 * x + 1] - below, .right)
                if bits != 0 { frame.put([Braille.glyph(bits)], area.x + x, area.y + y, style) }
            }
        }
    }

    /// Returns the height in dots of each dot column. A value is a step as wide as its time.
    private func dots(across: Int, down: Int, _ top: Double) -> [Int] {
        (0..<across).map { x in
            guard !values.isEmpty, let value = values[x * values.count / across] else { return 0 }
            return value > 0 ? max(1, min(down, Int((value / top * Double(down)).rounded()))) : 0
        }
    }
}
