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
        now: { Timestamp(milliseconds: milliseconds(of: CLOCK_REALTIME)) },
        steady: { Timestamp.Span(milliseconds: milliseconds(of: CLOCK_BOOTTIME)) })

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var spec = timespec()
        _ = unsafe clock_gettime(clock, &spec)
        return Int64(spec.tv_sec) * 1_000 + Int64(spec.tv_nsec) / 1_000_000
    }
}
