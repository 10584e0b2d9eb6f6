// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// The store's clock, and whether data may be deleted by age according to it.
///
/// After a leap ahead, `ClockTrust` distrusts the clock for an hour. A wrong clock must not make data retention delete everything.
package final class ClockWatch: Sendable {
    private let clock: WallClock
    private let trust: Mutex<ClockTrust>

    /// - Parameter newest: The day of the newest file, which has certainly passed or begun.
    package init(_ clock: WallClock, newest: Day?) {
        self.clock = clock
        let now = clock.now()
        let last = newest.map { min(now, Day(number: $0.number + 1).start) } ?? now
        trust = Mutex(ClockTrust(last, steady: clock.steady?() ?? Timestamp.Span(milliseconds: 0)))
    }

    package var isBelieved: Bool {
        guard let steady = clock.steady else { return true }
        return trust.withLock { $0.believes(clock.now(), steady: steady()) }
    }
}
