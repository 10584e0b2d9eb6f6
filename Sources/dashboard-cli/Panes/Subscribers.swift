import Messaging
import Platform
import Terminal

/// The devices in a topic.
struct SubscribersPane: Pane {
    let title = "Subscribers"
    private let topic: String
    private let devices: Ask<PageAnswer<DeviceAnswer>>
    private var choice = Choice()
    private let gone = "Nobody subscribes to it any more."

    init(topic: String) {
        self.topic = topic
        devices = Ask("subscribers", "/v1/topics/\(topic.percentEncoded)/subscribers", [("limit", "200")], every: 5)
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> { tokens(view).isEmpty ? [] : DashboardCommand.moves }

    func asks(_ look: Look) -> [StandingAsk] { [devices.standing] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneStep? {
        choice.move(command, in: tokens(view))
        return nil
    }

    private func tokens(_ view: PaneView) -> [String] { view.answers.value(devices)?.items.map(\.token) ?? [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let page = view.answers.value(devices)
        let items = page?.items ?? []
        let note = items.isEmpty ? "" : "\(page?.next == nil ? "" : "the first ")\(Numbers.short(items.count))"
        guard let body = Block.open("Subscribers of \(topic)", note, devices, view, in: area.inset(1), on: &frame, missing: gone) else { return }
        guard !items.isEmpty else { return Block.say(gone, in: body, on: &frame) }
        let columns = [
            Table.Column("token"), Table.Column("state"), Table.Column("platform"), Table.Column("goes to", isFlexible: true),
            Table.Column("seen"), Table.Column("version"), Table.Column("user", isFlexible: true),
        ]
        let cells = items.map { device in
            [
                ShortName.token(device.token), device.stale ? "\(device.state), stale" : device.state, device.platform,
                device.endpoint.url.map { ShortName.origin($0) } ?? device.endpoint.type, view.moment(device.seenAt),
                device.appVersion ?? "", device.userId ?? "",
            ]
        }
        ChosenTable(columns, cells, chosen: choice.index(in: items.map(\.token))) { row in
            items[row].state == RegistrationState.active.name ? .plain : Theme.warning
        }.draw(in: body, on: &frame)
    }
}
