// SPDX-License-Identifier: Apache-2.0

/// Decides whether the wall clock may be used to delete data by age. A clock that leapt ahead is trusted only after it stayed there.
///
/// A clock that is wrong for minutes must not delete data of months. A clock that was set back deletes nothing and is trusted. Example: the
/// clock leaps from 2026 to 2036; nothing is deleted until it has shown 2036 for one hour (`patience`) by the monotonic clock.
package struct ClockTrust: Sendable {
    /// The deviation from the expected time above which the clock has leapt.
    package static let leap = Timestamp.Span.days(2)
    package static let patience = Timestamp.Span.hours(1)
    /// The earliest plausible time. An earlier clock was never set, and a leap from it is a correction.
    package static let earliest = Day(year: 2025, month: 1, day: 1).start

    private var last: Timestamp
    private var lastSteady: Timestamp.Span
    private var leaptAt: Timestamp.Span?

    /// - Parameter last: The last time known to be correct.
    package init(_ last: Timestamp, steady: Timestamp.Span) {
        self.last = last
        lastSteady = steady
    }

    /// Returns whether `now` is trusted, given the readings of both clocks.
    package mutating func believes(_ now: Timestamp, steady: Timestamp.Span) -> Bool {
        let expected = last + Timestamp.Span(milliseconds: steady.milliseconds - lastSteady.milliseconds)
        guard now > expected + ClockTrust.leap, last >= ClockTrust.earliest else { return accept(now, steady) }
        let since = leaptAt ?? steady
        leaptAt = since
        return steady.milliseconds - since.milliseconds >= ClockTrust.patience.milliseconds ? accept(now, steady) : false
    }

    private mutating func accept(_ now: Timestamp, _ steady: Timestamp.Span) -> Bool {
        (last, lastSteady, leaptAt) = (now, steady, nil)
        return true
    }
}
