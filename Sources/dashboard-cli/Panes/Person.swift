import Terminal

/// One person: what is known, and what they did, the newest first.
struct PersonPane: Pane {
    let title = "Person"
    private let id: String

    init(id: String) {
        self.id = id
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [] }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {}
}
