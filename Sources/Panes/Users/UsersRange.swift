// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The range of people: at least seven days, in days, weeks or months.
struct UsersRange: Equatable {
    /// Including the running day.
    let days: Int
    let interval: Interval
    private static let leastDays = 7
    /// The daemon's limit.
    private static let mostDays = ActiveUsersQuery.daysLimit

    init(_ range: ViewRange) {
        let days =
            switch range.interval {
            case "day": range.buckets
            case "hour": (range.buckets + 23) / 24
            default: 1
            }
        self.days = min(max(UsersRange.leastDays, days), UsersRange.mostDays)
        interval = self.days <= 21 ? .day : self.days <= 182 ? .week : .month
    }

    var from: String { "-\(days - 1)d" }

    /// `from` and `to` of as many days before.
    var before: (from: String, to: String) { ("-\(2 * days - 1)d", "-\(days)d") }

    /// The maximum number of periods, including partial ones.
    var buckets: Int {
        switch interval {
        case .month: days / 28 + 2
        case .week: days / 7 + 2
        case .minute, .hour, .day: days
        }
    }

    private static let mostPeriods = 12

    /// The number of periods of cohort retention.
    var periods: Int { min(UsersRange.mostPeriods, buckets) }

    /// The name of a period.
    func name(_ start: Moment, _ view: PaneView) -> String {
        let date = (view.zone?.local(start.time) ?? start.time).rfc3339
        switch interval {
        case .month: return String(date.prefix(7))
        case .week: return String(date.prefix(10))
        case .minute, .hour, .day: return view.day(start.time)
        }
    }
}
