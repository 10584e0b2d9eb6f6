// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal

/// One issue: how often, since when, where and to whom it happens, and what was done about it.
struct IssuePane: Pane {
    let title = "Issue"
    private let id: String
    private let issue: DaemonQuery<IssueResponse>
    private var shown = SectionedList()
    private let gone = "There is no such issue any more; it may be part of another."

    init(id: String) {
        self.id = id
        issue = DaemonQuery("issue", "/v1/issues/\(id.percentEncoded)", every: 3)
    }

    private var crashes: DaemonQuery<PageResponse<CrashResponse>> { CrashList.ask(issue: id) }

    func commands(_ view: PaneView) -> Set<DashboardCommand> {
        guard let issue = view.answers.value(issue) else { return [.missing] }
        let isAtVariants = shown.listing(of: listings(issue, view)).title == IssueDetails.variants
        return DashboardCommand.moves.union(issue.commands).union([.open, .section, .missing]).union(isAtVariants ? [.split] : [])
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [issue.polled, crashes.polled] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect? {
        if command == .missing { return .open(MissingSymbolsPane()) }
        guard let issue = view.answers.value(issue) else { return nil }
        let listings = listings(issue, view)
        switch command {
        case .open: return open(shown.listing(of: listings), shown.row(in: listings), view)
        case .section: shown.perform(command, in: listings)
        case .split: return shown.row(in: listings).map { issue.split(off: $0.id, view) }
        default:
            guard DashboardCommand.moves.contains(command) else { return issue.step(command, view) }
            shown.perform(command, in: listings)
        }
        return nil
    }

    private func open(_ listing: ListSection, _ row: ListSection.Row?, _ view: PaneView) -> PaneEffect? {
        guard let row else { return nil }
        switch listing.title {
        case IssueDetails.crashes: return CrashList.open(row.id, in: view.answers.value(crashes), of: id)
        case IssueDetails.variants: return .open(VariantPane(issue: id, variant: row.id))
        default: return row.whole.isEmpty ? nil : .open(TextPane(listing.title, row.whole))
        }
    }

    private func listings(_ issue: IssueResponse, _ view: PaneView) -> [ListSection] {
        IssueDetails.all(issue, view.answers.value(crashes), view)
    }

    /// Of the list that is shown.
    func sheet(_ view: PaneView) -> Sheet? {
        guard let issue = view.answers.value(issue) else { return nil }
        let shown = shown.listing(of: listings(issue, view)).title
        return shown == IssueDetails.crashes
            ? view.answers.value(crashes).map { CrashList.sheet($0) } : IssueDetails.sheet(of: shown, issue)
    }

    // MARK: What is drawn

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = view.answers.value(issue)
        let note = found.map { ([$0.kind, $0.state] + $0.signalWords).joined(separator: " · ") } ?? ""
        guard let body = Block.open("Issue \(id)", note, issue, view, in: area.inset(1), on: &frame, missing: gone), let found else { return }
        let (listings, shown) = (listings(found, view), shown)
        let facts = facts(found, view)
        let rows = [
            PaneRow(
                [(1, { _, place, frame in _ = facts.draw(in: place, leaving: 0, on: &frame) })], least: 3, most: facts.height, rank: 0, weight: 4),
            PaneRow([(1, { IssueBlocks.days(found, $0, in: $1, on: &$2) })], least: 2, most: 9, rank: 2, weight: 1),
            PaneRow(IssueBlocks.shares(found), least: 3, most: 9, rank: 3, weight: 1),
            PaneRow([(1, { _, place, frame in shown.draw(listings, in: place, on: &frame) })], least: 5, most: 100, rank: 1, weight: 4),
        ]
        PaneRow.draw(rows, view, in: body, on: &frame)
    }

    /// What is longest comes last, where it gives way first.
    private func facts(_ issue: IssueResponse, _ view: PaneView) -> FieldList {
        let first = view.moment(issue.firstSeen) + (issue.firstRelease.map { " in \($0)" } ?? "")
        let last = view.moment(issue.lastSeen) + (issue.lastRelease.map { " in \($0)" } ?? "")
        return FieldList(
            [
                "what": issue.title, "where": issue.culprit,
                "happened": issue.count.of("time", "times") + (issue.users > 0 ? ", to \(issue.users.of("person", "people"))" : ""),
                "seen": "first \(first), last \(last)", "state": issue.stateText(view), "grouped": grouping(issue),
            ], styles: ["what": .bold, "state": issue.style])
    }

    private func grouping(_ issue: IssueResponse) -> String {
        let variants = issue.variants?.count ?? 1
        return "by \(issue.groupedBy)" + (variants > 1 ? ", in \(variants.of("variant", "variants"))" : "")
    }
}
