// SPDX-License-Identifier: Apache-2.0

package import Terminal

/// A heat map of cohort retention: a row for each cohort, a column for each period.
package struct CohortTable {
    package struct Cell: Sendable {
        let share: Double
        let isOver: Bool

        package init(share: Double, isOver: Bool) {
            (self.share, self.isOver) = (share, isOver)
        }
    }

    package struct Row: Sendable {
        let name: String
        let people: String
        /// The cell of the cohort's first period and of every later one that has begun.
        let cells: [Cell]

        package init(name: String, people: String, cells: [Cell]) {
            (self.name, self.people, self.cells) = (name, people, cells)
        }
    }

    private let rows: [Row]
    private let depth: ColorDepth

    package init(_ rows: [Row], _ depth: ColorDepth) {
        (self.rows, self.depth) = (rows, depth)
    }

    /// Whether a period is still running.
    private var isHalfOver: Bool { rows.contains { $0.cells.contains { !$0.isOver } } }

    package var height: Int { 1 + rows.count + (isHalfOver ? 1 : 0) }

    /// Draws the last rows that fit. Returns the area below.
    package func draw(in area: Rect, on frame: inout Frame) -> Rect {
        let shown = rows.suffix(max(0, area.height - (height - rows.count)))
        let names = max(10, rows.map(\.name.width).max() ?? 0)
        var line = area.split(rows: 1)
        drawHeadings(names, in: line.top, on: &frame)
        for row in shown {
            line = line.rest.split(rows: 1)
            draw(row, names, in: line.top, on: &frame)
        }
        guard isHalfOver else { return line.rest }
        line = line.rest.split(rows: 1)
        frame.text("* in progress", in: line.top, Theme.faint)
        return line.rest
    }

    // MARK: Columns

    private static let width = 7

    private func drawHeadings(_ names: Int, in line: Rect, on frame: inout Frame) {
        var rest = line.split(columns: names + 1).rest
        for heading in ["people"] + (0..<(rows.map(\.cells.count).max() ?? 0)).map(String.init) {
            guard let place = CohortTable.place(in: &rest) else { return }
            frame.text(heading, in: place, Theme.faint, .right)
        }
    }

    private func draw(_ row: Row, _ names: Int, in line: Rect, on frame: inout Frame) {
        let (name, columns) = line.split(columns: names)
        frame.text(row.name, in: name)
        var rest = columns.split(columns: 1).rest
        guard let people = CohortTable.place(in: &rest) else { return }
        frame.text(row.people, in: people, .plain, .right)
        for cell in row.cells {
            guard let place = CohortTable.place(in: &rest) else { return }
            // The mark has its own column.
            let mark = isHalfOver ? cell.isOver ? " " : "*" : ""
            frame.heat(Numbers.percent(cell.share) + mark, cell.share, in: place, from: Theme.pale, to: Theme.blue, depth)
        }
    }

    /// The area of the next column; nil if it does not fit.
    private static func place(in rest: inout Rect) -> Rect? {
        guard rest.width >= width else { return nil }
        let (place, after) = rest.split(columns: width)
        rest = after.split(columns: 1).rest
        return place
    }
}
