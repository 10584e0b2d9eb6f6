// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The quarter-hours of each UTC day that belong to each bucket.
///
///     bucket 11:30–12:30 of a day    early 0b11 << 46, late 0b11
struct QuarterMasks: Sendable {
    struct Mask: Sendable {
        var bucket: Int
        var early: UInt64 = 0
        var late: UInt64 = 0
    }

    let first: Int32
    let last: Int32
    /// The quarter-hours that belong to a bucket on any day, to skip rows in SQL.
    private(set) var all: (early: UInt64, late: UInt64) = (0, 0)
    private var masks: [[Mask]]

    init(_ buckets: TimeBuckets) {
        first = Day(of: buckets.from).number
        last = Day(of: buckets.to - .init(milliseconds: 1)).number
        masks = Array(repeating: [], count: Int(last - first) + 1)
        for bucket in 0..<buckets.count { add(bucket, buckets.edges[bucket].milliseconds, buckets.edges[bucket + 1].milliseconds) }
    }

    /// The masks of a day; none outside of the range.
    func of(_ day: Int32) -> [Mask] {
        first <= day && day <= last ? masks[Int(day - first)] : []
    }

    private mutating func add(_ bucket: Int, _ from: Int64, _ to: Int64) {
        var day = from.flooredQuotient(by: Day.milliseconds)
        while day * Day.milliseconds < to {
            let start = day * Day.milliseconds
            let quarters =
                Int(
                    (max(from, start) - start) / QuarterHour.milliseconds)..<Int(
                    (min(to, start + Day.milliseconds) - start) / QuarterHour.milliseconds)
            let early = QuarterMasks.bits(quarters.clamped(to: 0..<48))
            let late = QuarterMasks.bits(quarters.clamped(to: 48..<96).shifted(by: -48))
            masks[Int(day) - Int(first)].append(Mask(bucket: bucket, early: early, late: late))
            all = (all.early | early, all.late | late)
            day += 1
        }
    }

    private static func bits(_ range: Range<Int>) -> UInt64 {
        range.isEmpty ? 0 : (UInt64.max >> UInt64(64 - range.count)) << UInt64(range.lowerBound)
    }
}

extension Range<Int> {
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
