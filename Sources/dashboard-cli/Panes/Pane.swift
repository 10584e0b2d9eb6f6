// SPDX-License-Identifier: Apache-2.0

import Terminal

/// One screen of the dashboard, as a value: keys change it, and what it draws comes from answers.
protocol Pane: Sendable {
    var title: String { get }
    /// Which commands mean something in it now, beside those that always do.
    func commands(_ view: PaneView) -> Set<DashboardCommand>
    /// What keys mean in it, where the table of keys can only say it in general.
    var words: [DashboardCommand: Binding.Words] { get }
    /// What it shows comes from the answers to these.
    /// The one that it is mostly made from comes first.
    func queries(_ options: ViewOptions) -> [PolledQuery]
    /// The stream that it shows, if any; it goes on for what is opened from it.
    func stream(_ view: PaneView) -> GetRequest?
    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect?
    /// Shows only what holds a text; for panes that ask for one.
    mutating func find(_ text: String)
    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame)
    /// The rows it shows, for programs; nil where its first answer tells them.
    func sheet(_ view: PaneView) -> Sheet?
}

extension Pane {
    var words: [DashboardCommand: Binding.Words] { [:] }
    func stream(_ view: PaneView) -> GetRequest? { nil }
    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect? { nil }
    mutating func find(_ text: String) {}
    func sheet(_ view: PaneView) -> Sheet? { nil }
}

/// What a pane wants after a key, beyond its own change.
enum PaneEffect: Sendable {
    /// Another one, on top of it.
    case open(any Pane)
    case ask(PendingAction)
    /// A line from whoever looks at it.
    case type(Prompt)
    /// A text to find among its rows, beginning with what is sought now.
    case find(String)
    case found(String)
    /// To go somewhere else, in the words of whoever looks at it.
    case jump(String)
    /// A file of what is shown.
    case write(String)
    /// To be another one from now on.
    case become(any Pane)
    /// Why it does not do what the key means.
    case refuse(String)
}
