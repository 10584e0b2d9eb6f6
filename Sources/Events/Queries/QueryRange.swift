// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The range of a query in whole buckets of its time zone's calendar.
package struct QueryRange: Sendable {
    package let buckets: TimeBuckets
    package let zone: ZoneOffsets
    package let interval: Interval
    package let now: Timestamp

    package var from: Timestamp { buckets.from }
    package var to: Timestamp { buckets.to }

    package init(from: Timestamp, to: Timestamp, interval: Interval, zone: ZoneOffsets, now: Timestamp) throws(Refusal) {
        buckets = try TimeBuckets(from: from, to: to, interval: interval, zone: zone)
        self.zone = zone
        self.interval = interval
        self.now = now
    }

    private init(_ buckets: TimeBuckets, _ interval: Interval, _ zone: ZoneOffsets, _ now: Timestamp) {
        self.buckets = buckets
        self.interval = interval
        self.zone = zone
        self.now = now
    }

    /// Creates a range with exact ends, regardless of the calendar.
    init(exactly stretch: Range<Timestamp>, now: Timestamp) {
        self.init(TimeBuckets(edges: [stretch.lowerBound, stretch.upperBound]), .minute, .utc, now)
    }

    /// Creates the range of a query with buckets.
    init(_ parameters: QueryParameters, interval: Interval) throws(Refusal) {
        let (from, to) = try QueryRange.ends(parameters)
        try self.init(from: from, to: to, interval: interval, zone: parameters.zone(), now: parameters.now)
    }

    private enum Period: String, CaseIterable {
        case day, week, month
    }

    /// Creates the range of a query that compares the people of days, weeks or months, at most 400 of them.
    init(periods parameters: QueryParameters, noun: String = "buckets") throws(Refusal) {
        let period = try parameters.choice("interval", default: Period.day)
        try self.init(parameters, interval: Interval(rawValue: period.rawValue) ?? .day)
        guard buckets.count <= 400 else {
            throw Refusal(
                .invalid, "The range has more than 400 \(noun).", hint: "Use a shorter range or a coarser interval.",
                fields: [.init("from", "too_long", "at most 400 \(noun) before to")])
        }
    }

    /// Creates the range of a query without buckets: a single one in whole quarter-hours, the resolution of presence.
    init(whole parameters: QueryParameters) throws(Refusal) {
        let zone = try parameters.zone()
        let (from, to) = try QueryRange.ends(parameters)
        let quarter = QuarterHour.milliseconds
        let first = from.milliseconds.flooredQuotient(by: quarter)
        let last = (to.milliseconds - 1).flooredQuotient(by: quarter) + 1
        let edges = [first, last].map { Timestamp(milliseconds: $0 * quarter) }
        self.init(TimeBuckets(edges: edges), .hour, zone, parameters.now)
    }

    /// The limit of a range in days. Work and memory grow with the days, even if nothing happened on them.
    static let longestInDays: Int64 = 18_300

    private static func ends(_ parameters: QueryParameters) throws(Refusal) -> (from: Timestamp, to: Timestamp) {
        let (from, to) = (try parameters.moment("from", default: "-7d"), try parameters.moment("to", default: "now"))
        guard from < to else { throw TimeBuckets.empty }
        guard to.milliseconds - from.milliseconds <= longestInDays * Day.milliseconds else {
            throw Refusal(
                .invalid, "The range is longer than fifty years.", hint: "Use a shorter range.",
                fields: [.init("from", "too_long", "at most \(longestInDays) days before to")])
        }
        return (from, to)
    }

    /// Returns the range with `more` buckets appended.
    package func extended(by more: Int) throws(Refusal) -> QueryRange {
        QueryRange(try buckets.extended(by: more, interval, zone), interval, zone, now)
    }

    /// Returns the range with one bucket prepended.
    package func withBucketBefore() throws(Refusal) -> QueryRange {
        try QueryRange(from: from - .minutes(1), to: to, interval: interval, zone: zone, now: now)
    }

    /// The same range with a single bucket.
    var joined: QueryRange { QueryRange(whole, interval, zone, now) }

    /// The whole range as one bucket.
    package var whole: TimeBuckets { TimeBuckets(edges: [from, to]) }
}
