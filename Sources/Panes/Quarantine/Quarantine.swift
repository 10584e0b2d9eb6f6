// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// Quarantined events by reason, and the newest of them.
struct QuarantinePane: Pane {
    static let name = "Quarantine"
    static let summary = "Quarantined events by reason."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the quarantined event.", when: { !$0.items($1).isEmpty }) { pane, view in
                pane.list.selected(in: pane.items(view)).map { .open(QuarantinedEventPane(seq: $0.seq)) }
            },
            PaneKey("f", "reason", "Shows the events of the next reason.", when: hasReasons) { pane, view in
                pane.showNextReason(view)
                return nil
            },
        ]
        + PaneKey.list(\.list, hasMore: { $0.examples.hasMore($0.list.pages, $1) }) { $0.items($1) } + [
            PaneKey("P", "replay", "Replays the events of the reason; asks first.", when: hasReasons) { pane, view in
                Replay.many(of: pane.reason, pane.reasons(view)).effect(view)
            }
        ]

    private static let hasReasons: PaneKey<Self>.Condition = { !$0.reasons($1).isEmpty || $0.reason != nil }

    /// The reason whose events are shown; nil for all.
    private var reason: String?
    private var list = ListState<QuarantinedResponse>(
        id: { String($0.seq) }, text: { "\($0.code) \($0.field) \($0.message) \($0.source) \($0.raw)" })

    /// The counts of all reasons, independent of the filter.
    private let counts = DaemonQuery<QuarantineResponse>("quarantine", "/v1/quarantine", [("limit", "1")])

    private var examples: PagedQuery<QuarantineResponse> {
        let filter = reason.map { [("reason", $0)] } ?? []
        return PagedQuery(DaemonQuery("quarantined", "/v1/quarantine", [("limit", "100")] + filter, every: 3)) { String($0.seq) }
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [examples.first(list.pages), counts.polled] }

    func followUps(_ view: PaneView) -> [PolledQuery] { examples.further(list.pages, view) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    /// Cycles through all reasons.
    private mutating func showNextReason(_ view: PaneView) {
        let all = [nil] + reasons(view).map(\.code)
        reason = all[((all.firstIndex(of: reason) ?? -1) + 1) % all.count]
        list.startOver()
    }

    private func items(_ view: PaneView) -> [QuarantinedResponse] { examples.items(list.pages, view) }

    private func reasons(_ view: PaneView) -> [QuarantineResponse.Count] {
        (view.results.value(counts)?.counts ?? []).sorted { ($1.total, $0.code) < ($0.total, $1.code) }
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let reasons = reasons(view)
        let total = reasons.reduce(0) { $0 + $1.total }
        let note = total > 0 ? "\(Numbers.short(total)) events" : ""
        guard let body = Block.open(title, note, counts, view, in: area.inset(1), on: &frame) else { return }
        guard !reasons.isEmpty else {
            return Block.say("No quarantined events. Rejected events are listed here with the reason.", in: body, on: &frame)
        }
        let list = ReasonList(reasons, shown: reason)
        let rows = [
            PaneRow([(1, { list.draw(in: $1, on: &$2) })], least: 3, most: list.height, rank: 0, weight: 2),
            PaneRow([(1, { drawExamples($0, in: $1, on: &$2) })], least: 4, most: 500, rank: 1, weight: 3),
        ]
        PaneRow.draw(rows, view, in: body, on: &frame)
    }

    private func drawExamples(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let items = items(view)
        let shown = list.items(of: items)
        let (some, all) = (Numbers.short(shown.count), Numbers.short(items.count))
        let newest = "\(examples.isCut(list.pages, view) ? "newest " : "")\(all)"
        let count = (list.searchText.isEmpty ? newest : "\(some) of \(newest)") + examples.progress(list.pages, view)
        let note = [reason.map { "only \($0)" }, list.note.isEmpty ? nil : list.note, count].compactMap(\.self).joined(separator: " · ")
        guard let body = Block.open("Examples", note, examples.query, view, in: area, on: &frame) else { return }
        guard !shown.isEmpty else { return Block.say(nothing, in: body, on: &frame) }
        let isWide = body.width >= 100
        SelectableTable(columns(isWide), shown.map { cells($0, isWide, view) }, chosen: list.index(in: items)).draw(in: body, on: &frame)
    }

    private var nothing: String {
        if !list.searchText.isEmpty { return "No match for «\(list.searchText)»." }
        return reason.map { "No stored events for \($0): they were only counted, or replayed." }
            ?? "No stored events: they were only counted."
    }

    private func columns(_ isWide: Bool) -> [Table.Column] {
        let columns: [Table.Column?] = [
            Table.Column("at"), reason == nil ? Table.Column("reason", isFlexible: true) : nil, Table.Column("event", isFlexible: true),
            Table.Column("field", isFlexible: true), Table.Column("message", isFlexible: true), isWide ? Table.Column("source") : nil,
        ]
        return columns.compactMap(\.self)
    }

    private func cells(_ item: QuarantinedResponse, _ isWide: Bool, _ view: PaneView) -> [String] {
        let cells: [String?] = [
            view.moment(item.receivedAt), reason == nil ? item.code : nil, item.name, item.field, item.message, isWide ? item.source : nil,
        ]
        return cells.compactMap(\.self)
    }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(examples.query).map { _ in QuarantinePane.sheet(list.items(of: items(view))) }
    }

    func sheetPages(_ view: PaneView) -> SheetPages? { examples.sheets(QuarantinePane.sheet) }

    private static func sheet(_ records: [QuarantinedResponse]) -> Sheet {
        let rows = records.map { item in
            [String(item.seq), item.receivedAt.time.rfc3339, item.code, item.field, item.message, item.source, item.name, item.raw]
        }
        return Sheet(["seq", "received_at", "reason", "field", "message", "source", "name", "raw"], rows)
    }
}
