// SPDX-License-Identifier: Apache-2.0

/// Durations of the last 10 to 20 minutes as counts, for quantiles that are at most an eighth too high.
package struct RecentDurations: Sendable {
    private static let window = Timestamp.Span.minutes(10)
    /// Each doubling of the microseconds has this many counts.
    private static let parts = 8
    private static let doublings = 32

    private var counts = [UInt32](repeating: 0, count: RecentDurations.parts * RecentDurations.doublings)
    private var earlier = [UInt32](repeating: 0, count: RecentDurations.parts * RecentDurations.doublings)
    private var began: Timestamp

    package init(at now: Timestamp) { began = now }

    package mutating func add(_ duration: Duration, at now: Timestamp) {
        turn(at: now)
        counts[RecentDurations.place(of: duration)] &+= 1
    }

    /// Returns the duration in milliseconds that a share of them did not exceed; nil without any.
    package mutating func milliseconds(of share: Double, at now: Timestamp) -> Double? {
        turn(at: now)
        let all = counts.indices.map { Int(counts[$0]) + Int(earlier[$0]) }
        let total = all.reduce(0, +)
        guard total > 0 else { return nil }
        let wanted = max(1, Int((Double(total) * share).rounded(.up)))
        var seen = 0
        let place = all.firstIndex { count in
            seen += count
            return seen >= wanted
        }
        return place.map { Double(RecentDurations.end(of: $0)) / 1_000 }
    }

    /// Begins a new window. One that is older than two windows is forgotten.
    private mutating func turn(at now: Timestamp) {
        let age = now - began
        guard age >= RecentDurations.window || age < .seconds(0) else { return }
        let none = [UInt32](repeating: 0, count: counts.count)
        earlier = (Timestamp.Span.seconds(0)..<Timestamp.Span.minutes(20)).contains(age) ? counts : none
        (counts, began) = (none, now)
    }

    /// Microseconds below 8 have a place each; others that of their doubling and its eighth.
    private static func place(of duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let microseconds = UInt64(clamping: max(0, seconds)).multipliedReportingOverflow(by: 1_000_000)
        let value = microseconds.overflow ? UInt64.max : microseconds.partialValue &+ UInt64(max(0, attoseconds) / 1_000_000_000_000)
        guard value >= UInt64(parts) else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return min((exponent - 2) * parts + Int(value >> UInt64(exponent - 3)) - parts, parts * doublings - 1)
    }

    /// The first microsecond behind a place.
    private static func end(of place: Int) -> UInt64 {
        guard place >= parts else { return UInt64(place + 1) }
        let exponent = place / parts + 2
        return UInt64(parts + place % parts + 1) << UInt64(exponent - 3)
    }
}
