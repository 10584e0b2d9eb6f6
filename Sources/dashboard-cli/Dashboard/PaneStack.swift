// SPDX-License-Identifier: Apache-2.0

import Panes

/// A pane with a tab, and the panes that were opened on top of it.
struct PaneStack: Sendable {
    private(set) var panes: [any Pane]
    let title: String

    init(_ root: any Pane) {
        panes = [root]
        title = root.title
    }

    /// The pane that is shown.
    var top: any Pane {
        get { panes[panes.count - 1] }
        set { panes[panes.count - 1] = newValue }
    }

    var hasOpened: Bool { panes.count > 1 }

    mutating func open(_ pane: any Pane) {
        panes.append(pane)
    }

    /// Closes the pane on top; the pane with the tab stays.
    mutating func close() {
        if hasOpened { panes.removeLast() }
        precondition(!panes.isEmpty, "the stack of \(title) lost its root pane")
    }
}
