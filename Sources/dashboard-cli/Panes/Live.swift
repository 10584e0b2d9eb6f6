import Terminal

/// What comes in, as it comes in.
struct LivePane: Pane {
    let title = "Live"

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [] }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {}
}
