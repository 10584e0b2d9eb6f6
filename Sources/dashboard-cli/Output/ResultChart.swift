// SPDX-License-Identifier: Apache-2.0

import Panes
import Terminal

/// The chart of a table over time.
struct ResultChart {
    static let height = 10
    private let lines: [(name: String, values: [Double?])]
    private let start: String
    private let end: String

    /// Charts counts and amounts, but no shares and durations; nil with fewer than three rows.
    init?(_ table: ResultTable, moments: [String]) {
        let rows = table.rows.filter { $0.first != "total" }
        guard table.headings.first == "t", table.kind == .series || table.kind == .fields, rows.count >= 3 else { return nil }
        let columns = table.headings.indices.dropFirst().filter { table.kind == .series || ResultChart.isAmount(table.headings[$0]) }
        guard !columns.isEmpty else { return nil }
        lines = columns.map { column in
            (table.kind == .series ? table.headings[column] : ValueFormatter.heading(table.headings[column]), rows.map { Double($0[column]) })
        }
        (start, end) = (moments[0], moments[rows.count - 1])
    }

    private static func isAmount(_ field: String) -> Bool {
        !ValueFormatter.isShare(field) && !field.hasPrefix("per_") && !field.hasSuffix("seconds")
    }

    func draw(in area: Rect, on frame: inout Frame) {
        guard lines.count > 1 else {
            return AreaChart(lines[0].values, from: start, to: end).draw(in: area, on: &frame, Theme.chart, axis: Theme.faint)
        }
        let (chart, legend) = area.split(rows: area.height - 1)
        let styles = lines.indices.map { Theme.lines[$0 % Theme.lines.count] }
        LineChart(lines.map(\.values), from: start, to: end, marks: LineChart.letters).draw(in: chart, on: &frame, styles, axis: Theme.faint)
        let entries = zip(zip(lines, styles), LineChart.letters).map { (mark: $1, text: $0.0.name, style: $0.1) }
        Legend(entries).draw(in: legend, on: &frame)
    }
}
