// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Terminal

/// Styles and labels of issues.
extension IssueResponse {
    /// Red for regressed issues, amber for new ones, faint for closed and muted ones.
    var style: Style {
        if !isIn(.open) { return Theme.faint }
        if signals.contains(IssueSignal.regressed.name) { return Theme.bad }
        return signals.contains(IssueSignal.fresh.name) ? Theme.warning : .plain
    }

    /// Signals by importance.
    var signalWords: [String] {
        let order: [IssueSignal] = [.regressed, .fresh, .repetitive, .early]
        return order.map(\.name).filter { signals.contains($0) }
    }

    /// The state and what ends it: `muted until 100 crashes within 1 d`.
    func stateText(_ view: PaneView) -> String {
        switch IssueState(name: state) {
        case .closed: return "resolved" + (closedIn.map { ", fixed in \($0)" } ?? closedAfter.map { ", fixed after \($0)" } ?? "")
        case .muted:
            let within = mutedWithin.map { " within \(Numbers.duration(seconds: $0))" } ?? ""
            let crashes = mutedCount.map { " until \($0.of("crash", "crashes"))\(within)" }
            return "muted" + (mutedUntil.map { " until \(view.moment($0))" } ?? crashes ?? "")
        case .open, nil: return state
        }
    }

    /// The title as confirmations show it.
    var name: String { title.count > 80 ? "«\(title.prefix(80))…»" : "«\(title)»" }
}

extension IssueState {
    /// The state as the screen shows it: `closed` is `resolved`.
    static func label(_ name: String) -> String { name == IssueState.closed.name ? "resolved" : name }
}

extension CrashKind {
    /// The glyph of a crash kind; `?` for kinds of newer daemons.
    static func glyph(_ name: String) -> String {
        switch CrashKind(name: name) {
        case .fatal: "x"
        case .anr: "~"
        case .nonfatal: "-"
        case nil: "?"
        }
    }

    static func style(_ name: String) -> Style {
        CrashKind(name: name) == .nonfatal ? Theme.faint : Theme.bad
    }
}

extension BinaryInteger {
    /// `1 crash`, `2 crashes`.
    func of(_ one: String, _ many: String) -> String { "\(Numbers.grouped(Double(self))) \(self == 1 ? one : many)" }
}
