// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Writes each kind of trouble to the log once a minute at most: what fails fails often, and nothing else must drown in it.
package final class TroubleLog: Sendable {
    private struct Written: Sendable {
        var at: Timestamp
        /// How often it came since without being written.
        var more = 0
    }

    private static let rest = Timestamp.Span.minutes(1)

    private let log: Log
    private let clock: WallClock
    /// By message, of which there are as many as the code has.
    private let written = Mutex<[String: Written]>([:])

    package init(_ log: Log, clock: WallClock) {
        self.log = log
        self.clock = clock
    }

    package func note(_ message: StaticString, _ error: any Error) {
        guard let before = take("\(message)", at: clock.now()) else { return }
        log.warning(message, ["reason": .text("\(error)"), "unwritten": .count(before)])
    }

    /// How many were not written since the last one; nil where this is one of them.
    private func take(_ message: String, at now: Timestamp) -> Int? {
        written.withLock { written in
            // A clock that is set back makes no rest longer.
            if let last = written[message], last.at <= now, now < last.at + TroubleLog.rest {
                written[message]?.more += 1
                return nil
            }
            return written.updateValue(Written(at: now), forKey: message)?.more ?? 0
        }
    }
}
