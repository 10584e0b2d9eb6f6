// SPDX-License-Identifier: Apache-2.0

/// Values over time as bars above or below a zero line. Neighbors that share a column are summed.
package struct SignedBars: Sendable {
    private let values: [Double]
    private let start: String
    private let end: String
    private let isLastOpen: Bool

    /// Creates a chart. With `isLastOpen` the last value is incomplete.
    package init(_ values: [Double], from start: String, to end: String, isLastOpen: Bool = false) {
        self.values = values
        self.start = start
        self.end = end
        self.isLastOpen = isLastOpen
    }

    package func draw(in area: Rect, on frame: inout Frame, _ above: Style, below: Style, open: Style, axis: Style) {
        guard area.height >= 2, area.width >= 4, !values.isEmpty else { return }
        let bars = bars(across: area.width)
        let scale = Scale(bars, rows: area.height - 1)
        let plot = ChartAxis(marks: scale.marks, start: start, end: end).draw(in: area, on: &frame, axis)
        let columns = plot.columns(bars.map { _ in 1 }, gap: plot.width >= bars.count * 3 ? 1 : 0)
        for (index, (value, column)) in zip(bars, columns).enumerated() {
            let (up, down) = column.split(rows: scale.rowsAbove)
            let isOpen = isLastOpen && index == bars.count - 1
            if value > 0 { SignedBars.stand(value / scale.perRow, in: up, on: &frame, isOpen ? open : above) }
            if value < 0 { SignedBars.hang(-value / scale.perRow, in: down, on: &frame, isOpen ? open : below) }
        }
    }

    /// Returns the number of neighbors that share a column of a chart of the given width. The axis takes at most a third of it or 10 columns.
    package static func shared(_ count: Int, across width: Int) -> Int {
        let columns = max(1, width - 10, width * 2 / 3)
        return max(1, (count + columns - 1) / columns)
    }

    private func bars(across width: Int) -> [Double] {
        let share = SignedBars.shared(values.count, across: width)
        return stride(from: 0, to: values.count, by: share).map { values[$0..<min(values.count, $0 + share)].reduce(0, +) }
    }

    private static func stand(_ rows: Double, in area: Rect, on frame: inout Frame, _ style: Style) {
        let eighths = Blocks.eighths(rows, of: Double(area.height), cells: area.height)
        for row in 0..<area.height {
            guard let glyph = Blocks.column(eighths - row * 8) else { return }
            frame.put(repeatElement(glyph, count: area.width), area.x, area.y + area.height - 1 - row, style)
        }
    }

    /// Draws a bar below zero by half rows, because no other block characters fill a cell from above.
    private static func hang(_ rows: Double, in area: Rect, on frame: inout Frame, _ style: Style) {
        let halves = max(1, min(area.height * 2, Int((rows * 2).rounded())))
        for row in 0..<(halves + 1) / 2 {
            let glyph = Glyph(character: halves - row * 2 >= 2 ? "█" : "▀", width: 1)
            frame.put(repeatElement(glyph, count: area.width), area.x, area.y + row, style)
        }
    }

    /// The position of zero and the value per row, which is the same on both sides.
    private struct Scale {
        let rowsAbove: Int
        let perRow: Double
        let marks: [(row: Int, value: Double)]

        init(_ bars: [Double], rows: Int) {
            let (most, least) = (bars.max() ?? 0, bars.min() ?? 0)
            let top = most > 0 || least >= 0 ? Numbers.roundUp(most) : 0
            let bottom = least < 0 ? Numbers.roundUp(-least) : 0
            let share = Int((Double(rows) * top / (top + bottom)).rounded())
            rowsAbove = max(top > 0 && rows > 1 ? 1 : 0, min(bottom > 0 ? rows - 1 : rows, share))
            perRow = max(rowsAbove > 0 ? top / Double(rowsAbove) : 0, rows > rowsAbove ? bottom / Double(rows - rowsAbove) : 0)
            var marks = rowsAbove > 0 ? [(row: 0, value: perRow * Double(rowsAbove))] : []
            if rowsAbove > 1 { marks.append((rowsAbove - 1, 0)) }
            if rows - rowsAbove > 0 { marks.append((rows - 1, -perRow * Double(rows - rowsAbove))) }
            self.marks = marks
        }
    }
}
