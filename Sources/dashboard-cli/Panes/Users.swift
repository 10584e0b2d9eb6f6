import Terminal

/// Who is there, who came, and who came back.
struct UsersPane: Pane {
    let title = "Users"

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [] }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {}
}
