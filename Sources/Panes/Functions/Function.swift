// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Functions
import Platform
import Terminal

/// A function: its runs, newest first, and the end of its log.
struct FunctionPane: Pane {
    static let name = "Function"
    static let summary = "One function: its runs, and the end of its log."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the run, or the line in full.", when: { $0.row($1) != nil }) { pane, view in pane.opened(view) },
            PaneKey("f", "state", "Shows the runs in the next state.") { pane, _ in
                pane.state = states.next(after: pane.state)
                pane.pages = LoadedPages()
                return nil
            },
        ] + PaneKey.sections(\.sections, moved: { $0.follow($1) }) { $0.lists($1) } + [.retry { $0.run($1) }]

    /// The states in the order of the key `f`.
    private static let states: [RunState] = [.dead, .retrying, .running, .waiting, .done, .cancelled]

    private let name: String
    private var state: RunState?
    private var sections = SectionedList()
    private var pages = LoadedPages()

    init(_ name: String) { self.name = name }

    // MARK: Queries

    private var path: String { "/v1/functions/\(name.percentEncoded)" }

    private var runs: PagedQuery<Page<RunResponse>> {
        let filter = state.map { [("state", $0.name)] } ?? []
        return PagedQuery(DaemonQuery("runs", "\(path)/runs", [("limit", "100")] + filter, every: 3), id: \.id)
    }

    private var log: DaemonQuery<LogResponse> { DaemonQuery("function_log", "\(path)/logs", [("limit", "500")], every: 3) }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [FunctionsPane.query.polled, runs.first(pages), log.polled] }

    func followUps(_ view: PaneView) -> [PolledQuery] { runs.further(pages, view) }

    private func figures(_ view: PaneView) -> FunctionStatisticsResponse.Function? {
        view.results.value(FunctionsPane.query)?.items.first { $0.name == name }
    }

    // MARK: Lists

    private func lists(_ view: PaneView) -> [ListSection] { [runList(view), logList(view)] }

    private func runList(_ view: PaneView) -> ListSection {
        let columns = [
            Table.Column("changed"), Table.Column("state"), Table.Column("tries", .right), Table.Column("type"),
            Table.Column("about", isFlexible: true), Table.Column("run"),
        ]
        let rows = runs.items(pages, view).map { run in
            ListSection.Row(
                run.id, [view.moment(run.changedAt), run.state.name, Numbers.short(run.tries), run.type, run.about, run.id], run.state.style)
        }
        let nothing = state.map { "No \($0.name) runs." } ?? "No runs yet: a task or a trigger makes one. Calls are not kept."
        return ListSection("Runs", columns, rows, nothing: nothing, part: runs.part(pages, "newest", view) ?? state?.name)
    }

    /// The end of the log, newest first.
    private func logList(_ view: PaneView) -> ListSection {
        let columns = [Table.Column("at"), Table.Column("level"), Table.Column("line", isFlexible: true)]
        let lines = view.results.value(log)?.items ?? []
        let rows = lines.enumerated().reversed().map { number, line in
            ListSection.Row(
                "\(number) \(line.at.time.milliseconds)", [view.moment(line.at), line.level.name, line.line], whole: line.line,
                line.level == .known(.error) ? Theme.warning : .plain)
        }
        return ListSection("Log", columns, Array(rows), nothing: "No lines yet.", part: rows.count == 500 ? "newest 500" : nil)
    }

    private func row(_ view: PaneView) -> ListSection.Row? { sections.row(in: lists(view)) }

    /// The selected run, while runs are shown.
    private func run(_ view: PaneView) -> RunResponse? {
        let id = row(view)?.id
        return runs.items(pages, view).first { $0.id == id }
    }

    private func opened(_ view: PaneView) -> PaneEffect? {
        if let run = run(view) { return .open(RunPane(id: run.id)) }
        return row(view).map { .open(TextPane("Line", $0.lines)) }
    }

    private mutating func follow(_ view: PaneView) {
        let list = runList(view)
        guard run(view) != nil else { return }
        pages.follow(sections.index(in: lists(view)), of: list.rows.count, hasMore: runs.hasMore(pages, view))
    }

    func sheet(_ view: PaneView) -> Sheet? {
        guard view.results.value(runs.query) != nil else { return nil }
        return Sheet(
            ["changed_at", "id", "state", "tries", "type", "about", "user"],
            runs.items(pages, view).map { run in
                [run.changedAt.time.rfc3339, run.id, run.state.name, "\(run.tries)", run.type, run.about, run.user ?? ""]
            })
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Function \(name)", "", runs.query, view, in: area.inset(1), on: &frame, missing: "There is no such function.")
        else { return }
        sections.draw(lists(view), in: facts(view).draw(in: body, leaving: 6, on: &frame), on: &frame)
    }

    private func facts(_ view: PaneView) -> FieldList {
        guard let found = figures(view) else { return FieldList([:]) }
        let times = [found.medianMilliseconds.map { ("p50", $0) }, found.slowMilliseconds.map { ("p99", $0) }].compactMap(\.self)
        let speed = times.map { "\($0.0) \(Numbers.milliseconds($0.1))" }.joined(separator: ", ")
        let hour = ["\(Numbers.short(Int(found.ended))) ended", "\(Numbers.short(Int(found.failures))) failed", speed].filter { !$0.isEmpty }
        let states = RunState.allCases.compactMap { state in found.runs[state.name].map { "\(Numbers.short($0)) \(state.name)" } }
        return FieldList(
            [
                "target": found.target, "triggers": found.triggers.isEmpty ? nil : found.triggers.joined(separator: " · "),
                "last hour": hour.joined(separator: " · "),
                "calls": "\(Numbers.short(found.callsUnderWay)) under way · \(Numbers.short(found.callsWaiting)) waiting",
                "runs": states.isEmpty ? "none" : states.joined(separator: " · "),
                "broken": found.brokenUntil.map { "calls are refused until \(view.moment($0))" },
            ], styles: ["broken": Theme.bad])
    }
}
