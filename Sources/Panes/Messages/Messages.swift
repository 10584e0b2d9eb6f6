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
        + PaneKey.list(\.list, hasMore: { $0.messages.hasMore($0.list.pages, $1) }) { $0.items($1) } + [
            .redrive { $0.selected($1) }, .cancel { $0.selected($1) },
            PaneKey("T", "test", "Sends a test message to a topic; asks first.") { _, view in TestMessage(view).effect() },
        ]

    let query = DaemonQuery<Page<MessageResponse>>("messages", "/v1/messages", [("limit", "100")])
    private var messages: PagedQuery<Page<MessageResponse>> { PagedQuery(query, id: \.id) }
    private var list = ListState<MessageResponse>(
        id: \.id, text: { [$0.id, $0.receivers, $0.label, $0.stage.name, $0.notification?.value.title].compactMap(\.self).joined(separator: "\n") },
        orders: [
            .init("time") { $1.moment.time < $0.moment.time }, .init("dead") { $1.count(.dead) < $0.count(.dead) },
            .init("audience") { $1.audience < $0.audience },
        ])

    /// The topics are completions for a test message.
    func queries(_ options: ViewOptions) -> [PolledQuery] { [messages.first(list.pages), TopicsPane.query.polled] }

    func followUps(_ view: PaneView) -> [PolledQuery] { messages.further(list.pages, view) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    private func selected(_ view: PaneView) -> MessageResponse? { list.selected(in: items(view)) }

    private func items(_ view: PaneView) -> [MessageResponse] { messages.items(list.pages, view) }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(query).map { _ in MessagesPane.sheet(list.items(of: items(view))) }
    }

    func sheetPages(_ view: PaneView) -> SheetPages? { messages.sheets(MessagesPane.sheet) }

    private static func sheet(_ messages: [MessageResponse]) -> Sheet {
        let rows = messages.map { item in
            [
                item.neverSent ? "" : item.moment.time.rfc3339, item.id, item.receivers, item.label ?? "",
                item.notification?.value.title ?? "", item.stage.name, "\(item.audience)",
            ]
                + DeliveryState.inOrder.map { "\(item.count($0))" }
        }
        return Sheet(["sent_at", "id", "to", "label", "title", "stage", "audience"] + DeliveryState.inOrder.map(\.name), rows)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = items(view)
        let items = list.items(of: all)
        guard let body = Block.open(title, list.note(of: messages, "newest", view), query, view, in: area.inset(1), on: &frame) else { return }
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
        let table = SelectableTable(columns, cells, chosen: list.index(in: all))
        table.draw(in: body, on: &frame, keeping: body.width >= 60 ? max(body.width / 6, table.spare(of: body.width)) : 0) { row, line, frame in
            items[row].progress.draw(in: line, on: &frame)
        }
    }
}
