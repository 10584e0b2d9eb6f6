// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A progress line on standard error that is overwritten and finally removed. Without a terminal nothing is shown.
package final class Progress: Sendable {
    private struct State {
        var shownAt: ContinuousClock.Instant?
        var width = 0
    }

    private let isShown: Bool
    private let state = Mutex(State())
    /// The minimum interval between updates.
    private static let pause = Duration.milliseconds(100)

    package init() {
        isShown = StandardStream.error.isTerminal
    }

    /// Shows the amount done, and the total if known.
    package func show(_ what: String, _ done: Int, of all: Int? = nil) {
        guard isShown else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            if let before = state.shownAt, now - before < Progress.pause { return }
            state.shownAt = now
            let line = Progress.line(what, done, of: all)
            let rest = String(repeating: " ", count: max(0, state.width - line.count))
            state.width = line.count
            Console.paint("\r\(TerminalText(cell: line).text)\(rest)")
        }
    }

    static func line(_ what: String, _ done: Int, of all: Int?) -> String {
        guard let all else { return "\(what): \(done)" }
        return "\(what): \(done) of \(all), \(all == 0 ? 100 : min(100, done * 100 / all)) %"
    }

    /// Removes the line before other output.
    package func end() {
        state.withLock { state in
            if state.width > 0 { Console.paint("\r\(String(repeating: " ", count: state.width))\r") }
            state = State()
        }
    }
}
