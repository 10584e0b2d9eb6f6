// SPDX-License-Identifier: Apache-2.0

/// In which buckets revenue is shown: of more than a few days by days, as people count money.
struct RevenueRange {
    let interval: String
    let from: String
    /// For `from` and `to` of the time before: as many buckets as are over now, so that like is compared with like.
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
