// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// Topics and their subscribers.
struct TopicsPane: Pane {
    static let name = "Topics"
    static let summary = "Topics and their subscribers."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Lists the subscribers of the topic.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(SubscribersPane(topic: $0.topic)) }
            }
        ]
        + PaneKey.list(\.list) { $0.items($1) } + [
            PaneKey("T", "test", "Sends a test message to the topic; asks first.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { TestMessage(view).effect(to: $0.topic) }
            }
        ]

    static let query = DaemonQuery<Page<TopicResponse>>("topics", "/v1/topics", [("limit", "1000")], every: 5)
    private var list = ListState<TopicResponse>(
        id: \.topic, text: \.topic,
        orders: [
            .init("subscribers") { ($1.subscribers, $0.topic) < ($0.subscribers, $1.topic) }, .init("name") { $0.topic < $1.topic },
            .init("age") { ($1.createdAt.time, $0.topic) < ($0.createdAt.time, $1.topic) },
        ])

    func queries(_ options: ViewOptions) -> [PolledQuery] { [TopicsPane.query.polled] }

    mutating func find(_ text: String) {
        list.find(text)
    }

    private func selected(_ view: PaneView) -> TopicResponse? { list.selected(in: items(view)) }

    private func items(_ view: PaneView) -> [TopicResponse] { view.results.value(TopicsPane.query)?.items ?? [] }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(TopicsPane.query).map { page in
            Sheet(
                ["topic", "subscribers", "created_at"],
                list.items(of: page.items).map { [$0.topic, "\($0.subscribers)", $0.createdAt.time.rfc3339] })
        }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let page = view.results.value(TopicsPane.query)
        let rows = list.items(of: page?.items ?? [])
        guard let body = Block.open(title, list.note(of: page, "first"), TopicsPane.query, view, in: area.inset(1), on: &frame) else { return }
        let nothing = "No topics yet: POST /v1/topics/{topic}/subscribe."
        guard !rows.isEmpty else { return Block.say(list.whyEmpty ?? nothing, in: body, on: &frame) }
        let columns = [Table.Column("topic", isFlexible: true), Table.Column("subscribers", .right), Table.Column("created")]
        let cells = rows.map { [$0.topic, Numbers.short($0.subscribers), view.moment($0.createdAt)] }
        let most = Double(rows.map(\.subscribers).max() ?? 0)
        let table = SelectableTable(columns, cells, chosen: list.index(in: page?.items ?? []))
        table.draw(in: body, on: &frame, keeping: body.width >= 70 ? max(body.width / 4, table.spare(of: body.width)) : 0) { row, line, frame in
            frame.bar(Double(rows[row].subscribers), of: most, in: line, Theme.chart)
        }
    }
}
