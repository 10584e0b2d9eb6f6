// SPDX-License-Identifier: Apache-2.0

import Panes
import Terminal

/// A table of a result with its title, and a chart if it is a time series.
struct ResultTableView {
    private let table: ResultTable
    private let cells: [[String]]
    private let depth: ColorDepth
    private let chart: ResultChart?
    /// The row of the running bucket.
    private let openRow: Int?

    init(_ table: ResultTable, _ values: ValueFormatter, isOpen: Bool, _ depth: ColorDepth) {
        self.table = table
        self.depth = depth
        let columns = table.headings.indices.map { column in
            ResultTableView.column(table.rows.map { $0[column] }, table.headings[column], table.kind, values)
        }
        let openRow = isOpen && table.headings.first == "t" && table.kind != .cohorts ? table.rows.lastIndex { $0[0] != "total" } : nil
        self.openRow = openRow
        cells = table.rows.indices.map { row in columns.enumerated().map { row == openRow && $0 == 0 ? $1[row] + " …" : $1[row] } }
        chart = ResultChart(table, moments: cells.map { $0.first ?? "" })
    }

    private static func column(_ values: [String], _ heading: String, _ kind: ResultTable.Kind, _ shown: ValueFormatter) -> [String] {
        switch kind {
        case .verbatim: values
        // A series may have the name of a field.
        case .series where heading != "t": shown.column(values, of: "value")
        case .series, .fields, .cohorts: shown.column(values, of: heading)
        }
    }

    /// Whether any number is not zero.
    var saysSomething: Bool {
        table.kind == .verbatim
            ? !table.rows.isEmpty : table.rows.contains { $0.dropFirst().contains { (Double($0.filter { $0 != "*" }) ?? 0) != 0 } }
    }

    var height: Int { 1 + (chart == nil ? 0 : ResultChart.height + 1) + (cohorts?.height ?? 1 + cells.count) }

    /// Returns the area below it.
    func draw(in area: Rect, on frame: inout Frame) -> Rect {
        var (head, rest) = area.split(rows: 1)
        frame.rule(ValueFormatter.heading(table.name), in: head, Theme.faint, title: Theme.title)
        if let chart {
            let (room, below) = rest.split(rows: ResultChart.height)
            chart.draw(in: room, on: &frame)
            rest = below.split(rows: 1).rest
        }
        return cohorts?.draw(in: rest, on: &frame) ?? drawRows(in: rest, on: &frame)
    }

    // MARK: Rows

    private func drawRows(in area: Rect, on frame: inout Frame) -> Rect {
        let columns = table.headings.indices.map { column in
            let isNumbers = isNumbers(column)
            return Table.Column(heading(column), isNumbers ? .right : .left, isFlexible: !isNumbers)
        }
        let drawn = Table(columns, cells)
        drawn.draw(in: area, on: &frame, heading: Theme.faint)
        drawBars(behind: drawn.width(in: area.width) + 2, in: area, on: &frame)
        if let openRow { frame.restyle(Rect(area.x, area.y + 1 + openRow, area.width, 1)) { $0 = Theme.faint } }
        if table.rows.last?.first == "total" { frame.restyle(Rect(area.x, area.y + cells.count, area.width, 1)) { $0 = .bold } }
        return area.split(rows: drawn.height).rest
    }

    private func heading(_ column: Int) -> String {
        let heading = table.headings[column]
        return table.kind == .verbatim || (table.kind == .series && column > 0) ? heading : ValueFormatter.heading(heading)
    }

    private func isNumbers(_ column: Int) -> Bool {
        let cells = table.rows.map { $0[column] }.filter { !$0.isEmpty && $0 != "null" }
        return !cells.isEmpty && cells.allSatisfy { Double($0) != nil }
    }

    private static let counted: Set<String> = ["value", "count", "people"]
    private static let longestBar = 50

    /// Draws the count of each row as a bar.
    private func drawBars(behind start: Int, in area: Rect, on frame: inout Frame) {
        let width = min(ResultTableView.longestBar, area.width - start)
        guard table.kind == .fields, table.headings.first != "t", width >= 10,
            let column = table.headings.firstIndex(where: { ResultTableView.counted.contains($0) })
        else { return }
        let counts = table.rows.map { Double($0[column]) ?? 0 }
        for (row, count) in counts.enumerated() {
            frame.bar(count, of: counts.max() ?? 0, in: Rect(area.x + start, area.y + 1 + row, width, 1), Theme.chart)
        }
    }

    // MARK: Cohorts

    private var cohorts: CohortTable? {
        guard table.kind == .cohorts else { return nil }
        let rows = zip(cells, table.rows).map { shown, values in
            let cells = values.dropFirst(2).compactMap { value in
                Double(value.filter { $0 != "*" }).map { CohortTable.Cell(share: $0, isOver: !value.hasSuffix("*")) }
            }
            return CohortTable.Row(name: shown[0], people: shown[1], cells: cells)
        }
        return CohortTable(rows, depth)
    }
}
