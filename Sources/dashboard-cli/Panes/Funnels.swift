import Terminal

/// How many go how far along a way of steps.
struct FunnelsPane: Pane {
    let title = "Funnels"

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [] }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {}
}
