import Terminal

/// What was earned and given back.
struct RevenuePane: Pane {
    let title = "Revenue"

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [] }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {}
}
