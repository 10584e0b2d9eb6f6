// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

/// Sums and durations of the last minutes.
@Suite struct RecentFiguresTests {
    private static func at(minute: Int64, second: Int64 = 0) -> Timestamp { Timestamp(milliseconds: (1_000_000 + minute) * 60_000 + second * 1_000) }

    @Test func `sums are by minute, and a minute that is an hour old is gone`() {
        var sums = MinuteSums()
        sums.add(3, at: Self.at(minute: 0, second: 5))
        sums.add(2, at: Self.at(minute: 0, second: 50))
        sums.add(1, at: Self.at(minute: 2))
        let values = sums.values(at: Self.at(minute: 2, second: 30))
        #expect(values.count == 60 && values.suffix(3) == [5, 0, 1] && sums.total(at: Self.at(minute: 2)) == 6)
        #expect(sums.values(at: Self.at(minute: 59)).first == 5)
        #expect(sums.values(at: Self.at(minute: 60)).first == 0 && sums.total(at: Self.at(minute: 60)) == 1)
        #expect(sums.total(at: Self.at(minute: 62)) == 0)
    }

    @Test func `a clock that goes back or far ahead leaves no old sums behind`() {
        var sums = MinuteSums()
        sums.add(3, at: Self.at(minute: 10))
        sums.add(4, at: Self.at(minute: 9))
        #expect(sums.values(at: Self.at(minute: 10)).suffix(2) == [4, 3])
        sums.add(5, at: Self.at(minute: 10 - 60))
        #expect(sums.total(at: Self.at(minute: 10)) == 7, "too old to count")
        sums.add(1, at: Self.at(minute: 5_000))
        #expect(sums.total(at: Self.at(minute: 5_000)) == 1)
    }

    /// Each duration that a place begins or ends with, and those beside it.
    @Test func `a quantile is never below the duration and at most an eighth above`() {
        for exponent in 0..<32 {
            for microseconds in [-1, 0, 1, (1 << max(0, exponent - 3))].map({ (1 << exponent) + $0 }) where microseconds >= 0 {
                var durations = RecentDurations(at: Self.at(minute: 0))
                durations.add(.microseconds(microseconds), at: Self.at(minute: 0))
                let found = durations.milliseconds(of: 0.5, at: Self.at(minute: 0)).map { $0 * 1_000 } ?? -1
                let most = max(Double(microseconds) + 1, Double(microseconds) * 1.126)
                #expect(found > Double(microseconds) && found <= most, "\(microseconds): \(found)")
            }
        }
    }

    @Test func `quantiles count the shares of durations, and old ones go`() {
        var durations = RecentDurations(at: Self.at(minute: 0))
        #expect(durations.milliseconds(of: 0.5, at: Self.at(minute: 0)) == nil)
        for _ in 0..<98 { durations.add(.milliseconds(1), at: Self.at(minute: 1)) }
        for _ in 0..<2 { durations.add(.milliseconds(800), at: Self.at(minute: 1)) }
        #expect((durations.milliseconds(of: 0.5, at: Self.at(minute: 1)) ?? 0) < 1.2)
        #expect((durations.milliseconds(of: 0.99, at: Self.at(minute: 11)) ?? 0) > 799, "the window before still counts")
        #expect(durations.milliseconds(of: 0.99, at: Self.at(minute: 40)) == nil)
        durations.add(.seconds(1_000_000_000), at: Self.at(minute: 40))
        durations.add(.seconds(-5), at: Self.at(minute: 40))
        #expect(durations.milliseconds(of: 0.1, at: Self.at(minute: 40)) == 0.001)
    }
}
