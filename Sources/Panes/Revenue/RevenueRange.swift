// SPDX-License-Identifier: Apache-2.0

/// The buckets of revenue: days from three days on.
struct RevenueRange {
    let interval: String
    let from: String
    /// `from` and `to` of the previous period, with as many complete buckets.
    let before: (from: String, to: String)

    private static let leastDays = 3

    init(_ range: ViewRange) {
        let days = range.interval == "day" ? range.buckets : range.interval == "hour" ? range.buckets / 24 : 0
        if days < RevenueRange.leastDays {
            (interval, from, before) = (range.interval, range.from, range.over.before)
        } else {
            (interval, from, before) = ("day", "-\(days - 1)d", ("-\(2 * days - 1)d", "-\(days + 1)d"))
        }
    }
}
