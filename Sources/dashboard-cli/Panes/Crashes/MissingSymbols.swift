import Terminal

/// Symbols that crashes wait for, those that most wait for first.
struct MissingSymbolsPane: Pane {
    let title = "Missing symbols"
    private let symbols = Ask<PageAnswer<MissingSymbolsAnswer>>("missing_symbols", "/v1/symbols/missing", [("limit", "200")], every: 5)
    private var choice = Choice()

    func commands(_ view: PaneView) -> Set<DashboardCommand> { items(view).isEmpty ? [] : DashboardCommand.moves }

    func asks(_ look: Look) -> [StandingAsk] { [symbols.standing] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneStep? {
        choice.move(command, in: items(view).map(\.debugId))
        return nil
    }

    private func items(_ view: PaneView) -> [MissingSymbolsAnswer] { view.answers.value(symbols)?.items ?? [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let items = items(view)
        let note = items.isEmpty ? "" : "PUT /v1/symbols/{debug id} brings them"
        guard let body = Block.open(title, note, symbols, view, in: area.inset(1), on: &frame) else { return }
        guard !items.isEmpty else { return Block.say("No crash waits for symbols.", in: body, on: &frame) }
        let columns = [
            Table.Column("debug id"), Table.Column("image", isFlexible: true, cut: .middle), Table.Column("crashes", .right),
            Table.Column("last seen"), Table.Column("arch"), Table.Column("first seen"),
        ]
        let cells = items.map { item in
            [
                item.debugId, item.name.flatMap(LoadedImages.lastPart) ?? "", Numbers.short(item.crashes), view.moment(item.lastSeen),
                item.architecture ?? "", view.moment(item.firstSeen),
            ]
        }
        ChosenTable(columns, cells, chosen: choice.index(in: items.map(\.debugId))).draw(in: body, on: &frame)
    }
}
