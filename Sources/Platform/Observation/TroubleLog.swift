// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Logs each kind of error at most once a minute, because repeated failures would hide other lines.
package final class TroubleLog: Sendable {
    private struct Written: Sendable {
        var at: Timestamp
        /// The number of suppressed lines.
        var more = 0
    }

    private static let rest = Timestamp.Span.minutes(1)

    private let log: Log
    private let clock: WallClock
    /// By message; messages are constants, so their number is bounded.
    private let written = Mutex<[String: Written]>([:])

    package init(_ log: Log, clock: WallClock) {
        self.log = log
        self.clock = clock
    }

    package func note(_ message: StaticString, _ error: any Error) {
        guard let before = take("\(message)", at: clock.now()) else { return }
        log.warning(message, ["reason": .text("\(error)"), "unwritten": .count(before)])
    }

    /// Returns the number of suppressed lines since the last one; `nil` if this one is suppressed.
    private func take(_ message: String, at now: Timestamp) -> Int? {
        written.withLock { written in
            // A clock that is set back does not extend the pause.
            if let last = written[message], last.at <= now, now < last.at + TroubleLog.rest {
                written[message]?.more += 1
                return nil
            }
            return written.updateValue(Written(at: now), forKey: message)?.more ?? 0
        }
    }
}
