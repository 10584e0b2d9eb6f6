// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal

/// What devices subscribe to.
struct TopicsPane: Pane {
    let title = "Topics"
    static let query = DaemonQuery<PageResponse<TopicResponse>>("topics", "/v1/topics", [("limit", "1000")], every: 5)
    private var browsing = ListState<TopicResponse>(
        id: \.topic, text: \.topic,
        orders: [
            .init("subscribers") { ($1.subscribers, $0.topic) < ($0.subscribers, $1.topic) }, .init("name") { $0.topic < $1.topic },
            .init("age") { ($1.createdAt.time, $0.topic) < ($0.createdAt.time, $1.topic) },
        ])

    func commands(_ view: PaneView) -> Set<DashboardCommand> {
        browsing.commands(of: items(view)).union(browsing.chosen(in: items(view)) == nil ? [] : [.open, .test])
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [TopicsPane.query.polled] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect? {
        let chosen = browsing.chosen(in: items(view))
        switch command {
        case .open: return chosen.map { .open(SubscribersPane(topic: $0.topic)) }
        case .test: return chosen.map { TestMessage(view).step(to: $0.topic) }
        default: return browsing.perform(command, in: items(view))
        }
    }

    mutating func find(_ text: String) {
        browsing.find(text)
    }

    private func items(_ view: PaneView) -> [TopicResponse] { view.answers.value(TopicsPane.query)?.items ?? [] }

    func sheet(_ view: PaneView) -> Sheet? {
        view.answers.value(TopicsPane.query).map { page in
            Sheet(
                ["topic", "subscribers", "created_at"],
                browsing.items(of: page.items).map { [$0.topic, "\($0.subscribers)", $0.createdAt.time.rfc3339] })
        }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let page = view.answers.value(TopicsPane.query)
        let rows = browsing.items(of: page?.items ?? [])
        guard let body = Block.open(title, browsing.note(of: page, "first"), TopicsPane.query, view, in: area.inset(1), on: &frame) else { return }
        let nothing = "Nobody subscribes to anything yet: POST /v1/topics/{topic}/subscribe."
        guard !rows.isEmpty else { return Block.say(browsing.whyEmpty ?? nothing, in: body, on: &frame) }
        let columns = [Table.Column("topic", isFlexible: true), Table.Column("subscribers", .right), Table.Column("created")]
        let cells = rows.map { [$0.topic, Numbers.short($0.subscribers), view.moment($0.createdAt)] }
        let most = Double(rows.map(\.subscribers).max() ?? 0)
        let table = SelectableTable(columns, cells, chosen: browsing.index(in: page?.items ?? []))
        table.draw(in: body, on: &frame, keeping: body.width >= 70 ? max(body.width / 4, table.spare(of: body.width)) : 0) { row, line, frame in
            frame.bar(Double(rows[row].subscribers), of: most, in: line, Theme.chart)
        }
    }
}
