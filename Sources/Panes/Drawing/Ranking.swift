// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// A ranking: name, value, change and a bar in each row.
struct Ranking {
    struct Row: Sendable {
        let name: String
        let value: Double
        /// The letter of its line in the chart.
        var mark = ""
        /// The cells after the value.
        var more: [String] = []
        var change: Change?
        var style = Style.plain

        /// Whether the row is a value, and not `(other)` or `(none)`.
        var isValue: Bool { name != BreakdownName.other && name != BreakdownName.none }

        fileprivate var shownStyle: Style { isValue || !mark.isEmpty ? style : Theme.faint }
    }

    /// The state of a ranking; `(other)` is always the last row.
    static var list: ListState<Row> {
        let last: @Sendable (Row) -> Int = { row in row.name == BreakdownName.other ? 1 : 0 }
        return ListState(
            id: \.name, text: \.name,
            orders: [
                .init("number") { (last($0), -$0.value, $0.name) < (last($1), -$1.value, $1.name) },
                .init("name") { (last($0), $0.name) < (last($1), $1.name) },
            ])
    }

    /// The headings of names, values and further cells.
    let headings: [String]
    let rows: [Row]
    let compares: Bool

    func draw(_ list: ListState<Row>, in area: Rect, on frame: inout Frame) {
        let shown = list.items(of: rows)
        guard !shown.isEmpty else { return Block.say("No match for «\(list.searchText)».", in: area, on: &frame) }
        let hasMarks = rows.contains { !$0.mark.isEmpty }
        let columns = headings.enumerated().map { Table.Column($1, $0 == 0 ? .left : .right, isFlexible: $0 == 0) }
        let cells = shown.map { (hasMarks ? [$0.mark] : []) + [$0.name, Numbers.short($0.value)] + $0.more }
        let changes = compares ? max(6, shown.compactMap { $0.change?.text.width }.max() ?? 0) : 0
        let most = rows.map(\.value).max() ?? 0
        let table = SelectableTable((hasMarks ? [Table.Column("")] : []) + columns, cells, chosen: list.index(in: rows)) { shown[$0].shownStyle }
        let gap = changes > 0 ? changes + 2 : 0
        let bars = area.width >= 70 ? max(area.width / 4, table.spare(of: area.width) - gap) : 0
        let behind = changes + (changes > 0 && bars > 0 ? 2 : 0) + bars
        if compares, area.width > behind + 2, area.height > 1 {
            frame.text("change", in: Rect(area.x + area.width - behind, area.y, changes, 1), Theme.faint, .right)
        }
        table.draw(in: area, on: &frame, keeping: behind) { row, line, frame in
            let (left, right) = line.split(columns: changes)
            if let change = shown[row].change { frame.text(change.text, in: left, change.style, .right) }
            frame.bar(
                shown[row].value, of: most, in: right.split(columns: right.width - bars).rest, shown[row].mark.isEmpty ? Theme.bars : shown[row].style
            )
        }
    }
}
