// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The buckets of times, looked up by quarter-hour.
struct FirstBuckets: Sendable {
    private let buckets: TimeBuckets
    /// The bucket of each quarter-hour of the range, or -1 where an edge divides it.
    private let bucketOfQuarter: [Int32]
    private let span: Range<Int64>
    private let firstQuarter: Int64

    init(_ buckets: TimeBuckets) {
        self.buckets = buckets
        bucketOfQuarter = FirstBuckets.bucketsOfQuarters(buckets)
        span = buckets.from.milliseconds..<buckets.to.milliseconds
        firstQuarter = buckets.from.milliseconds.flooredQuotient(by: QuarterHour.milliseconds)
    }

    /// Returns the bucket of a time; nil outside of the range.
    subscript(time: Int64) -> Int? {
        guard span.contains(time) else { return nil }
        let bucket = bucketOfQuarter[Int(time.flooredQuotient(by: QuarterHour.milliseconds) - firstQuarter)]
        return bucket >= 0 ? Int(bucket) : buckets.index(of: Timestamp(milliseconds: time))
    }

    /// Returns the bucket of a time as a number that is not less for a later time: -1 before the range, the largest integer after it.
    func place(of time: Int64) -> Int16 {
        self[time].map { Int16(truncatingIfNeeded: $0) } ?? (time < span.lowerBound ? -1 : .max)
    }

    private static func bucketsOfQuarters(_ buckets: TimeBuckets) -> [Int32] {
        let first = buckets.from.milliseconds.flooredQuotient(by: QuarterHour.milliseconds)
        var places = [Int32](repeating: -1, count: Int((buckets.to.milliseconds - 1).flooredQuotient(by: QuarterHour.milliseconds) - first) + 1)
        for bucket in 0..<buckets.count {
            let start = -(-buckets.edges[bucket].milliseconds).flooredQuotient(by: QuarterHour.milliseconds)
            let end = buckets.edges[bucket + 1].milliseconds.flooredQuotient(by: QuarterHour.milliseconds)
            for quarter in start..<max(start, end) { places[Int(quarter - first)] = Int32(truncatingIfNeeded: bucket) }
        }
        return places
    }
}
