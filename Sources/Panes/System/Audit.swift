// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// The audit log of the app, newest entries first. It requires an admin key.
struct AuditPane: Pane {
    static let name = "Audit log"
    static let summary = "Administrative actions: who did what, when and from where."

    static let keys: [PaneKey<Self>] = PaneKey.list(\.list, hasMore: { $0.entries.hasMore($0.list.pages, $1) }) { $0.items($1) }

    private let entries = PagedQuery<Page<AuditEntryResponse>>(DaemonQuery("audit", "/v1/audit", [("limit", "100")], every: 5), id: { "\($0.id)" })
    private var list = ListState<AuditEntryResponse>(
        id: { "\($0.id)" }, text: { AuditPane.cells($0).joined(separator: "\n") },
        orders: [.init("time") { $1.id < $0.id }, .init("action") { ($0.action.name, $1.id) < ($1.action.name, $0.id) }])

    func queries(_ options: ViewOptions) -> [PolledQuery] { [entries.first(list.pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { entries.further(list.pages, view) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    private func items(_ view: PaneView) -> [AuditEntryResponse] { entries.items(list.pages, view) }

    private static func cells(_ entry: AuditEntryResponse) -> [String] {
        [entry.action.name, by(entry), entry.address, result(entry), object(entry)]
    }

    private static func by(_ entry: AuditEntryResponse) -> String {
        entry.key.map { "\(entry.role.name) key \($0)" } ?? entry.role.name
    }

    private static func result(_ entry: AuditEntryResponse) -> String {
        let status = entry.outcome.word == .done ? nil : entry.status.map { "\($0)" }
        return [entry.outcome.name, status, entry.count == 1 ? nil : "×\(entry.count)"].compactMap(\.self).joined(separator: " ")
    }

    private static func object(_ entry: AuditEntryResponse) -> String {
        [entry.detail, entry.person.map { "person \($0)" }].compactMap(\.self).joined(separator: " ")
    }

    func sheet(_ view: PaneView) -> Sheet? {
        guard view.results.value(entries.query) != nil else { return nil }
        let rows = list.items(of: items(view)).map { entry in
            [entry.at.time.rfc3339, entry.action.name, entry.key.map { "\($0)" } ?? "", entry.role.name, entry.address, entry.outcome.name]
                + [entry.status.map { "\($0)" } ?? "", "\(entry.count)", entry.person ?? "", entry.detail ?? ""]
        }
        return Sheet(["at", "action", "key", "role", "address", "outcome", "status", "count", "person", "detail"], rows)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = items(view)
        let shown = list.items(of: all)
        let note = shown.isEmpty ? "" : list.note(of: entries, "newest", view)
        guard let body = Block.open(title, note, entries.query, view, in: area.inset(1), on: &frame) else { return }
        guard !shown.isEmpty else { return Block.say(list.whyEmpty ?? "No entries yet.", in: body, on: &frame) }
        let columns = [
            Table.Column("time"), Table.Column("action"), Table.Column("by"), Table.Column("result"), Table.Column("object", isFlexible: true),
            Table.Column("address"),
        ]
        let cells = shown.map { entry in
            [view.moment(entry.at), entry.action.name, AuditPane.by(entry), AuditPane.result(entry), AuditPane.object(entry), entry.address]
        }
        SelectableTable(columns, cells, chosen: list.index(in: all)) { row in
            switch shown[row].outcome.word {
            case .done: .plain
            case .rejected: Theme.warning
            case .unfinished, .failed, nil: Theme.bad
            }
        }.draw(in: body, on: &frame)
    }
}

extension PaneKey {
    static var auditLog: PaneKey {
        PaneKey("a", "audit log", "Lists administrative actions on the app; requires an admin key.") { _, _ in .open(AuditPane()) }
    }
}
