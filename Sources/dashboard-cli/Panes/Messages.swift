import Terminal

/// What was sent, the newest first.
struct MessagesPane: Pane {
    let title = "Messages"
    private let messages = Ask<PageAnswer<MessageAnswer>>("messages", "/v1/messages", [("limit", "100")])
    private var choice = Choice()

    func commands(_ view: PaneView) -> Set<DashboardCommand> {
        items(view).isEmpty ? [] : DashboardCommand.moves.union([.open, .again])
    }

    func asks(_ look: Look) -> [StandingAsk] { [messages.standing] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneStep? {
        let items = items(view)
        guard let index = choice.index(in: items.map(\.id)) else { return nil }
        switch command {
        case .open: return .open(MessagePane(id: items[index].id))
        case .again: return items[index].redrive(view)
        default: choice.move(command, in: items.map(\.id))
        }
        return nil
    }

    private func items(_ view: PaneView) -> [MessageAnswer] { view.answers.value(messages)?.items ?? [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let page = view.answers.value(messages)
        let items = page?.items ?? []
        let note = items.isEmpty ? "" : page?.next == nil ? Numbers.short(items.count) : "the newest \(Numbers.short(items.count))"
        guard let body = Block.open(title, note, messages, view, in: area.inset(1), on: &frame) else { return }
        guard !items.isEmpty else { return Block.say("Nothing was sent yet: POST /v1/messages.", in: body, on: &frame) }
        let columns = [
            Table.Column("sent"), Table.Column("id"), Table.Column("to", isFlexible: true), Table.Column("label", isFlexible: true),
            Table.Column("stage"), Table.Column("audience", .right),
        ]
        let isWide = body.width >= 100
        let cells = items.map { item in
            [
                view.moment(item.sentAt ?? item.sendAt ?? item.createdAt), isWide ? item.id : ShortName.message(item.id), item.receivers,
                item.label ?? "", item.stage, Numbers.short(item.audience),
            ]
        }
        ChosenTable(columns, cells, chosen: choice.index(in: items.map(\.id)))
            .draw(in: body, on: &frame, keeping: body.width >= 60 ? body.width / 6 : 0) { row, line, frame in
                items[row].progress.draw(in: line, on: &frame)
            }
    }
}
