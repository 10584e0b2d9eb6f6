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
        + PaneKey.list(\.list, hasMore: { topics.hasMore($0.list.pages, $1) }) { $0.items($1) } + [
            PaneKey("T", "test", "Sends a test message to the topic; asks first.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { TestMessage(view).effect(to: $0.topic) }
            }
        ]

    static let query = DaemonQuery<Page<TopicResponse>>("topics", "/v1/topics", [("limit", "1000")], every: 5)
    private static let topics = PagedQuery(query, id: \.topic)
    private var list = ListState<TopicResponse>(
        id: \.topic, text: \.topic,
        orders: [
            .init("subscribers") { ($1.subscribers, $0.topic) < ($0.subscribers, $1.topic) }, .init("name") { $0.topic < $1.topic },
            .init("age") { ($1.createdAt.time, $0.topic) < ($0.createdAt.time, $1.topic) },
        ])

    func queries(_ options: ViewOptions) -> [PolledQuery] { [TopicsPane.topics.first(list.pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { TopicsPane.topics.further(list.pages, view) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    private func selected(_ view: PaneView) -> TopicResponse? { list.selected(in: items(view)) }

    private func items(_ view: PaneView) -> [TopicResponse] { TopicsPane.topics.items(list.pages, view) }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(TopicsPane.query).map { _ in TopicsPane.sheet(list.items(of: items(view))) }
    }

    func sheetPages(_ view: PaneView) -> SheetPages? { TopicsPane.topics.sheets(TopicsPane.sheet) }

    private static func sheet(_ topics: [TopicResponse]) -> Sheet {
        Sheet(["topic", "subscribers", "created_at"], topics.map { [$0.topic, "\($0.subscribers)", $0.createdAt.time.rfc3339] })
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = items(view)
        let rows = list.items(of: all)
        guard let body = Block.open(title, list.note(of: TopicsPane.topics, "first", view), TopicsPane.query, view, in: area.inset(1), on: &frame)
        else { return }
        let nothing = "No topics yet: POST /v1/topics/{topic}/subscribe."
        guard !rows.isEmpty else { return Block.say(list.whyEmpty ?? nothing, in: body, on: &frame) }
        let columns = [Table.Column("topic", isFlexible: true), Table.Column("subscribers", .right), Table.Column("created")]
        let cells = rows.map { [$0.topic, Numbers.short($0.subscribers), view.moment($0.createdAt)] }
        let most = Double(rows.map(\.subscribers).max() ?? 0)
        let table = SelectableTable(columns, cells, chosen: list.index(in: all))
        table.draw(in: body, on: &frame, keeping: body.width >= 70 ? max(body.width / 4, table.spare(of: body.width)) : 0) { row, line, frame in
            frame.bar(Double(rows[row].subscribers), of: most, in: line, Theme.chart)
        }
    }
}
