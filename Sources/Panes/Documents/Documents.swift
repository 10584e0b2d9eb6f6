// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal

/// The documents of the app: collections and their growth, decisions of rules, indexes with their reasons, listeners, and the queries that
/// cost most.
struct DocumentsPane: Pane {
    static let name = "Documents"
    static let summary = "Documents: collections and growth, decisions of rules, indexes and why, listeners, and the queries that cost most."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the collection.", when: { $0.selected($1) != nil }) { pane, view in
                view.whyNotReadDocuments.map { .unavailable($0) } ?? pane.selected(view).map { .open(CollectionPane($0)) }
            },
            PaneKey<Self>.otherView("Shows the decisions of rules, or sizes and queries.", \.selection.showsRules),
        ] + PaneKey.moves(when: { !$0.ids($1).isEmpty }) { $0.selection.move($1, in: $0.ids($2)) }

    /// The width from which lines and denials are side by side.
    private static let wide = 100

    private var selection = ListOrRules()

    private static let statistics = DaemonQuery<DocumentStatisticsResponse>("document_statistics", "/v1/documents:statistics", [], every: 10)
    private static let listeners = DaemonQuery<DocumentListenersResponse>("document_listeners", "/v1/documents:listeners", [], every: 5)
    private static let denials = DaemonQuery<DocumentDenialsResponse>("document_denials", "/v1/documents:denials", [], every: 10)

    /// The collections at the top.
    private static let collections = DocumentPane.collections(below: nil)

    func queries(_ options: ViewOptions) -> [PolledQuery] { [Self.statistics.polled, Self.denials.polled, Self.listeners.polled] }

    func followUps(_ view: PaneView) -> [PolledQuery] { hasDataKey(view) ? [Self.collections.polled] : [] }

    /// Whether the key may read documents but no figures. The role of such a key is unknown, because it may not ask for it.
    private func hasDataKey(_ view: PaneView) -> Bool {
        view.role ?? .data == .data && view.results.value(Self.statistics) == nil && view.results.error(Self.statistics)?.kind == .denied
    }

    private func figures(_ view: PaneView) -> RuleFigures? { view.results.value(Self.denials).map { RuleFigures($0) } }

    private func lines(_ view: PaneView) -> [RuleLine] { figures(view)?.lines ?? [] }

    private func ids(_ view: PaneView) -> [String] {
        if selection.showsRules { return lines(view).map(\.place) }
        return view.results.value(Self.statistics)?.collections.map(\.collection) ?? topCollections(view) ?? []
    }

    /// The list in place of the figures; nil where they are shown.
    private func topCollections(_ view: PaneView) -> [String]? { hasDataKey(view) ? view.results.value(Self.collections)?.items : nil }

    private func selected(_ view: PaneView) -> DocumentPlace? {
        let ids = ids(view)
        guard !selection.showsRules, let index = selection.index(in: ids) else { return nil }
        guard let found = view.results.value(Self.statistics)?.collections[index] else { return .collection(ids[index]) }
        return found.collections == 1 ? .onlyCollection(found.collection) : .group(found.collection)
    }

    func sheet(_ view: PaneView) -> Sheet? {
        if selection.showsRules { return figures(view).map(RuleBlocks.sheet) }
        if let collections = topCollections(view) { return Sheet(["collection"], collections.map { [$0] }) }
        return view.results.value(Self.statistics).map(CollectionsBlock.sheet)
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        if selection.showsRules { return drawRules(view, in: area, on: &frame) }
        if let collections = topCollections(view) { return drawTop(collections, view, in: area.inset(1), on: &frame) }
        let found = view.results.value(Self.statistics)
        guard let found, !(found.collections.isEmpty && found.indexes.isEmpty) else {
            guard let body = Block.open("Documents", "", Self.statistics, view, in: area.inset(1), on: &frame) else { return }
            return Block.say("No documents yet: PUT /v1/documents/users/u1, or `ingestd documents import`.", in: body, on: &frame)
        }
        let (indexes, queries) = (found.indexes.count, found.queries.count)
        let listeners = view.results.value(Self.listeners)?.shapes.count ?? 0
        let denials = view.results.value(Self.denials)?.items.count ?? 0
        PaneRow.draw(
            [
                PaneRow([(1, { drawCollections(found, $0, in: $1, on: &$2) })], least: 4, most: 200, rank: 0, weight: 3),
                PaneRow([(1, { drawDecisions($0, in: $1, on: &$2) })], least: 3, most: max(3, denials + 2), rank: 1, weight: 1),
                PaneRow([(1, { drawQueries(found, $0, in: $1, on: &$2) })], least: 3, most: max(3, queries + 2), rank: 2, weight: 2),
                PaneRow([(1, { drawIndexes(found, $0, in: $1, on: &$2) })], least: 3, most: max(3, indexes + 2), rank: 3, weight: 2),
                PaneRow([(1, { drawListeners($0, in: $1, on: &$2) })], least: 3, most: max(3, listeners + 2), rank: 4, weight: 1),
            ], view, in: area.inset(1), on: &frame)
    }

    private func drawCollections(_ found: DocumentStatisticsResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Documents", CollectionsBlock.note(found), Self.statistics, view, in: area, on: &frame) else { return }
        CollectionsBlock.draw(found, chosen: selection.index(in: ids(view)), on: Day(of: view.now), in: body, on: &frame)
    }

    private func drawTop(_ collections: [String], _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let note = "figures need a read or admin key"
        guard let body = Block.open("Documents", note, Self.collections, view, in: area, on: &frame) else { return }
        guard !collections.isEmpty else { return Block.say("No documents yet.", in: body, on: &frame) }
        let rows = collections.map { [$0.escaped(atMost: 200)] }
        SelectableTable([Table.Column("collection", isFlexible: true)], rows, chosen: selection.index(in: collections)).draw(in: body, on: &frame)
    }

    private func drawDecisions(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        RuleBlocks.drawDecisions(figures(view), Self.denials, view, in: area, on: &frame)
    }

    private func drawRules(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let decisions = view.results.value(Self.denials)
        guard let decisions, decisions.revision != nil else {
            guard let body = Block.open("Rules", "", Self.denials, view, in: area.inset(1), on: &frame), let decisions else { return }
            return RuleBlocks.drawDenials(RuleFigures(decisions), view, in: body, on: &frame)
        }
        let found = RuleFigures(decisions)
        let (chosen, denials) = (selection.index(in: ids(view)), found.denials.count)
        let lines: PaneRow.Draw = { RuleBlocks.drawLines(found, chosen: chosen, Self.denials, $0, in: $1, on: &$2) }
        let denied: PaneRow.Draw = { drawDenials(found, $0, in: $1, on: &$2) }
        let collections = PaneRow(
            [(1, { drawByCollection(decisions, $0, in: $1, on: &$2) })], least: 3, most: max(3, decisions.collections.count + 2), rank: 2, weight: 1)
        let rows =
            view.width >= Self.wide
            ? [PaneRow([(1, lines), (2, denied)], least: 4, most: 200, rank: 0, weight: 2)]
            : [
                PaneRow([(1, lines)], least: 4, most: max(4, found.lines.count + 2), rank: 0, weight: 2),
                PaneRow([(1, denied)], least: 3, most: max(3, denials + 2), rank: 1, weight: 2),
            ]
        PaneRow.draw(rows + [collections], view, in: area.inset(1), on: &frame)
    }

    private func drawDenials(_ found: RuleFigures, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Denials", RuleBlocks.denied(found), Self.denials, view, in: area, on: &frame) else { return }
        RuleBlocks.drawDenials(found, view, in: body, on: &frame)
    }

    private func drawByCollection(_ found: DocumentDenialsResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let note = "revision \(found.revision ?? 0) · \(RuleBlocks.since(RuleFigures(found), view))"
        guard let body = Block.open("Decisions by collection", note, Self.denials, view, in: area, on: &frame) else { return }
        CollectionDecisions.draw(found.collections, in: body, on: &frame)
    }

    private func drawQueries(_ found: DocumentStatisticsResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Costly queries", "since the start", Self.statistics, view, in: area, on: &frame) else { return }
        guard !found.queries.isEmpty else { return Block.say("None examined many documents.", in: body, on: &frame) }
        let columns = [
            Table.Column("query", isFlexible: true), Table.Column("times", .right), Table.Column("examined", .right), Table.Column("found", .right),
            Table.Column("slowest", .right), Table.Column(""),
        ]
        let cells = found.queries.prefix(max(0, body.height - 1)).map { query in
            [
                query.shape, Numbers.short(query.queries), Numbers.short(query.examined), Numbers.short(query.results),
                "\(query.slowestMilliseconds) ms", query.usesIndex ? "index" : "scan",
            ]
        }
        Table(columns, cells).draw(in: body, on: &frame, heading: Theme.faint)
    }

    private func drawIndexes(_ found: DocumentStatisticsResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Indexes", "", Self.statistics, view, in: area, on: &frame) else { return }
        guard !found.indexes.isEmpty else { return Block.say("None: declare them with PUT /v1/documents:indexes.", in: body, on: &frame) }
        let columns = [
            Table.Column("collection"), Table.Column("fields", isFlexible: true), Table.Column("entries", .right), Table.Column("bytes", .right),
            Table.Column("state"), Table.Column("why", isFlexible: true),
        ]
        let cells = found.indexes.prefix(max(0, body.height - 1)).map { index in
            let state = index.progress < 1 ? "\(Int(index.progress * 100)) %" : "ready"
            return [
                index.collection + (index.group ? " (group)" : ""), index.fields.joined(separator: ", "), Numbers.short(index.entries),
                Numbers.bytes(Double(index.bytes)), state, index.reason.map { "\(index.origin): \($0)" } ?? "\(index.origin)",
            ]
        }
        Table(columns, cells).draw(in: body, on: &frame, heading: Theme.faint)
    }

    private func drawListeners(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = view.results.value(Self.listeners)
        let note = found.map { "\(Numbers.short($0.streams)) streams · \(Numbers.short($0.listeners)) targets" } ?? ""
        guard let body = Block.open("Listeners", note, Self.listeners, view, in: area, on: &frame), let found else { return }
        guard !found.shapes.isEmpty else { return Block.say("No stream listens.", in: body, on: &frame) }
        let columns = [Table.Column("query or document", isFlexible: true), Table.Column("different", .right), Table.Column("listeners", .right)]
        let cells = found.shapes.prefix(max(0, body.height - 1)).map { [$0.shape, Numbers.short($0.targets), Numbers.short($0.listeners)] }
        Table(columns, cells).draw(in: body, on: &frame, heading: Theme.faint)
    }
}
