// SPDX-License-Identifier: Apache-2.0

import API
import Crashes
import Events
import Platform
import Terminal

/// The issues of the app.
struct IssuesPane: Pane {
    private enum Order: String, CaseIterable {
        case lastSeen = "last_seen"
        case count, users

        var words: String {
            switch self {
            case .lastSeen: "last seen"
            case .count: "crashes"
            case .users: "people"
            }
        }
    }

    static let name = "Crashes"
    static let summary = "Issues with their crashes and affected users."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the issue.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(IssuePane(id: $0.id)) }
            },
            PaneKey("f", "state", "Shows the issues of the next state.") { pane, _ in
                pane.change { $0.state = [.open, .closed, .muted].next(after: $0.state) }
            },
            PaneKey("w", "kind", "Shows the issues of the next kind: fatal, ANR or nonfatal.") { pane, _ in
                pane.change { $0.kind = [.fatal, .anr, .nonfatal].next(after: $0.kind) }
            },
            PaneKey(.seenWithin) { pane, view in
                pane.startOver()
                return .prompt(.seenWithin(view.options.seenWithin))
            },
            PaneKey(.find) { pane, _ in .prompt(pane.search) },
            PaneKey(.sort) { pane, _ in pane.change { $0.order = Order.allCases.next(after: $0.order) ?? .lastSeen } },
        ]
        + PaneKey.issueActions({ $0.selected($1) }, others: { $0.items($1) }) + [.missingSymbols]
        + PaneKey.moves(when: { !$0.items($1).isEmpty }) { $0.move($1, $2) }

    private var state: IssueState? = .open
    private var kind: CrashKind?
    private var text = ""
    private var order = Order.lastSeen
    private var selection = Selection()
    private var pages = LoadedPages()

    private func issues(_ options: ViewOptions) -> PagedQuery<Page<IssueResponse>> {
        let since = options.seenWithin.map { "-\($0.text)" }
        let filters = [("state", state?.name), ("kind", kind?.name), ("text", text.isEmpty ? nil : text), ("from", since)]
        let given = filters.compactMap { name, value in value.map { (name, $0) } }
        return PagedQuery(DaemonQuery("issues", "/v1/issues", [("limit", "100"), ("sort", order.rawValue)] + given, every: 3), id: \.id)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [issues(options).first(pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { issues(view.options).further(pages, view) }

    private mutating func startOver() {
        (selection, pages) = (Selection(), LoadedPages())
    }

    /// Changes the filters, and selects the first row.
    private mutating func change(_ change: (inout IssuesPane) -> Void) -> PaneEffect? {
        change(&self)
        startOver()
        return nil
    }

    private mutating func move(_ move: Selection.Move, _ view: PaneView) {
        let ids = items(view).map(\.id)
        selection.move(move, in: ids)
        pages.follow(selection.index(in: ids), of: ids.count, hasMore: issues(view.options).hasMore(pages, view))
    }

    private var search: Prompt {
        Prompt("Find", "A text in the title or the culprit (empty: all).", text: text) { [self] text in
            var found = self
            found.text = text
            found.startOver()
            return .replace(found)
        }
    }

    private func items(_ view: PaneView) -> [IssueResponse] { issues(view.options).items(pages, view) }

    private func selected(_ view: PaneView) -> IssueResponse? {
        let items = items(view)
        return selection.index(in: items.map(\.id)).map { items[$0] }
    }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(issues(view.options).query).map { _ in IssuesPane.sheet(items(view)) }
    }

    func sheetPages(_ view: PaneView) -> SheetPages? { issues(view.options).sheets(IssuesPane.sheet) }

    private static func sheet(_ issues: [IssueResponse]) -> Sheet {
        let headings = [
            "id", "kind", "state", "title", "culprit", "signals", "crashes", "people", "first_seen", "last_seen", "first_release", "last_release",
            "assignee",
        ]
        let rows = issues.map { issue in
            [issue.id, issue.kind.name, issue.state.name, issue.title, issue.culprit ?? ""]
                + [
                    issue.signals.map(\.name).joined(separator: " "), "\(issue.count)", "\(issue.users)", issue.firstSeen.time.rfc3339,
                    issue.lastSeen.time.rfc3339, issue.firstRelease ?? "", issue.lastRelease ?? "", issue.assignee ?? "",
                ]
        }
        return Sheet(headings, rows)
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let issues = issues(view.options)
        let items: [IssueResponse] = items(view)
        let counted = items.isEmpty ? nil : issues.part(pages, "first", view) ?? Numbers.short(items.count)
        let note = [filters(view), "by \(order.words)", counted].compactMap(\.self).joined(separator: " · ")
        guard let body = Block.open(title, note, issues.query, view, in: area.inset(1), on: &frame) else { return }
        guard !items.isEmpty else { return Block.say(nothing(view), in: body, on: &frame) }
        let isWide = body.width >= 110
        let most = Double(items.map(\.count).max() ?? 0)
        let culprits = SelectableTable.SecondLines.culprits(of: items, below: 1, in: body)
        let hasCulprits = culprits == nil
        let rows = items.map { cells($0, isWide, hasCulprits, view) }
        SelectableTable(columns(isWide, hasCulprits), rows, chosen: selection.index(in: items.map(\.id)), secondLines: culprits) { items[$0].style }
            .draw(in: body, on: &frame, keeping: isWide ? body.width / 10 : 0) { row, line, frame in
                frame.bar(Double(items[row].count), of: most, in: line, Theme.chart)
            }
    }

    private func filters(_ view: PaneView) -> String {
        let state = state.map { IssueState.label($0.name) } ?? "any state"
        let within = view.options.seenWithin.map { "last \($0.name)" }
        return [state, kind?.name, within, text.isEmpty ? nil : "«\(text)»"].compactMap(\.self).joined(separator: " · ")
    }

    private func nothing(_ view: PaneView) -> String {
        guard kind == nil, text.isEmpty, view.options.seenWithin == nil else { return "No issues match: \(filters(view))." }
        return state.map { "No \(IssueState.label($0.name)) issues; f shows other states." } ?? "No crashes yet: POST /v1/crashes."
    }

    private func columns(_ isWide: Bool, _ hasCulprits: Bool) -> [Table.Column] {
        let shown: [Table.Column?] = [
            Table.Column(""), Table.Column("issue", isFlexible: true, weight: 3),
            hasCulprits ? Table.Column("where", isFlexible: true, weight: 2, cut: .middle) : nil,
            Table.Column("signals"), state == nil ? Table.Column("state") : nil, Table.Column("crashes", .right), Table.Column("people", .right),
            Table.Column("last seen"), isWide ? Table.Column("release") : nil,
        ]
        return shown.compactMap(\.self)
    }

    private func cells(_ issue: IssueResponse, _ isWide: Bool, _ hasCulprits: Bool, _ view: PaneView) -> [String] {
        let signals = isWide ? issue.signalWords.joined(separator: ", ") : issue.signalWords.first ?? ""
        let shown: [String?] = [
            issue.kind.glyph, issue.title, hasCulprits ? issue.culprit ?? "" : nil, signals, state == nil ? issue.state.label : nil,
            Numbers.short(issue.count), Numbers.short(issue.users), view.moment(issue.lastSeen), isWide ? issue.lastRelease ?? "" : nil,
        ]
        return shown.compactMap(\.self)
    }
}

extension SelectableTable.SecondLines {
    /// The culprits of issues, below a column with their titles. Nil in wide terminals, where both fit side by side in full.
    static func culprits(of issues: [IssueResponse], below column: Int, in area: Rect) -> Self? {
        area.width < 160 ? Self(column: column) { issues[$0].culprit ?? "–" } : nil
    }
}
