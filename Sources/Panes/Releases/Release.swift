// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// A release: crash-free users and sessions over time, and the issues that it brought.
struct ReleasePane: Pane {
    static let name = "Release"
    static let summary = "One release: crash-free users and sessions over time, and its new issues."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the issue.", when: { $0.list.selected(in: $0.items($1)) != nil }) { pane, view in
                pane.list.selected(in: pane.items(view)).map { .open(IssuePane(id: $0.id)) }
            }
        ]
        + PaneKey.range + [.compare]
        + PaneKey.list(\.list, hasMore: { $0.issues.hasMore($0.list.pages, $1) }) { $0.items($1) }

    private let release: String
    private let issues: PagedQuery<Page<IssueResponse>>
    private var list = ListState<IssueResponse>(
        id: \.id, text: { [$0.title, $0.culprit].compactMap(\.self).joined(separator: "\n") },
        orders: [
            .init("first seen") { $1.firstSeen.time < $0.firstSeen.time }, .init("crashes") { $1.count < $0.count },
            .init("people") { $1.users < $0.users },
        ])

    init(_ release: String) {
        self.release = release
        let parameters = [("limit", "100"), ("sort", "first_seen"), ("first_release", release)]
        issues = PagedQuery(DaemonQuery("release_issues", "/v1/issues", parameters, every: 5), id: \.id)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        ReleaseQueries(options.range).polled(options) + [issues.first(list.pages)]
    }

    func followUps(_ view: PaneView) -> [PolledQuery] { issues.further(list.pages, view) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    private func items(_ view: PaneView) -> [IssueResponse] { issues.items(list.pages, view) }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let queries = ReleaseQueries(view.range)
        guard let body = Block.open("Release \(release)", view.rangeNote, queries.now, view, in: area.inset(1), on: &frame),
            let result = view.results.value(queries.now)?.body
        else { return }
        let found = result.releases.first { $0.release == release }
        let height = view.options.compares ? 3 : 2
        let rows = [
            PaneRow(
                [(1, { drawFigures(found, queries, $0, in: $1, on: &$2) })], least: found == nil ? 1 : height, most: found == nil ? 1 : height,
                rank: 0),
            PaneRow([(1, { drawChart(found, $0, in: $1, on: &$2) })], least: 5, most: 14, rank: 2, weight: 2),
            PaneRow([(1, { drawIssues($0, in: $1, on: &$2) })], least: 4, most: 500, rank: 1, weight: 3),
        ]
        PaneRow.draw(found == nil ? [rows[0], rows[2]] : rows, view, in: body, on: &frame)
    }

    private func drawFigures(
        _ found: CrashFreeResult.Release?, _ queries: ReleaseQueries, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        guard let found else { return Block.say("Not among the releases with sessions in this range.", in: area, on: &frame) }
        CrashFreeFigures(found.total, queries, of: .some(release)).draw(view, in: area, on: &frame)
    }

    /// Buckets without sessions have no point.
    private func drawChart(_ found: CrashFreeResult.Release?, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.split(rows: 1)
        let points = found?.points ?? []
        let note = found.map { "adoption \(CrashFreeText.adoption($0)) of people" } ?? ""
        frame.rule("Crashed \(view.aBucket), in %", note: note, in: head, Theme.faint, title: Theme.title)
        guard let first = points.first else { return }
        let lines = [\CrashFreeResult.Figures.crashFreeUsers, \.crashFreeSessions].map { path in
            points.map { $0.figures[keyPath: path].map { (1 - $0) * 100 } }
        }
        LineChart(lines, from: view.bucket(first.t.time), to: "now", names: ["◆ people", "▲ sessions"], marks: LineChart.shapes)
            .draw(in: body, on: &frame, Theme.lines, axis: Theme.faint)
    }

    private func drawIssues(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = items(view)
        let items = list.items(of: all)
        guard let body = Block.open("New issues", list.note(of: issues, "newest", view), issues.query, view, in: area, on: &frame) else { return }
        guard !items.isEmpty else { return Block.say(list.whyEmpty ?? "No issue appeared first in this release.", in: body, on: &frame) }
        let culprits = SelectableTable.SecondLines.culprits(of: items, below: 1, in: body)
        let place = culprits == nil ? [Table.Column("where", isFlexible: true, weight: 2, cut: .middle)] : []
        let columns =
            [Table.Column(""), Table.Column("issue", isFlexible: true, weight: 3)] + place
            + [Table.Column("crashes", .right), Table.Column("people", .right), Table.Column("first seen"), Table.Column("state")]
        let cells = items.map { issue in
            [issue.kind.glyph, issue.title] + (culprits == nil ? [issue.culprit ?? ""] : [])
                + [Numbers.short(issue.count), Numbers.short(issue.users), view.moment(issue.firstSeen), issue.state.label]
        }
        SelectableTable(columns, cells, chosen: list.index(in: all), secondLines: culprits) { items[$0].style }.draw(in: body, on: &frame)
    }
}
