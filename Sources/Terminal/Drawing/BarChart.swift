// SPDX-License-Identifier: Apache-2.0

/// Vertical bars, each with its label below and, if it fits, its value above.
package struct BarChart: Sendable {
    package struct Bar: Sendable {
        package var label: String
        package var value: Double
        /// Whether the value is incomplete.
        package var isOpen: Bool

        package init(_ label: String, _ value: Double, isOpen: Bool = false) {
            self.label = label
            self.value = value
            self.isOpen = isOpen
        }
    }

    private let bars: [Bar]

    package init(_ bars: [Bar]) {
        self.bars = bars
    }

    package func draw(in area: Rect, on frame: inout Frame, _ style: Style, open: Style, label: Style) {
        guard !bars.isEmpty, area.height >= 2 else { return }
        let shown = bars.suffix(max(1, area.width / 2))
        let gap = area.width >= shown.count * 3 ? 1 : 0
        let width = (area.width + gap) / shown.count - gap
        let columns = shown.indices.map { Rect(area.x + ($0 - shown.startIndex) * (width + gap), area.y, width, area.height) }
        let hasValues = area.height >= 4 && columns.allSatisfy { $0.width >= 3 }
        let top = shown.map(\.value).max() ?? 0
        for (bar, column) in zip(shown, columns) {
            let (body, foot) = column.split(rows: area.height - 1)
            let (head, room) = body.split(rows: hasValues ? 1 : 0)
            let height = draw(bar, of: top, in: room, on: &frame, bar.isOpen ? open : style)
            frame.text(bar.label, in: foot, label)
            if hasValues {
                frame.text(Numbers.short(bar.value, within: head.width), in: Rect(head.x, room.y + room.height - height - 1, head.width, 1), label)
            }
        }
    }

    /// Draws a bar. Returns the number of rows it touches.
    private func draw(_ bar: Bar, of top: Double, in area: Rect, on frame: inout Frame, _ style: Style) -> Int {
        let eighths = Blocks.eighths(bar.value, of: top, cells: area.height)
        for row in 0..<(eighths + 7) / 8 {
            guard let glyph = Blocks.column(eighths - row * 8) else { break }
            frame.put(repeatElement(glyph, count: area.width), area.x, area.y + area.height - 1 - row, style)
        }
        return (eighths + 7) / 8
    }
}
