// SPDX-License-Identifier: Apache-2.0

/// Whether the calendar clock is believed where something is taken away for its age: one that has leapt ahead is not, until it has stood there for a while.
///
/// A clock that is wrong for some minutes must not cost what was kept for months. One that was set back takes nothing away, and is believed.
package struct ClockTrust: Sendable {
    /// Ahead of what is expected by more than that, it has leapt.
    package static let leap = Timestamp.Span.days(2)
    package static let patience = Timestamp.Span.hours(1)
    /// A clock that shows less was never set, and what it leaps to is nearer the truth.
    package static let earliest = Day(year: 2025, month: 1, day: 1).start

    private var last: Timestamp
    private var lastSteady: Timestamp.Span
    private var leaptAt: Timestamp.Span?

    /// `last` is the last time that is known to have been true.
    package init(_ last: Timestamp, steady: Timestamp.Span) {
        self.last = last
        lastSteady = steady
    }

    /// Asked from time to time, with what both clocks show.
    package mutating func believes(_ now: Timestamp, steady: Timestamp.Span) -> Bool {
        let expected = last + Timestamp.Span(milliseconds: steady.milliseconds - lastSteady.milliseconds)
        guard now > expected + ClockTrust.leap, last >= ClockTrust.earliest else { return believe(now, steady) }
        let since = leaptAt ?? steady
        leaptAt = since
        return steady.milliseconds - since.milliseconds >= ClockTrust.patience.milliseconds ? believe(now, steady) : false
    }

    private mutating func believe(_ now: Timestamp, _ steady: Timestamp.Span) -> Bool {
        (last, lastSteady, leaptAt) = (now, steady, nil)
        return true
    }
}
