import Events
import Terminal

/// What devices subscribe to.
struct TopicsPane: Pane {
    private enum Order: String {
        case subscribers, name, age

        var next: Order {
            switch self {
            case .subscribers: .name
            case .name: .age
            case .age: .subscribers
            }
        }
    }

    let title = "Topics"
    private let topics = Ask<PageAnswer<TopicAnswer>>("topics", "/v1/topics", [("limit", "1000")], every: 5)
    private var choice = Choice()
    private var order = Order.subscribers

    func commands(_ view: PaneView) -> Set<DashboardCommand> {
        rows(view).isEmpty ? [] : DashboardCommand.moves.union([.open, .sort])
    }

    func asks(_ look: Look) -> [StandingAsk] { [topics.standing] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneStep? {
        let names = rows(view).map(\.topic)
        switch command {
        case .open: return choice.index(in: names).map { .open(SubscribersPane(topic: names[$0])) }
        case .sort: order = order.next
        default: choice.move(command, in: names)
        }
        return nil
    }

    private func rows(_ view: PaneView) -> [TopicAnswer] {
        let items = view.answers.value(topics)?.items ?? []
        return items.sorted { a, b in
            switch order {
            case .subscribers where a.subscribers != b.subscribers: a.subscribers > b.subscribers
            case .age where a.createdAt.time != b.createdAt.time: a.createdAt.time > b.createdAt.time
            default: a.topic < b.topic
            }
        }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let rows = rows(view)
        let hasMore = view.answers.value(topics)?.next != nil
        let note = rows.isEmpty ? "" : "\(hasMore ? "the first " : "")\(Numbers.short(rows.count)) · by \(order.rawValue)"
        guard let body = Block.open(title, note, topics, view, in: area.inset(1), on: &frame) else { return }
        guard !rows.isEmpty else { return Block.say("Nobody subscribes to anything yet: POST /v1/topics/{topic}/subscribe.", in: body, on: &frame) }
        let columns = [Table.Column("topic", isFlexible: true), Table.Column("subscribers", .right), Table.Column("created")]
        let cells = rows.map { [$0.topic, Numbers.short($0.subscribers), view.moment($0.createdAt)] }
        let most = Double(rows.map(\.subscribers).max() ?? 0)
        let table = ChosenTable(columns, cells, chosen: choice.index(in: rows.map(\.topic)))
        table.draw(in: body, on: &frame, keeping: body.width >= 70 ? body.width / 4 : 0) { row, line, frame in
            frame.bar(Double(rows[row].subscribers), of: most, in: line, Theme.chart)
        }
    }
}
