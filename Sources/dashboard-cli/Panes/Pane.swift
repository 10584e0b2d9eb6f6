import Terminal

/// One screen of the dashboard, as a value: keys change it, and what it draws comes from answers.
protocol Pane: Sendable {
    var title: String { get }
    /// Which commands mean something in it now, beside those that always do.
    func commands(_ view: PaneView) -> Set<DashboardCommand>
    /// What it shows comes from the answers to these.
    func asks(_ range: ShownRange) -> [StandingAsk]
    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneStep?
    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame)
}

extension Pane {
    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneStep? { nil }
}

/// What a pane wants after a key, beyond its own change.
enum PaneStep: Sendable {
    /// Another one, on top of it.
    case open(any Pane)
    case ask(Deed)
    /// A line from whoever looks at it.
    case type(Prompt)
    /// To be another one from now on.
    case become(any Pane)
    /// Why it does not do what the key means.
    case refuse(String)
}
