// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Platform
import Terminal

/// What goes wrong in the app, each thing once.
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

    let title = "Crashes"
    private var state: IssueState? = .open
    private var kind: CrashKind?
    private var text = ""
    private var order = Order.lastSeen
    private var choice = Selection()

    private var issues: DaemonQuery<PageResponse<IssueResponse>> {
        let filters = [("state", state?.name), ("kind", kind?.name), ("text", text.isEmpty ? nil : text)]
        let given = filters.compactMap { name, value in value.map { (name, $0) } }
        return DaemonQuery("issues", "/v1/issues", [("limit", "100"), ("sort", order.rawValue)] + given, every: 3)
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> {
        let always: Set<DashboardCommand> = [.filter, .kind, .find, .sort, .missing]
        guard let issue = chosen(view) else { return always }
        return always.union(DashboardCommand.moves).union(issue.commands).union([.open])
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [issues.polled] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect? {
        switch command {
        case .filter: state = [.open, .closed, .muted].next(after: state)
        case .kind: kind = [.fatal, .anr, .nonfatal].next(after: kind)
        case .sort: order = Order.allCases.next(after: order) ?? .lastSeen
        case .find: return .type(search)
        case .missing: return .open(MissingSymbolsPane())
        case .open: return chosen(view).map { .open(IssuePane(id: $0.id)) }
        default:
            guard DashboardCommand.moves.contains(command) else { return chosen(view)?.step(command, view, others: items(view)) }
            choice.move(command, in: items(view).map(\.id))
            return nil
        }
        choice = Selection()
        return nil
    }

    private var search: Prompt {
        Prompt("Find", "A text in the title or the place; nothing shows all.", text: text) { [self] text in
            var found = self
            (found.text, found.choice) = (text, Selection())
            return .become(found)
        }
    }

    private func items(_ view: PaneView) -> [IssueResponse] { view.answers.value(issues)?.items ?? [] }

    private func chosen(_ view: PaneView) -> IssueResponse? {
        let items = items(view)
        return choice.index(in: items.map(\.id)).map { items[$0] }
    }

    func sheet(_ view: PaneView) -> Sheet? {
        view.answers.value(issues).map { page in
            let headings = [
                "id", "kind", "state", "title", "culprit", "signals", "crashes", "people", "first_seen", "last_seen", "first_release", "last_release",
            ]
            let rows = page.items.map { issue in
                [issue.id, issue.kind, issue.state, issue.title, issue.culprit ?? "", issue.signals.joined(separator: " "), "\(issue.count)"]
                    + [
                        "\(issue.users)", issue.firstSeen.time.rfc3339, issue.lastSeen.time.rfc3339, issue.firstRelease ?? "",
                        issue.lastRelease ?? "",
                    ]
            }
            return Sheet(headings, rows)
        }
    }

    // MARK: What is drawn

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let page = view.answers.value(issues)
        let items = page?.items ?? []
        let counted = items.isEmpty ? nil : page?.next == nil ? Numbers.short(items.count) : "the first \(Numbers.short(items.count))"
        let note = [filters, "by \(order.words)", counted].compactMap(\.self).joined(separator: " · ")
        guard let body = Block.open(title, note, issues, view, in: area.inset(1), on: &frame) else { return }
        guard !items.isEmpty else { return Block.say(nothing, in: body, on: &frame) }
        let isWide = body.width >= 110
        let most = Double(items.map(\.count).max() ?? 0)
        SelectableTable(columns(isWide), items.map { cells($0, isWide, view) }, chosen: choice.index(in: items.map(\.id))) { items[$0].style }
            .draw(in: body, on: &frame, keeping: isWide ? body.width / 10 : 0) { row, line, frame in
                frame.bar(Double(items[row].count), of: most, in: line, Theme.chart)
            }
    }

    private var filters: String {
        let state = state?.name ?? "in any state"
        return [state, kind?.name, text.isEmpty ? nil : "«\(text)»"].compactMap(\.self).joined(separator: " · ")
    }

    private var nothing: String {
        guard kind == nil, text.isEmpty else { return "No issue is like that: \(filters)." }
        return state.map { "No issue is \($0.name); f shows others." } ?? "Nothing went wrong yet, or nobody tells of it: POST /v1/crashes."
    }

    private func columns(_ isWide: Bool) -> [Table.Column] {
        let shown: [Table.Column?] = [
            Table.Column(""), Table.Column("issue", isFlexible: true, weight: 3),
            isWide ? Table.Column("where", isFlexible: true, weight: 2, cut: .middle) : nil,
            Table.Column("signals"), state == nil ? Table.Column("state") : nil, Table.Column("crashes", .right), Table.Column("people", .right),
            Table.Column("last seen"), isWide ? Table.Column("release") : nil,
        ]
        return shown.compactMap(\.self)
    }

    private func cells(_ issue: IssueResponse, _ isWide: Bool, _ view: PaneView) -> [String] {
        let signals = isWide ? issue.signalWords.joined(separator: ", ") : issue.signalWords.first ?? ""
        let shown: [String?] = [
            CrashKind.glyph(issue.kind), issue.title, isWide ? issue.culprit ?? "" : nil, signals, state == nil ? issue.state : nil,
            Numbers.short(issue.count), Numbers.short(issue.users), view.moment(issue.lastSeen), isWide ? issue.lastRelease ?? "" : nil,
        ]
        return shown.compactMap(\.self)
    }
}

extension Array where Element: Equatable {
    /// In turns: behind the last one comes nil, and behind nil the first.
    fileprivate func next(after current: Element?) -> Element? {
        guard let current, let index = firstIndex(of: current) else { return first }
        return index + 1 < count ? self[index + 1] : nil
    }
}
