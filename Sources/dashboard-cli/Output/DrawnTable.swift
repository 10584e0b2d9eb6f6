import Terminal

/// A table of an answer with its title, and above it its chart, where its rows are moments.
struct DrawnTable {
    private let table: AnswerTable
    private let cells: [[String]]
    private let depth: ColorDepth
    private let chart: AnswerChart?
    /// The row of what is not over yet.
    private let openRow: Int?

    init(_ table: AnswerTable, _ values: ShownValues, isOpen: Bool, _ depth: ColorDepth) {
        self.table = table
        self.depth = depth
        let columns = table.headings.indices.map { column in
            DrawnTable.column(table.rows.map { $0[column] }, table.headings[column], table.kind, values)
        }
        let openRow = isOpen && table.headings.first == "t" && table.kind != .cohorts ? table.rows.lastIndex { $0[0] != "total" } : nil
        self.openRow = openRow
        cells = table.rows.indices.map { row in columns.enumerated().map { row == openRow && $0 == 0 ? $1[row] + " …" : $1[row] } }
        chart = AnswerChart(table, moments: cells.map { $0.first ?? "" })
    }

    private static func column(_ values: [String], _ heading: String, _ kind: AnswerTable.Kind, _ shown: ShownValues) -> [String] {
        switch kind {
        case .verbatim: values
        // A series may be called like a field.
        case .series where heading != "t": shown.column(values, of: "value")
        case .series, .fields, .cohorts: shown.column(values, of: heading)
        }
    }

    /// Whether any of its numbers is more than nothing.
    var saysSomething: Bool {
        table.kind == .verbatim
            ? !table.rows.isEmpty : table.rows.contains { $0.dropFirst().contains { (Double($0.filter { $0 != "*" }) ?? 0) != 0 } }
    }

    var height: Int { 1 + (chart == nil ? 0 : AnswerChart.height + 1) + 1 + cells.count + (isHalfOver ? 1 : 0) }

    /// Answers the room below it.
    func draw(in area: Rect, on frame: inout Frame) -> Rect {
        var (head, rest) = area.split(rows: 1)
        frame.rule(ShownValues.heading(table.name), in: head, Theme.faint, title: Theme.title)
        if let chart {
            let (room, below) = rest.split(rows: AnswerChart.height)
            chart.draw(in: room, on: &frame)
            rest = below.split(rows: 1).rest
        }
        return table.kind == .cohorts ? drawCohorts(in: rest, on: &frame) : drawRows(in: rest, on: &frame)
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
        return table.kind == .verbatim || (table.kind == .series && column > 0) ? heading : ShownValues.heading(heading)
    }

    private func isNumbers(_ column: Int) -> Bool {
        let cells = table.rows.map { $0[column] }.filter { !$0.isEmpty && $0 != "null" }
        return !cells.isEmpty && cells.allSatisfy { Double($0) != nil }
    }

    private static let counted: Set<String> = ["value", "count", "people"]
    private static let longestBar = 50

    /// What was counted of each, as a bar behind its row.
    private func drawBars(behind start: Int, in area: Rect, on frame: inout Frame) {
        let width = min(DrawnTable.longestBar, area.width - start)
        guard table.kind == .fields, table.headings.first != "t", width >= 10,
            let column = table.headings.firstIndex(where: { DrawnTable.counted.contains($0) })
        else { return }
        let counts = table.rows.map { Double($0[column]) ?? 0 }
        for (row, count) in counts.enumerated() {
            frame.bar(count, of: counts.max() ?? 0, in: Rect(area.x + start, area.y + 1 + row, width, 1), Theme.chart)
        }
    }

    // MARK: Cohorts

    /// Whether there are periods that have begun and are not over.
    private var isHalfOver: Bool { table.kind == .cohorts && table.rows.contains { $0.contains { $0.hasSuffix("*") } } }

    /// The more of a cohort came back, the stronger its cell.
    private func drawCohorts(in area: Rect, on frame: inout Frame) -> Rect {
        var line = area.split(rows: 1)
        let moments = max(10, cells.map { $0[0].width }.max() ?? 0)
        drawCohort(["", "people"] + (0..<table.headings.count - 2).map(String.init), nil, moments, in: line.top, on: &frame)
        for (shown, values) in zip(cells, table.rows) {
            line = line.rest.split(rows: 1)
            drawCohort(shown, values, moments, in: line.top, on: &frame)
        }
        guard isHalfOver else { return line.rest }
        line = line.rest.split(rows: 1)
        frame.text("* not over yet", in: line.top, Theme.faint)
        return line.rest
    }

    /// Without values it is the row of headings.
    private func drawCohort(_ shown: [String], _ values: [String]?, _ moments: Int, in line: Rect, on frame: inout Frame) {
        var rest = line
        for (column, text) in shown.enumerated() {
            let width = column == 0 ? moments : 7
            guard rest.width >= width else { return }
            let (place, after) = rest.split(columns: width)
            if column >= 2, let share = values.flatMap({ Double($0[column].filter { $0 != "*" }) }) {
                // The mark has a column of its own.
                let aligned = isHalfOver && !text.hasSuffix("*") ? text + " " : text
                frame.heat(aligned, share, in: place, from: Theme.pale, to: Theme.blue, depth)
            } else {
                frame.text(text, in: place, values == nil ? Theme.faint : .plain, column == 0 ? .left : .right)
            }
            rest = after.split(columns: 1).rest
        }
    }
}
