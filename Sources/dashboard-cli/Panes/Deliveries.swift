import Messaging
import Platform
import Terminal

/// Messages on their way to devices: all, or those of one message; in whatever state, or in one.
struct DeliveriesPane: Pane {
    let title = "Deliveries"
    private let message: String?
    private var state: DeliveryState?
    private var choice = Choice()

    init(message: String? = nil, state: DeliveryState? = nil) {
        self.message = message
        self.state = state
    }

    private var deliveries: Ask<PageAnswer<DeliveryAnswer>> {
        let filters = [("message", message), ("state", state?.name)].compactMap { name, value in value.map { (name, $0) } }
        return Ask("deliveries", "/v1/deliveries", [("limit", "100")] + filters)
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> {
        items(view).isEmpty ? [.filter] : DashboardCommand.moves.union([.open, .filter, .again])
    }

    func asks(_ look: Look) -> [StandingAsk] { [deliveries.standing] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneStep? {
        if command == .filter {
            (state, choice) = (stateAfter, Choice())
            return nil
        }
        let items = items(view)
        guard let index = choice.index(in: items.map(\.id)) else { return nil }
        switch command {
        case .open: return .open(DeliveryPane(id: items[index].id))
        case .again: return items[index].retry(view)
        default: choice.move(command, in: items.map(\.id))
        }
        return nil
    }

    /// First those that somebody looks for, and after the last one all.
    private static let filters: [DeliveryState] = [.dead, .retrying, .pending, .sending, .sent, .delivered, .expired, .cancelled, .removed]

    private var stateAfter: DeliveryState? {
        let next = state.map { (DeliveriesPane.filters.firstIndex(of: $0) ?? 0) + 1 } ?? 0
        return DeliveriesPane.filters.indices.contains(next) ? DeliveriesPane.filters[next] : nil
    }

    private func items(_ view: PaneView) -> [DeliveryAnswer] { view.answers.value(deliveries)?.items ?? [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let page = view.answers.value(deliveries)
        let items = page?.items ?? []
        let counted = items.isEmpty ? nil : page?.next == nil ? Numbers.short(items.count) : "the newest \(Numbers.short(items.count))"
        let note = [state?.name ?? "all", counted].compactMap(\.self).joined(separator: " · ")
        let heading = message.map { "Deliveries of \($0)" } ?? title
        guard let body = Block.open(heading, note, deliveries, view, in: area.inset(1), on: &frame) else { return }
        guard !items.isEmpty else { return Block.say("There are none\(state.map { " that are \($0.name)" } ?? "").", in: body, on: &frame) }
        ChosenTable(columns, items.map { cells($0, view) }, chosen: choice.index(in: items.map(\.id))) { row in
            DeliveryState(name: items[row].state)?.style ?? .plain
        }.draw(in: body, on: &frame)
    }

    private var columns: [Table.Column] {
        [
            Table.Column("changed"), Table.Column("state"), Table.Column("tries", .right), Table.Column("device"),
            Table.Column("goes to", isFlexible: true), Table.Column("last answer", isFlexible: true),
        ] + (message == nil ? [Table.Column("message")] : [])
    }

    private func cells(_ delivery: DeliveryAnswer, _ view: PaneView) -> [String] {
        let last = delivery.attempts.last
        let said = [last?.status.map(String.init), last?.error, last?.answer].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        return [
            view.moment(delivery.changedAt), delivery.state, Numbers.short(delivery.tries), delivery.token.map { ShortName.token($0) } ?? "gone",
            delivery.url.map { ShortName.origin($0) } ?? "stream", said,
        ] + (message == nil ? [ShortName.message(delivery.message)] : [])
    }
}
