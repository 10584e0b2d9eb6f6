import Events
import Terminal

/// The parts of the pane of people: each draws one answer, or says why there is none.
enum UsersBlocks {
    // MARK: Active people

    typealias ActiveAsk = Ask<QueryAnswer<ActiveUsersAnswer>>

    static func active(_ ask: ActiveAsk, _ before: ActiveAsk, _ others: String, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let answer = view.answers.value(ask)
        let points = answer?.body.points ?? []
        let told = answer.map { "\(points.count.of("day", "days")) · \(Numbers.short($0.body.total)) in all" } ?? ""
        guard let body = Block.open("Active people", note(told, others), ask, view, in: area, on: &frame), let answer, let last = points.last else {
            return
        }
        guard answer.body.total > 0 else { return Block.say("Nobody was there; ] looks further back.", in: body, on: &frame) }
        let (chart, foot) = body.split(rows: body.height - 1)
        let old = view.look.compares ? view.answers.value(before) : nil
        let days = points.map { Double($0.dau) }
        var lines = [points.map { Double($0.mau) }, points.map { Double($0.wau) }, days]
        var styles = [Theme.lines[0], Theme.lines[1], Theme.lines[2]]
        if let old {
            lines.insert(old.body.points.map { Double($0.dau) }, at: 0)
            styles.insert(Theme.faint, at: 0)
        }
        LineChart(lines, from: view.day(points[0].t.time), to: view.day(last.t.time)).draw(in: chart, on: &frame, styles, axis: Theme.faint)
        let sticky = Numbers.percent(last.stickiness)
        var entries = [
            ("day \(Numbers.short(last.dau))", Theme.lines[2]), ("week \(Numbers.short(last.wau))", Theme.lines[1]),
            ("month \(Numbers.short(last.mau))", Theme.lines[0]), ("sticky \(sticky)", Style.plain),
        ]
        if let old { entries.insert((comparison(answer, old), Theme.faint), at: 1) }
        Legend(entries.map { (text: $0, style: $1) }).draw(in: foot, on: &frame)
    }

    /// A usual day of either period; the running day has only begun, and would not be fair.
    private static func comparison(_ now: QueryAnswer<ActiveUsersAnswer>, _ before: QueryAnswer<ActiveUsersAnswer>) -> String {
        let days = now.about.complete ? now.body.points[...] : now.body.points.dropLast()
        let mean = { (points: ArraySlice<ActiveUsersAnswer.Point>) in
            points.isEmpty ? 0 : Double(points.reduce(0) { $0 + $1.dau }) / Double(points.count)
        }
        let (new, old) = (mean(days), mean(before.body.points[...]))
        guard old > 0 else { return "nobody before" }
        let change = Change(new, before: old).map { ", now \($0.text)" } ?? ""
        return "before \(Numbers.short(old.rounded())) a day\(change)"
    }

    private static func note(_ told: String, _ others: String) -> String {
        [told, others].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    // MARK: Lifecycle

    private typealias Kind = (name: String, glyph: Character, style: Style, count: @Sendable (LifecycleAnswer.Point) -> Int)

    private static let kinds: [Kind] = [
        ("new", "█", Style(Theme.green), { $0.new }), ("returning", "▓", Style(Theme.blue), { $0.returning }),
        ("resurrecting", "▒", Style(Theme.violet), { $0.resurrecting }), ("dormant", "░", Theme.faint, { $0.dormant }),
    ]

    static func lifecycle(
        _ ask: Ask<QueryAnswer<LifecycleAnswer>>, _ span: UsersSpan, _ others: String, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        let answer = view.answers.value(ask)
        let points = (answer?.body.points ?? []).suffix(max(0, area.height - 2))
        guard let body = Block.open("Lifecycle", note("by \(span.interval)", others), ask, view, in: area, on: &frame), let answer else { return }
        let sum = { (point: LifecycleAnswer.Point) in kinds.reduce(0) { $0 + $1.count(point) } }
        let most = points.map(sum).max() ?? 0
        guard most > 0 else { return Block.say("Nobody was there; ] looks further back.", in: body, on: &frame) }
        let columns = [Table.Column("")] + kinds.map { Table.Column("\($0.glyph) \($0.name)", .right) }
        let table = Table(
            columns,
            points.map { point in
                let isOpen = !answer.about.complete && point == points.last
                return [span.name(point.t, view) + (isOpen ? " …" : "")] + kinds.map { Numbers.short($0.count(point)) }
            })
        table.draw(in: body, on: &frame, heading: Theme.faint)
        let bars = body.split(columns: table.width(in: body.width) + 2).rest
        for (row, point) in points.enumerated() {
            let parts = kinds.map { StackedBar.Part($0.count(point), $0.glyph, $0.style) }
            StackedBar(parts, of: most).draw(in: Rect(bars.x, bars.y + 1 + row, bars.width, 1), on: &frame)
        }
    }

    // MARK: Retention

    static func retention(
        _ ask: Ask<QueryAnswer<RetentionAnswer>>, _ span: UsersSpan, _ others: String, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        let cohorts = view.answers.value(ask)?.body.cohorts ?? []
        let told = "who came back, \(span.interval) by \(span.interval)"
        guard let body = Block.open("Retention", note(told, others), ask, view, in: area, on: &frame) else { return }
        guard cohorts.contains(where: { $0.size > 0 }) else {
            return Block.say("Nobody was there for the first time; ] looks further back.", in: body, on: &frame)
        }
        let rows = cohorts.map { cohort in
            CohortTable.Row(
                name: span.name(cohort.t, view), people: Numbers.short(cohort.size),
                cells: cohort.size == 0 ? [] : cohort.cells.map { CohortTable.Cell(share: $0.share, isOver: $0.complete) })
        }
        // What a terminal without colours leaves of it still says the shares.
        _ = CohortTable(rows, .full).draw(in: body, on: &frame)
    }
}
