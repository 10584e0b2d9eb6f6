// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal

/// An issue: frequency, releases, systems, devices, crashes, notes and history.
struct IssuePane: Pane {
    static let name = "Issue"
    static let summary = "One issue: crashes, releases, variants, notes and history."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the crash, the variant or the note.", when: isLoaded) { pane, view in
                guard let issue = pane.issue(view) else { return nil }
                let details = pane.details(issue, view)
                return pane.open(pane.sections.section(of: details), pane.sections.row(in: details), view)
            }
        ]
        + PaneKey.sections(\.sections, when: isLoaded, moved: { $0.loadMore($1) }) { pane, view in
            pane.issue(view).map { pane.details($0, view) } ?? []
        }
        + PaneKey.issueActions({ $0.issue($1) }, isOpen: true)
        + [
            PaneKey("S", "split", "Splits the selected variant off as an issue; asks first.", when: isAtVariants) { pane, view in
                guard let issue = pane.issue(view) else { return nil }
                return pane.sections.row(in: pane.details(issue, view)).map { issue.split(off: $0.id, view) }
            }, .missingSymbols,
        ]

    private static let isLoaded: PaneKey<Self>.Condition = { $0.issue($1) != nil }
    private static let isAtVariants: PaneKey<Self>.Condition = { pane, view in
        pane.issue(view).map { pane.sections.section(of: pane.details($0, view)).title == IssueDetails.variants } ?? false
    }

    private let id: String
    private let query: DaemonQuery<IssueResponse>
    private var sections = SectionedList()
    private var pages = LoadedPages()
    private let notFoundText = "Issue not found; it may have been deleted."

    init(id: String) {
        self.id = id
        query = DaemonQuery("issue", "/v1/issues/\(id.percentEncoded)", every: 3)
    }

    private var crashes: PagedQuery<Page<CrashResponse>> { CrashList.query(issue: id) }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [query.polled, crashes.first(pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { crashes.further(pages, view) }

    /// Loads older crashes near the end of their list.
    private mutating func loadMore(_ view: PaneView) {
        guard let issue = issue(view) else { return }
        let details = details(issue, view)
        let shown = sections.section(of: details)
        guard shown.title == IssueDetails.crashes else { return }
        pages.follow(sections.index(in: details), of: shown.rows.count, hasMore: crashes.hasMore(pages, view))
    }

    private func open(_ listing: ListSection, _ row: ListSection.Row?, _ view: PaneView) -> PaneEffect? {
        guard let row else { return nil }
        switch listing.title {
        case IssueDetails.crashes: return CrashList.open(row.id, in: crashes.items(pages, view), of: id)
        case IssueDetails.variants: return .open(VariantPane(issue: id, variant: row.id))
        default: return row.whole.isEmpty ? nil : .open(TextPane(listing.title, row.lines))
        }
    }

    private func issue(_ view: PaneView) -> IssueResponse? { view.results.value(query) }

    private func details(_ issue: IssueResponse, _ view: PaneView) -> [ListSection] {
        IssueDetails.all(issue, CrashList.listing(IssueDetails.crashes, crashes, pages, view), view)
    }

    /// The rows of the shown list.
    func sheet(_ view: PaneView) -> Sheet? {
        guard let issue = issue(view) else { return nil }
        let shown = sections.section(of: details(issue, view)).title
        return shown == IssueDetails.crashes
            ? CrashList.loaded(crashes, pages, view).map { CrashList.sheet($0) } : IssueDetails.sheet(of: shown, issue)
    }

    func sheetPages(_ view: PaneView) -> SheetPages? {
        let isAtCrashes = issue(view).map { sections.section(of: details($0, view)).title == IssueDetails.crashes } ?? false
        return isAtCrashes ? crashes.sheets(CrashList.sheet) : nil
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = issue(view)
        let note = found.map { ([$0.kind.name, $0.state.label] + $0.signalWords).joined(separator: " · ") } ?? ""
        guard let body = Block.open("Issue \(id)", note, query, view, in: area.inset(1), on: &frame, missing: notFoundText), let found else { return }
        let (details, sections) = (details(found, view), sections)
        let facts = facts(found, view)
        let rows = [
            PaneRow(
                [(1, { _, place, frame in _ = facts.draw(in: place, leaving: 0, on: &frame) })], least: 3, most: facts.height, rank: 0, weight: 4),
            PaneRow([(1, { IssueBlocks.days(found, $0, in: $1, on: &$2) })], least: 2, most: 9, rank: 2, weight: 1),
            PaneRow(IssueBlocks.shares(found), least: 3, most: 9, rank: 3, weight: 1),
            PaneRow([(1, { _, place, frame in sections.draw(details, in: place, on: &frame) })], least: 5, most: 100, rank: 1, weight: 4),
        ]
        PaneRow.draw(rows, view, in: body, on: &frame)
    }

    /// The least important fields come last, where they are cut first.
    private func facts(_ issue: IssueResponse, _ view: PaneView) -> FieldList {
        let first = view.moment(issue.firstSeen) + (issue.firstRelease.map { " in \($0)" } ?? "")
        let last = view.moment(issue.lastSeen) + (issue.lastRelease.map { " in \($0)" } ?? "")
        return FieldList(
            [
                "what": issue.title, "where": issue.culprit,
                "happened": issue.count.of("time", "times") + (issue.users > 0 ? ", to \(issue.users.of("person", "people"))" : ""),
                "seen": "first \(first), last \(last)", "state": issue.stateText(view), "assigned": issue.assignee, "grouped": grouping(issue),
                "merged": issue.formerText,
            ], styles: ["what": .bold, "state": issue.style])
    }

    private func grouping(_ issue: IssueResponse) -> String {
        let variants = issue.variants?.count ?? 1
        return "by \(issue.groupedBy)" + (variants > 1 ? ", in \(variants.of("variant", "variants"))" : "")
    }
}
