// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// Symbol files that crashes wait for, by number of crashes.
struct MissingSymbolsPane: Pane {
    static let name = "Missing symbols"
    static let summary = "Symbol files that crashes wait for."

    static let keys: [PaneKey<Self>] = PaneKey.list(\.list, hasMore: { $0.symbols.hasMore($0.list.pages, $1) }) { $0.items($1) }

    private let symbols = PagedQuery<Page<MissingSymbolsResponse>>(
        DaemonQuery("missing_symbols", "/v1/symbols/missing", [("limit", "100")], every: 5), id: \.debugId)
    private var list = ListState<MissingSymbolsResponse>(
        id: \.debugId, text: { [$0.debugId, $0.name, $0.architecture].compactMap(\.self).joined(separator: "\n") },
        orders: [.init("crashes") { $1.crashes < $0.crashes }, .init("last seen") { $1.lastSeen.time < $0.lastSeen.time }])

    func queries(_ options: ViewOptions) -> [PolledQuery] { [symbols.first(list.pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { symbols.further(list.pages, view) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(symbols.query).map { _ in MissingSymbolsPane.sheet(list.items(of: items(view))) }
    }

    private static func sheet(_ files: [MissingSymbolsResponse]) -> Sheet {
        let rows = files.map { item in
            [
                item.debugId, item.name ?? "", item.architecture ?? "", "\(item.crashes)", item.firstSeen.time.rfc3339, item.lastSeen.time.rfc3339,
            ]
        }
        return Sheet(["debug_id", "name", "architecture", "crashes", "first_seen", "last_seen"], rows)
    }

    private func items(_ view: PaneView) -> [MissingSymbolsResponse] { symbols.items(list.pages, view) }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = items(view)
        let items = list.items(of: all)
        let note = items.isEmpty ? "" : "\(list.note(of: symbols, "first", view)) · upload: PUT /v1/symbols/{debug id}"
        guard let body = Block.open(title, note, symbols.query, view, in: area.inset(1), on: &frame) else { return }
        guard !items.isEmpty else { return Block.say(list.whyEmpty ?? "No missing symbols.", in: body, on: &frame) }
        let columns = [
            Table.Column("debug id"), Table.Column("image", isFlexible: true, cut: .middle), Table.Column("crashes", .right),
            Table.Column("last seen"), Table.Column("arch"), Table.Column("first seen"),
        ]
        let cells = items.map { item in
            [
                item.debugId, item.name.flatMap(LoadedImages.lastPart) ?? "", Numbers.short(item.crashes), view.moment(item.lastSeen),
                item.architecture ?? "", view.moment(item.firstSeen),
            ]
        }
        SelectableTable(columns, cells, chosen: list.index(in: all)).draw(in: body, on: &frame)
    }
}

extension PaneKey {
    static var missingSymbols: PaneKey {
        PaneKey("u", "missing symbols", "Lists the symbol files that crashes wait for.") { _, _ in .open(MissingSymbolsPane()) }
    }
}
