// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// The blocks of the users pane: each draws one result or its error.
enum UsersBlocks {
    // MARK: Active people

    typealias ActiveUsersQuery = DaemonQuery<RangedResult<ActiveUsersResult>>

    static func active(
        _ query: ActiveUsersQuery, _ before: ActiveUsersQuery, _ others: String, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        let result = view.results.value(query)
        let old = view.options.compares ? view.results.value(before) : nil
        let points = result?.body.points ?? []
        let summary =
            result.map { "\(Numbers.short($0.body.total)) total · stickiness \(Numbers.percent($0.body.points.last?.stickiness ?? 0))" } ?? ""
        guard let body = Block.open("Active people", note(summary, others), query, view, in: area, on: &frame), let result, let last = points.last
        else {
            return
        }
        guard result.body.total > 0 else { return Block.say("No active people; ] lengthens the range.", in: body, on: &frame) }
        let (chart, foot) = body.split(rows: body.height - 1)
        // Later lines cover earlier ones; days come last because they change most.
        var lines: [Line] = [
            ("month", Numbers.short(last.mau), points.map { Double($0.mau) }, Theme.lines[0]),
            ("week", Numbers.short(last.wau), points.map { Double($0.wau) }, Theme.lines[1]),
            ("day", Numbers.short(last.dau), points.map { Double($0.dau) }, Theme.lines[2]),
        ]
        if let old { lines.insert(("before", usual(result, old), old.body.points.map { Double($0.dau) }, Theme.faint), at: 2) }
        let (from, to) = (view.day(points[0].t.time), view.day(last.t.time))
        LineChart(lines.map(\.values), from: from, to: to, names: lines.map(\.name), marks: LineChart.shapes)
            .draw(in: chart, on: &frame, lines.map(\.style), axis: Theme.faint)
        let entries = zip(LineChart.shapes, lines).map { (mark: $0, text: "\($1.name) \($1.figure)", style: $1.style) }
        Legend(entries.reversed()).draw(in: foot, on: &frame)
    }

    private typealias Line = (name: String, figure: String, values: [Double?], style: Style)

    /// The mean day of the previous period and the change. The running day and the day that it would be compared with are left out.
    private static func usual(_ now: RangedResult<ActiveUsersResult>, _ before: RangedResult<ActiveUsersResult>) -> String {
        let days = now.about.complete ? now.body.points[...] : now.body.points.dropLast()
        let mean = { (points: ArraySlice<ActiveUsersResult.Point>) in
            points.isEmpty ? 0 : Double(points.reduce(0) { $0 + $1.dau }) / Double(points.count)
        }
        let (new, old) = (mean(days), mean(before.body.points.prefix(days.count)))
        guard let change = Change(new, before: old) else { return "no users" }
        return "\(Numbers.short(old.rounded())) per day, now \(change.text)"
    }

    private static func note(_ summary: String, _ others: String) -> String {
        [summary, others].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    // MARK: Lifecycle

    private typealias Kind = (name: String, glyph: Character, style: Style, count: @Sendable (LifecycleResult.Point) -> Int)

    private static let kinds: [Kind] = [
        ("new", "█", Style(Theme.green), { $0.new }), ("returning", "▓", Style(Theme.blue), { $0.returning }),
        ("resurrected", "▒", Style(Theme.violet), { $0.resurrecting }), ("churned", "░", Theme.faint, { $0.dormant }),
    ]

    static func lifecycle(
        _ query: DaemonQuery<RangedResult<LifecycleResult>>, _ span: UsersRange, _ others: String, _ view: PaneView, in area: Rect,
        on frame: inout Frame
    ) {
        let result = view.results.value(query)
        let points = (result?.body.points ?? []).suffix(max(0, area.height - 2))
        guard let body = Block.open("Lifecycle", note("by \(span.interval)", others), query, view, in: area, on: &frame), let result else { return }
        let sum = { (point: LifecycleResult.Point) in kinds.reduce(0) { $0 + $1.count(point) } }
        let most = points.map(sum).max() ?? 0
        guard most > 0 else { return Block.say("No active people; ] lengthens the range.", in: body, on: &frame) }
        let columns = [Table.Column("")] + kinds.map { Table.Column("\($0.glyph) \($0.name)", .right) }
        let table = Table(
            columns,
            points.map { point in
                let isOpen = !result.about.complete && point == points.last
                return [span.name(point.t, view) + (isOpen ? " …" : "")] + kinds.map { Numbers.short($0.count(point)) }
            })
        table.draw(in: body, on: &frame, heading: Theme.faint)
        for (kind, place) in zip(kinds, table.places(in: body.split(rows: 1).top).dropFirst()) where !place.isEmpty {
            let mark = place.x + place.width - kind.name.width - 2
            frame.restyle(Rect(mark, place.y, 1, 1)) { $0 = kind.style }
        }
        let bars = body.split(columns: table.width(in: body.width) + 2).rest
        for (row, point) in points.enumerated() {
            let parts = kinds.map { StackedBar.Part($0.count(point), $0.glyph, $0.style) }
            StackedBar(parts, of: most).draw(in: Rect(bars.x, bars.y + 1 + row, bars.width, 1), on: &frame)
        }
    }

    // MARK: Retention

    static func retention(
        _ query: DaemonQuery<RangedResult<RetentionResult>>, _ span: UsersRange, _ others: String, _ view: PaneView, in area: Rect,
        on frame: inout Frame
    ) {
        let cohorts = view.results.value(query)?.body.cohorts ?? []
        let summary = "by \(span.interval)"
        guard let body = Block.open("Cohort retention", note(summary, others), query, view, in: area, on: &frame) else { return }
        guard cohorts.contains(where: { $0.size > 0 }) else {
            return Block.say("No new people; ] lengthens the range.", in: body, on: &frame)
        }
        let rows = cohorts.map { cohort in
            CohortTable.Row(
                name: span.name(cohort.t, view), people: Numbers.short(cohort.size),
                cells: cohort.size == 0 ? [] : cohort.cells.map { CohortTable.Cell(share: $0.share, isOver: $0.complete) })
        }
        _ = CohortTable(rows, view.depth).draw(in: body, on: &frame)
    }
}
