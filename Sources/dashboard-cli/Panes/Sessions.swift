import Terminal

/// How often people come, and how long they stay.
struct SessionsPane: Pane {
    let title = "Sessions"

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [] }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {}
}
