// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The length of a bucket in its time zone's calendar.
package enum Interval: String, CaseIterable, Sendable {
    case minute, hour, day, week, month
}

/// The bucket edges of a range, aligned with a time zone's calendar. A day lasts 23 or 25 hours when clocks change.
package struct TimeBuckets: Sendable, Equatable {
    /// The edges in ascending order. Bucket `i` spans `edges[i]..<edges[i + 1]`.
    package let edges: [Timestamp]
    package static let limit = 11_000

    package var count: Int { edges.count - 1 }
    package var from: Timestamp { edges[0] }
    package var to: Timestamp { edges[edges.count - 1] }

    /// Creates buckets from edges in ascending order.
    package init(edges: [Timestamp]) {
        assert(zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }, "the edges of buckets must ascend")
        self.edges = edges
    }

    /// Whether every edge is on a quarter-hour, the resolution of presence.
    package var isOfQuarters: Bool { edges.allSatisfy { $0.milliseconds % QuarterHour.milliseconds == 0 } }

    /// Returns the buckets with `more` appended.
    package func extended(by more: Int, _ interval: Interval, _ zone: ZoneOffsets) throws(Refusal) -> TimeBuckets {
        var edges = edges
        for _ in 0..<max(0, more) {
            guard let last = edges.last, edges.count <= TimeBuckets.limit else { throw TimeBuckets.tooMany }
            edges.append(TimeBuckets.next(after: last, interval, zone))
        }
        return TimeBuckets(edges: edges)
    }

    /// Throws a refusal if the range is empty or has too many buckets.
    package init(from: Timestamp, to: Timestamp, interval: Interval, zone: ZoneOffsets) throws(Refusal) {
        guard from < to else { throw TimeBuckets.empty }
        var edges = [TimeBuckets.floor(from, interval, zone)]
        while let last = edges.last, last < to {
            guard edges.count <= TimeBuckets.limit else { throw TimeBuckets.tooMany }
            edges.append(TimeBuckets.next(after: last, interval, zone))
        }
        self.edges = edges
    }

    package static let empty = Refusal(
        .invalid, "The range is empty: from is not before to.", hint: "to is exclusive and defaults to now.",
        fields: [.init("from", "range", "must be before to")])
    private static let tooMany = Refusal(
        .invalid, "The range has more than \(TimeBuckets.limit) buckets.", hint: "Use a coarser interval or a shorter range.",
        fields: [.init("interval", "too_fine", "too fine for this range")])

    /// Returns the bucket that contains the time; nil outside the range.
    package func index(of time: Timestamp) -> Int? {
        guard time >= from, time < to else { return nil }
        var (lower, upper) = (0, edges.count - 1)
        while upper - lower > 1 {
            let middle = (lower + upper) / 2
            if edges[middle] <= time { lower = middle } else { upper = middle }
        }
        return lower
    }

    private static func floor(_ time: Timestamp, _ interval: Interval, _ zone: ZoneOffsets) -> Timestamp {
        let local = zone.local(time)
        switch interval {
        case .minute: return time - .init(milliseconds: local.milliseconds - floored(local.milliseconds, 60_000))
        case .hour: return time - .init(milliseconds: local.milliseconds - floored(local.milliseconds, 3_600_000))
        case .day, .week, .month: return zone.moment(ofLocal: startOfPeriod(Day(of: local), interval).start)
        }
    }

    private static func next(after edge: Timestamp, _ interval: Interval, _ zone: ZoneOffsets) -> Timestamp {
        switch interval {
        case .minute: return edge + .minutes(1)
        case .hour: return floor(edge + .hours(1), .hour, zone) > edge ? floor(edge + .hours(1), .hour, zone) : edge + .hours(1)
        case .day, .week, .month:
            let day = startOfPeriod(Day(of: zone.local(edge)), interval)
            return zone.moment(ofLocal: startOfNextPeriod(day, interval).start)
        }
    }

    /// Returns the first day of the period that contains the day. Weeks begin on Monday.
    private static func startOfPeriod(_ day: Day, _ interval: Interval) -> Day {
        switch interval {
        case .week: return Day(number: day.number - Int32(truncatingIfNeeded: (Int64(day.number) + 3) - floored(Int64(day.number) + 3, 7)))
        case .month:
            let (year, month, _) = day.civil
            return Day(year: year, month: month, day: 1)
        case .minute, .hour, .day: return day
        }
    }

    private static func startOfNextPeriod(_ day: Day, _ interval: Interval) -> Day {
        switch interval {
        case .week: return Day(number: day.number + 7)
        case .month:
            let (year, month, _) = day.civil
            return month == 12 ? Day(year: year + 1, month: 1, day: 1) : Day(year: year, month: month + 1, day: 1)
        case .minute, .hour, .day: return Day(number: day.number + 1)
        }
    }

    private static func floored(_ value: Int64, _ unit: Int64) -> Int64 {
        value.flooredQuotient(by: unit) * unit
    }
}
