// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Terminal

/// How issues look, wherever they are shown.
extension IssueResponse {
    /// In a list: what came back first, and what nobody waits for last.
    var style: Style {
        if !isIn(.open) { return Theme.faint }
        if signals.contains(IssueSignal.regressed.name) { return Theme.bad }
        return signals.contains(IssueSignal.fresh.name) ? Theme.warning : .plain
    }

    /// Those that say most first.
    var signalWords: [String] {
        let order: [IssueSignal] = [.regressed, .fresh, .repetitive, .early]
        return order.map(\.name).filter { signals.contains($0) }
    }

    /// Its state, and what ends it.
    func stateText(_ view: PaneView) -> String {
        switch IssueState(name: state) {
        case .closed: return "closed" + (closedIn.map { ", mended in \($0)" } ?? closedAfter.map { ", mended after \($0)" } ?? "")
        case .muted:
            let within = mutedWithin.map { " within \(Numbers.duration(seconds: $0))" } ?? ""
            let crashes = mutedCount.map { " until \($0.of("crash comes", "crashes come"))\(within)" }
            return "muted" + (mutedUntil.map { " until \(view.moment($0))" } ?? crashes ?? "")
        case .open, nil: return state
        }
    }

    /// As a question names it.
    var name: String { title.count > 80 ? "«\(title.prefix(80))…»" : "«\(title)»" }
}

extension CrashKind {
    /// Of a word that a newer daemon may know alone.
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

extension Int {
    /// `1 crash`, `2 crashes`.
    func of(_ one: String, _ many: String) -> String { "\(Numbers.grouped(Double(self))) \(self == 1 ? one : many)" }
}
