import Terminal

/// What was refused, and why.
struct QuarantinePane: Pane {
    let title = "Quarantine"

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [] }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {}
}
