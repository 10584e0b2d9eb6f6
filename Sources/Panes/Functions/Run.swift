// SPDX-License-Identifier: Apache-2.0

import API
import Functions
import JSON
import Platform
import Terminal

/// A run with its attempts, its log and its data.
struct RunPane: Pane {
    static let name = "Run"
    static let summary = "One run: attempts with responses, its lines of the log, and its data."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Shows the row in full.", when: { $0.sections.row(in: $0.lists($1)) != nil }) { pane, view in
                pane.sections.row(in: pane.lists(view)).map { .open(TextPane(pane.sections.section(of: pane.lists(view)).title, $0.lines)) }
            }, .retry { $0.run($1) },
        ] + PaneKey.sections(\.sections) { $0.lists($1) }

    private static let missing = "It is no longer stored: finished runs are removed after some days."

    private let id: String
    private let query: DaemonQuery<RunResponse>
    private var sections = SectionedList()

    init(id: String) {
        self.id = id
        query = DaemonQuery("run", "/v1/runs/\(id.percentEncoded)", every: 3)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [query.polled] }

    private func run(_ view: PaneView) -> RunResponse? { view.results.value(query) }

    /// The lines of the run in the log of its function.
    private func log(of run: RunResponse) -> DaemonQuery<LogResponse> {
        DaemonQuery("run_log", "/v1/functions/\(run.function.percentEncoded)/logs", [("run", run.id), ("limit", "500")], every: 3)
    }

    func followUps(_ view: PaneView) -> [PolledQuery] { run(view).map { [log(of: $0).polled] } ?? [] }

    // MARK: Lists

    private func lists(_ view: PaneView) -> [ListSection] {
        guard let run = run(view) else { return [attemptList([], view)] }
        return [attemptList(run.attempts ?? [], view), logList(run, view), dataList(run)]
    }

    /// The attempts, newest first.
    private func attemptList(_ attempts: [AttemptResponse], _ view: PaneView) -> ListSection {
        let columns = [
            Table.Column("", .right), Table.Column("at"), Table.Column("ms", .right), Table.Column("status", .right), Table.Column("error"),
            Table.Column("response", isFlexible: true),
        ]
        let rows = attempts.enumerated().reversed().map { number, attempt in
            ListSection.Row(
                "\(number + 1)",
                [
                    "\(number + 1)", view.moment(attempt.at), Numbers.short(attempt.milliseconds), attempt.status.map(String.init) ?? "–",
                    attempt.error ?? "", attempt.firstLine,
                ], whole: attempt.response ?? "", attempt.isTaken ? Theme.good : Theme.warning)
        }
        return ListSection("Attempts", columns, Array(rows), nothing: "No attempts yet.")
    }

    private func logList(_ run: RunResponse, _ view: PaneView) -> ListSection {
        let columns = [Table.Column("at"), Table.Column("level"), Table.Column("line", isFlexible: true)]
        let rows = (view.results.value(log(of: run))?.items ?? []).enumerated().reversed().map { number, line in
            ListSection.Row(
                "\(number)", [view.moment(line.at), line.level.name, line.line], whole: line.line,
                line.level == .known(.error) ? Theme.warning : .plain)
        }
        return ListSection("Log", columns, Array(rows), nothing: "No lines.")
    }

    private func dataList(_ run: RunResponse) -> ListSection {
        guard let data = run.data else {
            return ListSection("Data", [Table.Column("data", isFlexible: true)], [], nothing: "Data of documents needs an admin key.")
        }
        let lines = ((try? JSONValue(Array(data.utf8)))?.pretty ?? data).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return ListSection(
            "Data", [Table.Column("data", isFlexible: true)], lines.enumerated().map { ListSection.Row("\($0)", [$1], lines: data) },
            nothing: "No data.")
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = run(view)
        guard let body = Block.open("Run", "", query, view, in: area.inset(1), on: &frame, missing: Self.missing), let found else { return }
        sections.draw(lists(view), in: facts(found, view).draw(in: body, leaving: 6, on: &frame), on: &frame)
    }

    private func facts(_ run: RunResponse, _ view: PaneView) -> FieldList {
        FieldList(
            [
                "id": run.id, "function": run.function, "state": run.state.name, "type": run.type, "about": run.about.isEmpty ? nil : run.about,
                "key": run.key, "user": run.user, "tries": Numbers.short(run.tries), "depth": Numbers.short(run.depth),
                "next": run.dueAt.map { view.moment($0) }, "changed": view.moment(run.changedAt),
            ], styles: ["state": run.state.style])
    }
}
