// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The metric of a roll-up.
///
/// The `word` of a sum says of which event name, screen or currency.
package enum RollupMetric: Int64, CaseIterable, Sendable {
    /// Events, by name.
    case events = 1
    /// Screen views, by screen.
    case screens
    /// Purchases that are revenue, by currency.
    case purchases
    case refunds
    /// Late events of any name.
    case late
    /// Aliases, by day only.
    case aliases
    /// Withdrawn purchases. Their events were subtracted from `events`, and their presence stays.
    case withdrawn
}

/// The length of a roll-up's bucket.
///
/// A query tiles its range with the longest grains that fit.
package enum Grain: Int64, CaseIterable, Sendable {
    case minute = 1
    case hour
    case day
    /// In the history only: minutes would take too much space there, and hours do not fit every time zone.
    case quarter

    package var milliseconds: Int64 {
        switch self {
        case .minute: 60_000
        case .quarter: QuarterHour.milliseconds
        case .hour: 3_600_000
        case .day: Day.milliseconds
        }
    }
}

/// The counts of one commit by app, metric, word and bucket.
///
/// Thousands of events become a few dozen sums.
struct RollupTally: Sendable {
    struct Sum: Sendable {
        var app: Int64
        var metric: RollupMetric
        var grain: Grain
        var bucket: Int64
        var word: Int64
        var count: Int64
        var amount: Int64
    }

    private(set) var sums: [Sum] = []
    /// A hash index: each slot has an index into `sums` plus one, 0 if free.
    private var slots = [UInt32](repeating: 0, count: 1_024)

    /// Counts one event in its minute. Returns whether it is the first of its sum.
    @discardableResult
    mutating func count(_ metric: RollupMetric, app: Int64, word: Int64, time: Int64, by count: Int64 = 1, amount: Int64 = 0) -> Bool {
        let bucket = time.flooredQuotient(by: Grain.minute.milliseconds)
        return add(Sum(app: app, metric: metric, grain: .minute, bucket: bucket, word: word, count: count, amount: amount))
    }

    /// Adds the sums of hours and days, from those of minutes.
    mutating func addCoarserGrains() {
        for minute in sums {
            for grain in [Grain.hour, .day] {
                var sum = minute
                sum.grain = grain
                sum.bucket = minute.bucket.flooredQuotient(by: grain.milliseconds / Grain.minute.milliseconds)
                add(sum)
            }
        }
    }

    mutating func removeAll() {
        sums.removeAll(keepingCapacity: true)
        for i in slots.indices { slots[i] = 0 }
    }

    @discardableResult
    private mutating func add(_ sum: Sum) -> Bool {
        let slot = find(sum)
        if slots[slot] == 0 {
            sums.append(sum)
            slots[slot] = UInt32(truncatingIfNeeded: sums.count)
            if sums.count * 2 > slots.count { grow() }
            return true
        }
        let i = Int(slots[slot]) - 1
        sums[i].count += sum.count
        sums[i].amount = sums[i].amount.addingClamped(sum.amount)
        return false
    }

    private func find(_ sum: Sum) -> Int {
        let mask = slots.count - 1
        var slot = RollupTally.hash(sum) & mask
        while slots[slot] != 0 {
            let other = sums[Int(slots[slot]) - 1]
            if other.bucket == sum.bucket, other.word == sum.word, other.metric == sum.metric, other.grain == sum.grain, other.app == sum.app {
                break
            }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private static func hash(_ sum: Sum) -> Int {
        var h = UInt64(bitPattern: sum.bucket &* 8 &+ sum.grain.rawValue) &* 0x9e37_79b9_7f4a_7c15
        h = (h ^ UInt64(bitPattern: sum.word &* 8 &+ sum.metric.rawValue)) &* 0x9e37_79b9_7f4a_7c15
        h = (h ^ UInt64(bitPattern: sum.app)) &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: h >> 33)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for (i, sum) in sums.enumerated() { slots[find(sum)] = UInt32(truncatingIfNeeded: i + 1) }
    }
}
