import Terminal

/// How often what happens.
struct EventsPane: Pane {
    let title = "Events"

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [] }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {}
}
