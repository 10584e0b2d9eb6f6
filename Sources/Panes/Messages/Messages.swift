// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Messaging
import Platform
import Terminal

/// Messages, newest first.
struct MessagesPane: Pane {
    static let name = "Messages"
    static let summary = "Messages and the progress of their deliveries."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the message.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(MessagePane(id: $0.id)) }
            }
        ]
        + PaneKey.list(\.list) { $0.items($1) } + [
            .redrive { $0.selected($1) },
            PaneKey("T", "test", "Sends a test message to a topic; asks first.") { _, view in TestMessage(view).effect() },
        ]

    let query = DaemonQuery<Page<MessageResponse>>("messages", "/v1/messages", [("limit", "100")])
    private var list = ListState<MessageResponse>(
        id: \.id, text: { [$0.id, $0.receivers, $0.label, $0.stage.name, $0.notification?.value.title].compactMap(\.self).joined(separator: "\n") },
        orders: [
            .init("time") { $1.moment.time < $0.moment.time }, .init("dead") { $1.count(.dead) < $0.count(.dead) },
            .init("audience") { $1.audience < $0.audience },
        ])

    /// The topics are completions for a test message.
    func queries(_ options: ViewOptions) -> [PolledQuery] { [query.polled, TopicsPane.query.polled] }

    mutating func find(_ text: String) {
        list.find(text)
    }

    private func selected(_ view: PaneView) -> MessageResponse? { list.selected(in: items(view)) }

    private func items(_ view: PaneView) -> [MessageResponse] { view.results.value(query)?.items ?? [] }

    func sheet(_ view: PaneView) -> Sheet? {
        guard let page = view.results.value(query) else { return nil }
        let rows = list.items(of: page.items).map { item in
            [
                item.neverSent ? "" : item.moment.time.rfc3339, item.id, item.receivers, item.label ?? "",
                item.notification?.value.title ?? "", item.stage.name, "\(item.audience)",
            ]
                + DeliveryState.inOrder.map { "\(item.count($0))" }
        }
        return Sheet(["sent_at", "id", "to", "label", "title", "stage", "audience"] + DeliveryState.inOrder.map(\.name), rows)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let page = view.results.value(query)
        let items = list.items(of: page?.items ?? [])
        guard let body = Block.open(title, list.note(of: page, "newest"), query, view, in: area.inset(1), on: &frame) else { return }
        guard !items.isEmpty else { return Block.say(list.whyEmpty ?? "No messages yet: POST /v1/messages.", in: body, on: &frame) }
        let columns = [
            Table.Column("sent"), Table.Column("id"), Table.Column("to", isFlexible: true), Table.Column("label", isFlexible: true),
            Table.Column("stage"), Table.Column("audience", .right),
        ]
        let isWide = body.width >= 100
        let cells = items.map { item in
            [
                item.neverSent ? "never" : view.moment(item.moment), isWide ? item.id : ShortName.message(item.id), item.receivers, item.label ?? "",
                item.stage.name,
                Numbers.short(item.audience),
            ]
        }
        let table = SelectableTable(columns, cells, chosen: list.index(in: page?.items ?? []))
        table.draw(in: body, on: &frame, keeping: body.width >= 60 ? max(body.width / 6, table.spare(of: body.width)) : 0) { row, line, frame in
            items[row].progress.draw(in: line, on: &frame)
        }
    }
}
