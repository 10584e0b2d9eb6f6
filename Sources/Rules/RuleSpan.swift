// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A span of time, or a time since 1970, in whole seconds and the nanoseconds behind them.
package struct RuleSpan: Hashable, Comparable, Sendable {
    static let perSecond: Int64 = 1_000_000_000

    let seconds: Int64
    /// From 0 to 999,999,999, also of negative spans: -1.5 s is -2 s and 500,000,000 ns.
    let nanoseconds: Int64

    init(seconds: Int64, nanoseconds: Int64 = 0) {
        var (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: RuleSpan.perSecond)
        if rest < 0 { (whole, rest) = (whole - 1, rest + RuleSpan.perSecond) }
        (self.seconds, self.nanoseconds) = (seconds &+ whole, rest)
    }

    package init(_ time: DocumentTime) {
        let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(seconds: seconds, nanoseconds: rest * 1_000)
    }

    /// Returns nil for a product that does not fit.
    init?(_ count: Int64, times unit: (seconds: Int64, nanoseconds: Int64)) {
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit.seconds)
        if overflow { return nil }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: RuleSpan.perSecond / max(1, unit.nanoseconds))
        self.init(seconds: seconds &+ (unit.nanoseconds == 0 ? 0 : whole), nanoseconds: rest * unit.nanoseconds)
    }

    package static func < (a: RuleSpan, b: RuleSpan) -> Bool { (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds) }

    /// The sum; nil if it does not fit.
    func plus(_ other: RuleSpan) -> RuleSpan? {
        let (sum, overflow) = seconds.addingReportingOverflow(other.seconds)
        return overflow || sum == .max ? nil : RuleSpan(seconds: sum, nanoseconds: nanoseconds + other.nanoseconds)
    }

    var negative: RuleSpan? { seconds == .min ? nil : RuleSpan(seconds: -seconds, nanoseconds: -nanoseconds) }
    var magnitude: RuleSpan? { seconds < 0 ? negative : self }

    /// The seconds, cut towards zero.
    var cutSeconds: Int64 { seconds < 0 && nanoseconds > 0 ? seconds + 1 : seconds }
    /// The nanoseconds behind the cut seconds, with their sign.
    var restNanoseconds: Int64 { seconds < 0 && nanoseconds > 0 ? nanoseconds - RuleSpan.perSecond : nanoseconds }

    /// The span as a time, if it is between the years 1 and 9999.
    var asTime: RuleSpan? {
        let range = DocumentTime.range
        return (range.lowerBound / 1_000_000...(range.upperBound - 999_999) / 1_000_000).contains(seconds) ? self : nil
    }
}
