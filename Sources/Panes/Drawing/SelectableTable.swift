// SPDX-License-Identifier: Apache-2.0

import Terminal

/// A table with a selected row. A long table is scrolled so that the row is visible.
struct SelectableTable {
    typealias DrawBehind = (Int, Rect, inout Frame) -> Void

    /// The second lines of the rows, below a column.
    ///
    ///     > x  EXC_BAD_ACCESS: Attempted to dereference…   120k
    ///          Cart.checkout(with:coupons:)
    struct SecondLines {
        /// The index of the column at which the lines begin.
        let column: Int
        let text: (Int) -> String
    }

    private let table: Table
    private let count: Int
    private let chosen: Int?
    private let secondLines: SecondLines?
    private let style: (Int) -> Style

    init(
        _ columns: [Table.Column], _ rows: [[String]], chosen: Int?, secondLines: SecondLines? = nil,
        style: @escaping (Int) -> Style = { _ in .plain }
    ) {
        table = Table(columns, rows)
        count = rows.count
        self.chosen = chosen
        self.secondLines = secondLines
        self.style = style
    }

    /// The columns of `width` that the table leaves free at the right.
    func spare(of width: Int) -> Int {
        let room = width - 2
        return max(0, room - table.width(in: room) - 2)
    }

    /// Draws the table, and keeps `width` columns at the right of each row for `behind`.
    func draw(in area: Rect, on frame: inout Frame, keeping width: Int = 0, behind: DrawBehind = { _, _, _ in }) {
        guard area.height > 1 else { return }
        let (marks, room) = area.split(columns: 2)
        let left = room.split(columns: room.width - (width > 0 ? width + 2 : 0)).left
        let rowHeight = secondLines != nil && area.height >= 5 ? 2 : 1
        let fitting = (area.height - 1) / rowHeight
        let first = first(of: fitting)
        let indent = secondLines.map { table.places(in: left)[$0.column].x - left.x } ?? 0
        table.draw(from: first, in: left, on: &frame, heading: Theme.faint, rowHeight: rowHeight)
        for row in first..<min(count, first + fitting) {
            let y = area.y + 1 + (row - first) * rowHeight
            let lines = Rect(left.x, y, left.width, rowHeight)
            frame.restyle(lines) { $0 = style(row) }
            let second = lines.split(rows: 1).rest.split(columns: indent).rest
            if !second.isEmpty, let secondLines { frame.text(secondLines.text(row), in: second, Theme.faint, cut: .middle) }
            if row == chosen {
                frame.put(">", marks.x, y, Theme.key)
                frame.restyle(lines) { $0.attributes.insert(.reverse) }
            }
            frame.link(Rect(area.x, y, area.width, rowHeight), keys(to: row))
            behind(row, Rect(room.x + room.width - width, y, width, 1), &frame)
        }
    }

    /// The keys that a click on a row stands for.
    private func keys(to row: Int) -> [Key] {
        guard let chosen else { return [] }
        return row == chosen ? [.enter] : Array(repeating: row < chosen ? .up : .down, count: abs(row - chosen))
    }

    /// The first visible row; the selected row is in the middle where possible.
    private func first(of fitting: Int) -> Int {
        max(0, min((chosen ?? 0) - fitting / 2, count - fitting))
    }
}
