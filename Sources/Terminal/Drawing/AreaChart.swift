/// Values over time as a filled line of braille dots, two across and four down in each cell.
package struct AreaChart: Sendable {
    /// One for each step of time; nil where nothing is known.
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
        let (body, foot) = area.split(rows: area.height - 1)
        // Half of the top lies at the edge of a row only where their number is even.
        let labels = body.height >= 6 && body.height.isMultiple(of: 2) ? [(0, top), (body.height / 2, top / 2)] : [(0, top)]
        let texts = labels.map { ($0.0, Numbers.short($0.1)) } + (body.height > 1 ? [(body.height - 1, "0")] : [])
        let margin = min(area.width / 3, (texts.map(\.1.width).max() ?? 0) + 1)
        for (row, text) in texts { frame.text(text, in: Rect(body.x, body.y + row, margin - 1, 1), axis, .right) }
        fill(body.split(columns: margin).rest, top, on: &frame, style)
        let line = foot.split(columns: margin).rest
        let taken = frame.text(start, in: line, axis)
        if taken + end.width < line.width { frame.text(end, in: line, axis, .right) }
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

    /// How many dots stand above each other at each place; a value is a step as wide as its time.
    private func dots(across: Int, down: Int, _ top: Double) -> [Int] {
        (0..<across).map { x in
            guard !values.isEmpty, let value = values[x * values.count / across] else { return 0 }
            return value > 0 ? max(1, min(down, Int((value / top * Double(down)).rounded()))) : 0
        }
    }
}
