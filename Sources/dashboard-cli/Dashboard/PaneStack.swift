// SPDX-License-Identifier: Apache-2.0

/// A pane, and what was opened from it, one out of the other.
struct PaneStack: Sendable {
    private(set) var panes: [any Pane]
    let title: String

    init(_ root: any Pane) {
        panes = [root]
        title = root.title
    }

    /// The one that is shown.
    var top: any Pane {
        get { panes[panes.count - 1] }
        set { panes[panes.count - 1] = newValue }
    }

    var hasOpened: Bool { panes.count > 1 }

    mutating func open(_ pane: any Pane) {
        panes.append(pane)
    }

    mutating func close() {
        if hasOpened { panes.removeLast() }
    }
}
