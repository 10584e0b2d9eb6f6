// SPDX-License-Identifier: Apache-2.0

/// The labels of a chart: values at the left, the first and last moment below.
struct ChartAxis {
    private let marks: (_ rows: Int) -> [(row: Int, value: Double)]
    private let start: String
    private let end: String

    /// Creates an axis from 0 to `top`.
    init(top: Double, start: String, end: String) {
        marks = { ChartAxis.marks(to: top, rows: $0) }
        (self.start, self.end) = (start, end)
    }

    init(marks: [(row: Int, value: Double)], start: String, end: String) {
        self.marks = { _ in marks }
        (self.start, self.end) = (start, end)
    }

    /// Draws the labels. Returns the remaining area.
    func draw(in area: Rect, on frame: inout Frame, _ style: Style) -> Rect {
        let (body, foot) = area.split(rows: area.height - 1)
        let texts = marks(body.height).map { ($0.row, Numbers.short($0.value)) }
        let margin = min(area.width / 3, (texts.map(\.1.width).max() ?? 0) + 1)
        for (row, text) in texts { frame.text(text, in: Rect(body.x, body.y + row, margin - 1, 1), style, .right) }
        let line = foot.split(columns: margin).rest
        let taken = frame.text(start, in: line, style)
        if taken + end.width < line.width { frame.text(end, in: line, style, .right) }
        return body.split(columns: margin).rest
    }

    private static func marks(to top: Double, rows: Int) -> [(row: Int, value: Double)] {
        var marks = [(row: 0, value: top)]
        // Half of the top is at the edge of a row only if the number of rows is even.
        if rows >= 6, rows.isMultiple(of: 2) { marks.append((rows / 2, top / 2)) }
        if rows > 1 { marks.append((rows - 1, 0)) }
        return marks
    }
}
