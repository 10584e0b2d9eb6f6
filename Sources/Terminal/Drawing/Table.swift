// SPDX-License-Identifier: Apache-2.0

/// A table with headings.
package struct Table: Sendable {
    package struct Column: Sendable {
        package var heading: String
        package var alignment: Alignment
        /// Whether the column is narrowed first if the table does not fit.
        package var isFlexible: Bool
        /// The weight of the column among flexible ones when they are narrowed.
        package var weight: Int
        package var cut: Cut

        package init(_ heading: String, _ alignment: Alignment = .left, isFlexible: Bool = false, weight: Int = 1, cut: Cut = .end) {
            self.heading = heading
            self.alignment = alignment
            self.isFlexible = isFlexible
            self.weight = weight
            self.cut = cut
        }
    }

    private let columns: [Column]
    private let rows: [[String]]

    package init(_ columns: [Column], _ rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }

    /// The number of rows, including the headings.
    package var height: Int { rows.count + 1 }

    /// Returns the width that the table uses of the available columns.
    package func width(in room: Int) -> Int {
        let widths = widths(in: room).filter { $0 > 0 }
        return widths.reduce(0, +) + Table.gap * max(0, widths.count - 1)
    }

    /// Draws the rows that fit, starting at `first`. All rows determine the column widths. With a `rowHeight` above 1 lines stay free below each
    /// row.
    package func draw(from first: Int = 0, in area: Rect, on frame: inout Frame, heading: Style, _ style: Style = .plain, rowHeight: Int = 1) {
        guard !area.isEmpty else { return }
        let widths = widths(in: area.width)
        draw(columns.map(\.heading), widths, area.split(rows: 1).top, on: &frame, heading)
        for (index, row) in rows.dropFirst(first).prefix((area.height - 1) / rowHeight).enumerated() {
            draw(row, widths, Rect(area.x, area.y + 1 + index * rowHeight, area.width, 1), on: &frame, style)
        }
    }

    private func draw(_ row: [String], _ widths: [Int], _ line: Rect, on frame: inout Frame, _ style: Style) {
        for ((cell, place), column) in zip(zip(row, places(widths, line)), columns) where !place.isEmpty {
            frame.text(cell, in: place, style, column.alignment, cut: column.cut)
        }
    }

    /// Returns the columns of a line. Columns that do not fit are empty.
    package func places(in line: Rect) -> [Rect] { places(widths(in: line.width), line) }

    private func places(_ widths: [Int], _ line: Rect) -> [Rect] {
        var rest = line
        return widths.map { width in
            let (place, after) = rest.split(columns: width)
            if width > 0 { rest = after.split(columns: Table.gap).rest }
            return place
        }
    }

    private static let gap = 2

    /// Returns the column widths: the widest cell of each. If they do not fit, the widest flexible columns shrink by weight, then the last columns
    /// are dropped.
    private func widths(in room: Int) -> [Int] {
        var widths = columns.indices.map { column in max(columns[column].heading.width, rows.map { $0[column].width }.max() ?? 0) }
        var missing = widths.reduce(0, +) + Table.gap * max(0, widths.count - 1) - room
        let least = columns.map { max(8, $0.heading.width) }
        while missing > 0 {
            let flexible = columns.indices.filter { columns[$0].isFlexible && widths[$0] > least[$0] }
            guard let widest = flexible.max(by: { widths[$0] * columns[$1].weight < widths[$1] * columns[$0].weight }) else { break }
            widths[widest] -= 1
            missing -= 1
        }
        for index in columns.indices.reversed() where missing > 0 && index > 0 {
            missing -= widths[index] + Table.gap
            widths[index] = 0
        }
        return widths
    }
}
