import JSON
import Platform
import Terminal

/// An answer for people: what it is about, a chart where there is one to draw, and its tables.
struct AnswerFrame {
    private let parts: AnswerTables
    private let zone: ZoneOffsets?
    private let depth: ColorDepth
    private static let chartHeight = 10

    init(_ answer: JSONValue, depth: ColorDepth) {
        parts = AnswerTables(answer)
        zone = ZoneOffsets(answer.text("tz"))
        self.depth = depth
    }

    /// As high as it needs to be.
    func frame(width: Int) -> Frame {
        let height =
            1 + otherFacts.count + parts.tables.reduce(0) { $0 + 3 + $1.rows.count + (lines(of: $1) == nil ? 0 : AnswerFrame.chartHeight + 1) }
        var frame = Frame(Size(width, height))
        var rest = drawFacts(in: frame.bounds, on: &frame)
        for table in parts.tables { rest = draw(table, in: rest.split(rows: 1).rest, on: &frame) }
        return frame
    }

    // MARK: Facts

    private static let about: Set<String> = ["from", "to", "tz", "complete", "source"]
    private var otherFacts: [(name: String, value: String)] { parts.facts.filter { !AnswerFrame.about.contains($0.name) } }
    private func fact(_ name: String) -> String { parts.facts.first { $0.name == name }?.value ?? "" }

    private func drawFacts(in area: Rect, on frame: inout Frame) -> Rect {
        var rest = area
        if !fact("from").isEmpty {
            let open = fact("complete") == "false" ? ", not over yet" : ""
            frame.text("\(time(fact("from"))) – \(time(fact("to"))) \(fact("tz"))\(open)", in: rest, Theme.faint)
            rest = rest.split(rows: 1).rest
        }
        let width = otherFacts.map(\.name.width).max() ?? 0
        for (name, value) in otherFacts {
            let (left, right) = rest.split(rows: 1).top.split(columns: width + 2)
            frame.text(name, in: left, Theme.faint)
            frame.text(shown(value, in: name), in: right, .bold)
            rest = rest.split(rows: 1).rest
        }
        return rest
    }

    // MARK: Tables

    private func draw(_ table: AnswerTable, in area: Rect, on frame: inout Frame) -> Rect {
        var (head, rest) = area.split(rows: 1)
        frame.rule(table.name, in: head, Theme.faint, title: Theme.title)
        if let lines = lines(of: table) {
            let (chart, below) = rest.split(rows: AnswerFrame.chartHeight)
            draw(lines, of: table, in: chart, on: &frame)
            rest = below.split(rows: 1).rest
        }
        if table.headings.contains("share 0") { return drawCohorts(table, in: rest, on: &frame) }
        let columns = table.headings.map { Table.Column($0, isNumbers($0, in: table) ? .right : .left, isFlexible: !isNumbers($0, in: table)) }
        let rows = table.rows.map { zip($0, table.headings).map { shown($0, in: $1) } }
        let shownTable = Table(columns, rows)
        shownTable.draw(in: rest, on: &frame, heading: Theme.faint)
        return rest.split(rows: shownTable.height).rest
    }

    /// The more of a cohort came back, the stronger its cell.
    private func drawCohorts(_ table: AnswerTable, in area: Rect, on frame: inout Frame) -> Rect {
        let widths = table.headings.indices.map { $0 == 0 ? 16 : 7 }
        for (row, cells) in ([table.headings] + table.rows).enumerated() where row < area.height {
            var rest = Rect(area.x, area.y + row, area.width, 1)
            for ((cell, heading), width) in zip(zip(cells, table.headings), widths) where rest.width >= width {
                let (place, after) = rest.split(columns: width)
                if row == 0 {
                    frame.text(heading.filter { $0.isNumber || !heading.hasPrefix("share") }, in: place, Theme.faint, heading == "t" ? .left : .right)
                } else if heading.hasPrefix("share"), let share = Double(cell.filter { $0 != "*" }) {
                    frame.heat(shown(cell, in: heading), share, in: place, from: Theme.pale, to: Theme.blue, depth)
                } else {
                    frame.text(shown(cell, in: heading), in: place, .plain, heading == "t" ? .left : .right)
                }
                rest = after.split(columns: 1).rest
            }
        }
        return area.split(rows: table.rows.count + 1).rest
    }

    private func isNumbers(_ heading: String, in table: AnswerTable) -> Bool {
        guard let column = table.headings.firstIndex(of: heading) else { return false }
        let cells = table.rows.map { $0[column] }.filter { !$0.isEmpty && $0 != "null" }
        return !cells.isEmpty && cells.allSatisfy { Double($0.filter { $0 != "*" }) != nil }
    }

    // MARK: Charts

    /// The columns that can be drawn over time, in one scale: counts and amounts, but neither shares nor lengths of time.
    private func lines(of table: AnswerTable) -> [(name: String, values: [Double?])]? {
        let rows = table.rows.filter { $0.first != "total" }
        guard table.headings.first == "t", rows.count >= 3, !table.headings.contains("size") else { return nil }
        let columns = table.headings.indices.dropFirst().filter { column in
            let name = table.headings[column]
            return !isShare(name) && !name.hasPrefix("per_") && !name.hasSuffix("seconds")
        }
        return columns.isEmpty ? nil : columns.map { column in (table.headings[column], rows.map { Double($0[column]) }) }
    }

    private func draw(_ lines: [(name: String, values: [Double?])], of table: AnswerTable, in area: Rect, on frame: inout Frame) {
        let moments = table.rows.map { $0[0] }.filter { $0 != "total" }.map { time($0) }
        let (start, end) = (moments.first ?? "", moments.last ?? "")
        guard lines.count > 1 else {
            return AreaChart(lines[0].values, from: start, to: end).draw(in: area, on: &frame, Theme.chart, axis: Theme.faint)
        }
        let (chart, legend) = area.split(rows: area.height - 1)
        let styles = lines.indices.map { Theme.lines[$0 % Theme.lines.count] }
        LineChart(lines.map(\.values), from: start, to: end).draw(in: chart, on: &frame, styles, axis: Theme.faint)
        var rest = legend
        for (name, style) in zip(lines.map(\.name), styles) {
            let taken = frame.text("● \(name)", in: rest, style)
            rest = rest.split(columns: taken + 2).rest
        }
    }

    // MARK: Values

    private func shown(_ value: String, in field: String) -> String {
        if field == "t" || field.hasSuffix("_at") || field.hasSuffix("_since") { return time(value) }
        if value == "null" { return "–" }
        guard let number = Double(value.filter { $0 != "*" }) else { return value }
        let mark = value.hasSuffix("*") ? "*" : ""
        if isShare(field) { return Numbers.percent(number) + mark }
        if field.hasSuffix("seconds") { return Numbers.duration(seconds: Int(number)) }
        // Money and the like keep the digits they came with.
        return value.contains(".") ? Numbers.decimals(number, 2) : Numbers.short(number)
    }

    private func isShare(_ field: String) -> Bool {
        field.hasPrefix("share") || field.hasSuffix("share") || field == "stickiness"
    }

    /// A moment in the zone of the answer: the day alone at its beginning.
    private func time(_ text: String) -> String {
        guard let time = Timestamp(rfc3339: Array(text.utf8).span) else { return text }
        let local = (zone?.local(time) ?? time).rfc3339
        let clock = local.dropFirst(11).prefix(5)
        return local.prefix(10) + (clock == "00:00" ? "" : " " + clock)
    }
}
