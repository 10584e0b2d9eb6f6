// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The source of receipt times; tests use a manual clock.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Timestamp
    /// Returns monotonic time; `nil` if the wall clock itself is never set.
    package let steady: (@Sendable () -> Timestamp.Span)?

    package init(now: @escaping @Sendable () -> Timestamp, steady: (@Sendable () -> Timestamp.Span)? = nil) {
        self.now = now
        self.steady = steady
    }

    package static let system = WallClock(
        now: { Timestamp(milliseconds: SystemClock.milliseconds(CLOCK_REALTIME)) },
        steady: { Timestamp.Span(milliseconds: SystemClock.milliseconds(CLOCK_BOOTTIME)) })
}
