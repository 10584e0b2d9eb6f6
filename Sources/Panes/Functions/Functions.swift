// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Functions
import Platform
import Terminal

/// The functions of the app: how often they ran in the last hour, how long it took, what waits and what failed.
struct FunctionsPane: Pane {
    typealias Function = FunctionStatisticsResponse.Function

    static let name = "Functions"
    static let summary = "Functions: calls and runs of the last hour, failures, durations, what waits, dead runs, and how far triggers are behind."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Lists the runs of the function.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(FunctionPane($0.name)) }
            }
        ]
        + PaneKey.list(\.list) { $0.items($1) } + [
            PaneKey("R", "redrive", "Retries the dead runs of the function; asks first.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view)?.redrive(view)
            }
        ]

    static let query = DaemonQuery<FunctionStatisticsResponse>("function_statistics", "/v1/functions:statistics", [], every: 3)

    private var list = ListState<Function>(
        id: \.name, text: { ([$0.name, $0.target] + $0.triggers).joined(separator: "\n") },
        orders: [
            .init("name") { $0.name < $1.name }, .init("calls") { ($1.ended, $0.name) < ($0.ended, $1.name) },
            .init("failures") { ($1.failures, $0.name) < ($0.failures, $1.name) }, .init("dead") { ($1.dead, $0.name) < ($0.dead, $1.name) },
        ])

    func queries(_ options: ViewOptions) -> [PolledQuery] { [Self.query.polled] }

    mutating func find(_ text: String) { list.find(text) }

    private func items(_ view: PaneView) -> [Function] { view.results.value(Self.query)?.items ?? [] }

    private func selected(_ view: PaneView) -> Function? { list.selected(in: items(view)) }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(Self.query).map { _ in
            Sheet(
                ["name", "target", "triggers", "last_hour", "failures", "median_ms", "p99_ms", "waiting", "running", "retrying", "dead"],
                list.items(of: items(view)).map { function in
                    [
                        function.name, function.target, function.triggers.joined(separator: "; "), "\(function.ended)", "\(function.failures)",
                        function.medianMilliseconds.map { "\($0)" } ?? "", function.slowMilliseconds.map { "\($0)" } ?? "", "\(function.waiting)",
                        "\(function.running)", "\(function.count(.retrying))", "\(function.dead)",
                    ]
                })
        }
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let sources = view.results.value(Self.query)?.sources ?? []
        var rows = [PaneRow([(1, { drawList($0, in: $1, on: &$2) })], least: 4, most: 200, rank: 0, weight: 1)]
        if !sources.isEmpty {
            rows.append(PaneRow([(1, { drawSources(sources, $0, in: $1, on: &$2) })], least: 2, most: sources.count + 1, rank: 1, weight: 1))
        }
        PaneRow.draw(rows, view, in: area.inset(1), on: &frame)
    }

    private func drawList(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = items(view)
        let rows = list.items(of: all)
        guard let body = Block.open(title, [list.note, "last hour"].joined(separator: " · "), Self.query, view, in: area, on: &frame) else { return }
        guard !rows.isEmpty else {
            return Block.say(list.whyEmpty ?? "No functions yet: PUT /v1/functions/{name}, or `ingestd function set`.", in: body, on: &frame)
        }
        let isWide = body.width >= 100
        var columns = [Table.Column("function", isFlexible: true)]
        if isWide { columns.append(Table.Column("target", isFlexible: true)) }
        columns += ["ended", "failed", "p50", "p99", "waiting", "dead"].map { Table.Column($0, .right) }
        let cells = rows.map { function in
            [function.name] + (isWide ? [function.target] : []) + [
                Numbers.short(Int(function.ended)), function.failures > 0 ? Numbers.short(Int(function.failures)) : "",
                function.medianMilliseconds.map(Numbers.milliseconds) ?? "", function.slowMilliseconds.map(Numbers.milliseconds) ?? "",
                function.waiting > 0 ? Numbers.short(function.waiting) : "", function.dead > 0 ? Numbers.short(function.dead) : "",
            ]
        }
        let table = SelectableTable(columns, cells, chosen: list.index(in: all)) { rows[$0].style }
        let minutes = body.width >= 70 ? min(MinuteSums.minutes, max(body.width / 5, table.spare(of: body.width))) : 0
        table.draw(in: body, on: &frame, keeping: minutes) { row, line, frame in
            frame.sparkline(rows[row].perMinute.map(Double.init), in: line, Theme.chart)
        }
    }

    /// One line for each source: `event   seen up to now`, `file   4.2 s behind`.
    private func drawSources(_ sources: [FunctionStatisticsResponse.Source], _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Triggers", "", Self.query, view, in: area, on: &frame) else { return }
        for (row, source) in sources.prefix(body.height).enumerated() {
            let (name, rest) = Rect(body.x + 2, body.y + row, max(0, body.width - 2), 1).split(columns: 11)
            frame.text(source.source, in: name, Theme.faint)
            let isBehind = source.lagSeconds > 0
            let text = isBehind ? "\(Numbers.duration(seconds: max(1, Int(source.lagSeconds)))) behind" : "all seen"
            frame.text(text, in: rest, source.lagSeconds > 10 ? Theme.warning : .plain)
        }
    }
}

extension FunctionStatisticsResponse.Function {
    /// Ended calls and attempts of the last hour.
    var ended: Int64 { perMinute.reduce(0, +) }

    func count(_ state: RunState) -> Int { runs[state.name] ?? 0 }

    var dead: Int { count(.dead) }
    /// Calls and runs that wait for a place or for their next attempt.
    var waiting: Int { callsWaiting + count(.waiting) + count(.retrying) }
    var running: Int { callsUnderWay + count(.running) }

    fileprivate var style: Style { brokenUntil != nil ? Theme.bad : dead > 0 || failures > 0 ? Theme.warning : .plain }

    /// Retries all dead runs.
    func redrive(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotRun { return .unavailable(why) }
        guard dead > 0 else { return .unavailable("The function has no dead runs.") }
        let what = "\(Numbers.short(dead)) dead \(dead == 1 ? "run" : "runs")"
        return .confirm(
            PendingAction(
                confirmation: "Retry \(what) of \(name) from the first attempt?", path: "/v1/functions/\(name.percentEncoded)/redrive"
            ) { (result: RedriveResponse) in "Redriven: \(result.redriven) of \(what)." })
    }
}
