// SPDX-License-Identifier: Apache-2.0

/// A time as Unix milliseconds in UTC, the time unit of the whole system.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
    package static func + (a: Timestamp, b: Span) -> Timestamp { Timestamp(milliseconds: a.milliseconds + b.milliseconds) }
    package static func - (a: Timestamp, b: Span) -> Timestamp { Timestamp(milliseconds: a.milliseconds - b.milliseconds) }
    package static func - (a: Timestamp, b: Timestamp) -> Span { Span(milliseconds: a.milliseconds - b.milliseconds) }

    /// A time span in milliseconds.
    package struct Span: Hashable, Comparable, Sendable {
        package var milliseconds: Int64

        package init(milliseconds: Int64) {
            self.milliseconds = milliseconds
        }

        package static func seconds(_ n: Int64) -> Span { Span(milliseconds: n * 1_000) }
        package static func minutes(_ n: Int64) -> Span { Span(milliseconds: n * 60_000) }
        package static func hours(_ n: Int64) -> Span { Span(milliseconds: n * 3_600_000) }
        package static func days(_ n: Int64) -> Span { Span(milliseconds: n * 86_400_000) }
        package static func < (a: Span, b: Span) -> Bool { a.milliseconds < b.milliseconds }
    }
}

/// A UTC calendar day, counted from 1970-01-01.
package struct Day: Hashable, Comparable, Sendable {
    package static let milliseconds: Int64 = 86_400_000
    package var number: Int32

    package init(number: Int32) {
        self.number = number
    }

    package init(of time: Timestamp) {
        number = Int32(clamping: time.milliseconds.flooredQuotient(by: Day.milliseconds))
    }

    package var start: Timestamp { Timestamp(milliseconds: Int64(number) * Day.milliseconds) }
    package static func < (a: Day, b: Day) -> Bool { a.number < b.number }
}

/// A quarter of an hour, the unit in which presence and figures of long ranges are stored. Offsets of time
/// zones are multiples of it.
package enum QuarterHour {
    @inlinable package static var milliseconds: Int64 { 900_000 }
}

extension Int64 {
    /// Division that rounds towards negative infinity, so that times before 1970 get the right bucket.
    package func flooredQuotient(by divisor: Int64) -> Int64 {
        let (q, r) = quotientAndRemainder(dividingBy: divisor)
        return r < 0 ? q - 1 : q
    }
}

extension Timestamp.Span {
    package init(_ duration: Duration) {
        self.init(milliseconds: Int64(duration / .milliseconds(1)))
    }
}

extension Duration {
    package init(_ span: Timestamp.Span) {
        self = .milliseconds(span.milliseconds)
    }
}
