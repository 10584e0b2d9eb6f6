// SPDX-License-Identifier: Apache-2.0

import API
import Crashes
import Platform
import Terminal

/// Styles and labels of issues.
extension IssueResponse {
    /// Red for regressed issues, amber for new ones, faint for closed and muted ones.
    var style: Style {
        if state != .known(.open) { return Theme.faint }
        if signals.contains(.known(.regressed)) { return Theme.bad }
        return signals.contains(.known(.fresh)) ? Theme.warning : .plain
    }

    /// Signals by importance.
    var signalWords: [String] {
        let order: [IssueSignal] = [.regressed, .fresh, .repetitive, .early]
        return order.filter { signals.contains(.known($0)) }.map(\.name)
    }

    /// The state and what ends it: `muted until 100 crashes within 1 d`.
    func stateText(_ view: PaneView) -> String {
        switch state {
        case .known(.closed):
            let build = closedBuild.map { "+\($0)" } ?? ""
            return "resolved" + (closedIn.map { ", fixed in \($0)\(build)" } ?? closedAfter.map { ", fixed after \($0)\(build)" } ?? "")
        case .known(.muted):
            let within = mutedWithin.map { " within \(Numbers.duration(seconds: $0))" } ?? ""
            let crashes = mutedCount.map { " until \($0.of("crash", "crashes"))\(within)" }
            return "muted" + (mutedUntil.map { " until \(view.moment($0))" } ?? crashes ?? "")
        case .known(.open), .unknown: return state.name
        }
    }

    /// The IDs of issues merged into this one: `iss_2, iss_9, iss_11 and 3 more lead here`. Nil without any.
    var formerText: String? {
        guard let ids = formerIds, !ids.isEmpty else { return nil }
        let shown = ids.prefix(3).joined(separator: ", ")
        return "\(shown)\(ids.count > 3 ? " and \(ids.count - 3) more" : "") lead here"
    }

    /// The title as confirmations show it.
    var name: String { title.count > 80 ? "«\(title.prefix(80))…»" : "«\(title)»" }
}

extension IssueState {
    /// The state as the screen shows it: `closed` is `resolved`.
    static func label(_ name: String) -> String { name == IssueState.closed.name ? "resolved" : name }
}

extension Named<IssueState> {
    var label: String { IssueState.label(name) }
}

extension Named<CrashKind> {
    /// The glyph of a crash kind; `?` for kinds of newer daemons.
    var glyph: String {
        switch self {
        case .known(.fatal): "x"
        case .known(.anr): "~"
        case .known(.nonfatal): "-"
        case .unknown: "?"
        }
    }

    var style: Style { self == .known(.nonfatal) ? Theme.faint : Theme.bad }
}

extension BinaryInteger {
    /// `1 crash`, `2 crashes`.
    func of(_ one: String, _ many: String) -> String { "\(Numbers.grouped(Double(self))) \(self == 1 ? one : many)" }
}
