// SPDX-License-Identifier: Apache-2.0

import Panes
import Terminal

/// A key that works in every pane.
struct GlobalKey: Sendable {
    let binding: KeyBinding
    let isAvailable: @Sendable (Dashboard) -> Bool
    let action: @Sendable (inout Dashboard, Key) -> [DashboardAction]

    private init(
        _ keys: [Key], _ label: String?, _ help: String, when isAvailable: @escaping @Sendable (Dashboard) -> Bool = { _ in true },
        _ action: @escaping @Sendable (inout Dashboard, Key) -> [DashboardAction]
    ) {
        (binding, self.isAvailable, self.action) = (KeyBinding(keys, label, help), isAvailable, action)
    }

    /// A key that changes the dashboard and sends the queries that are due then.
    private init(
        _ keys: [Key], _ label: String?, _ help: String, when isAvailable: @escaping @Sendable (Dashboard) -> Bool = { _ in true },
        change: @escaping @Sendable (inout Dashboard) -> Void
    ) {
        self.init(keys, label, help, when: isAvailable) { dashboard, _ in
            change(&dashboard)
            return dashboard.sendDue()
        }
    }

    static let all = first + last

    /// The keys that come before those of the pane in the footer.
    static let first = [
        quit, GlobalKey([.character("?"), .function(1)], "help", "Shows the next page of this help, or hides it.") { $0.showNextHelpPage() },
        GlobalKey(
            [.escape, .backspace], "back", "Goes back to the previous pane.",
            when: { $0.isHelpShown || $0.stacks[$0.paneIndex].hasOpened }, change: { $0.goBack() }),
    ]

    /// The keys that come after those of the pane.
    static let last = [
        GlobalKey([.character(":")], "go to", "Goes to a pane, an item or a time range by name.") { dashboard in
            dashboard.ask(.jump(Jump.words(dashboard.stacks.map(\.title))))
        },
        GlobalKey([.character("e")], "export", "Exports the pane to a file.") { $0.ask(.export(of: $0.pane.title, $0.now)) },
        GlobalKey([.character(" ")], "pause", "Pauses updates, or resumes them.") { $0.togglePause() },
        GlobalKey([.character("r"), .control("l")], "refresh", "Refreshes all data and repaints the screen.") { dashboard, _ in dashboard.refresh() },
        GlobalKey([.character("+"), .character("=")], nil, "Updates more often.") { $0.setPollInterval($0.pollInterval.faster) },
        GlobalKey([.character("-")], nil, "Updates less often.") { $0.setPollInterval($0.pollInterval.slower) },
        GlobalKey((0...9).map { .character(Character("\($0)")) }, nil, "Shows the pane of that number; 0 is the tenth.", when: hasTabs) {
            $0.showPane(number: $1)
            return $0.sendDue()
        },
        GlobalKey([.tab], nil, "Shows the next pane.", when: hasTabs, change: { $0.showPane(($0.paneIndex + 1) % $0.stacks.count) }),
        GlobalKey([.backTab], nil, "Shows the previous pane.", when: hasTabs) { dashboard in
            dashboard.showPane((dashboard.paneIndex + dashboard.stacks.count - 1) % dashboard.stacks.count)
        },
        suspend,
    ]

    // MARK: Leaving

    /// The keys that work even while a line is typed or an action waits for its confirmation.
    static let leaving = [quit, suspend]
    private static let quit = GlobalKey([.character("q"), .control("c")], "quit", "Quits.") { _, _ in [.quit] }
    private static let suspend = GlobalKey([.control("z")], nil, "Suspends the dashboard; `fg` resumes it.") { _, _ in [.suspend] }

    private static let hasTabs: @Sendable (Dashboard) -> Bool = { $0.stacks.count > 1 }
}

extension Dashboard {
    /// `1` shows the first pane, `0` the tenth.
    fileprivate mutating func showPane(number key: Key) {
        guard case .character(let digit) = key, let number = digit.wholeNumberValue else { return }
        showPane((number + 9) % 10)
    }
}
