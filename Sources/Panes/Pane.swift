// SPDX-License-Identifier: Apache-2.0

package import Terminal

/// One screen of the dashboard, as a value: keys change it, and it draws query results.
package protocol Pane: Sendable {
    /// The title of the tab; in lower case the name of the command.
    static var name: String { get }
    /// A line for the help of the command, and for the list of keys in the manual.
    static var summary: String { get }
    /// All keys of the pane, in the order of the footer.
    static var keys: [PaneKey<Self>] { get }

    var title: String { get }
    /// The queries whose results the pane draws. The first one is the main one: exports and the age of the data follow it.
    func queries(_ options: ViewOptions) -> [PolledQuery]
    /// Queries that depend on results, such as further pages of a list.
    func followUps(_ view: PaneView) -> [PolledQuery]
    /// The stream that the pane shows, if any; it stays open for panes that are opened from this one.
    func stream(_ view: PaneView) -> ReadRequest?
    /// Shows only rows that contain a text; for panes with the key `/`.
    mutating func find(_ text: String)
    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame)
    /// The rows for a CSV export; nil for those of the first result.
    func sheet(_ view: PaneView) -> Sheet?
    /// All pages of the list that a CSV export consists of; nil for panes that have one page.
    func sheetPages(_ view: PaneView) -> SheetPages?
}

extension Pane {
    package var title: String { Self.name }
    package func stream(_ view: PaneView) -> ReadRequest? { nil }
    package mutating func find(_ text: String) {}
    package func sheet(_ view: PaneView) -> Sheet? { nil }
    package func followUps(_ view: PaneView) -> [PolledQuery] { [] }
    package func sheetPages(_ view: PaneView) -> SheetPages? { nil }
}

// MARK: - Keys

extension Pane {
    package static var bindings: [KeyBinding] { keys.map(\.binding) }

    /// The keys that are available now.
    package func bindings(_ view: PaneView) -> [KeyBinding] { Self.keys.filter { $0.isAvailable(self, view) }.map(\.binding) }

    /// Performs the action of a key that is available.
    package mutating func press(_ key: Key, _ view: PaneView) -> PaneEffect? {
        let rows = Self.keys.filter { $0.binding.keys.contains(key) && $0.isAvailable(self, view) }
        assert(rows.count <= 1, "\(key.name) has \(rows.count) actions in the pane \(Self.name)")
        return rows.first?.action(&self, view)
    }
}

/// An effect of a key beyond the change of its pane.
package enum PaneEffect: Sendable {
    /// Opens another pane on top of this one.
    case open(any Pane)
    /// Performs an action after a confirmation.
    case confirm(PendingAction)
    /// Asks for a line of text.
    case prompt(Prompt)
    /// Asks for the text to find; begins with the current one.
    case find(String)
    /// Finds the text that was typed.
    case findText(String)
    case range(ViewRange)
    case compare(Bool)
    /// Lists only issues last seen within a time, or all.
    case seenWithin(ViewRange?)
    /// Goes to a pane, an item or a range, as typed after `:`.
    case jump(String)
    /// Writes a file with the contents of the pane.
    case export(String)
    /// Replaces the pane by another one.
    case replace(any Pane)
    /// Shows why the key does nothing here.
    case unavailable(String)
}
