// SPDX-License-Identifier: Apache-2.0

import Terminal

/// A table with a selected row. A long table is scrolled so that the row is visible.
struct SelectableTable {
    typealias DrawBehind = (Int, Rect, inout Frame) -> Void

    private let table: Table
    private let count: Int
    private let chosen: Int?
    private let style: (Int) -> Style

    init(_ columns: [Table.Column], _ rows: [[String]], chosen: Int?, style: @escaping (Int) -> Style = { _ in .plain }) {
        table = Table(columns, rows)
        count = rows.count
        self.chosen = chosen
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
        let first = first(in: area.height - 1)
        table.draw(from: first, in: left, on: &frame, heading: Theme.faint)
        for row in first..<min(count, first + area.height - 1) {
            let y = area.y + 1 + row - first
            frame.restyle(Rect(left.x, y, left.width, 1)) { $0 = style(row) }
            if row == chosen {
                frame.put(">", marks.x, y, Theme.key)
                frame.restyle(Rect(left.x, y, left.width, 1)) { $0.attributes.insert(.reverse) }
            }
            frame.link(Rect(area.x, y, area.width, 1), keys(to: row))
            behind(row, Rect(room.x + room.width - width, y, width, 1), &frame)
        }
    }

    /// The keys that a click on a row stands for.
    private func keys(to row: Int) -> [Key] {
        guard let chosen else { return [] }
        return row == chosen ? [.enter] : Array(repeating: row < chosen ? .up : .down, count: abs(row - chosen))
    }

    /// The first visible row; the selected row is in the middle where possible.
    private func first(in height: Int) -> Int {
        max(0, min((chosen ?? 0) - height / 2, count - height))
    }
}
