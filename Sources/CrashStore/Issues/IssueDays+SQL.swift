// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform
import SQLite

/// The days of an issue's series: the last ones in the app's time zone, today included.
///
///     IssueDays(3, Asia/Tokyo, now: 2026-11-21T20:00Z)    20, 21 and 22 November, which began at 2026-11-21T15:00Z
struct IssueDays: Sendable {
    var days: [(day: Day, start: Timestamp)]
    var end: Timestamp
    /// The time before which data retention removes reports.
    var retained: Timestamp
    /// Whether each day is a day of UTC.
    var isUTC: Bool

    init(_ count: Int, of settings: AppSettings?, now: Timestamp) {
        let zone = settings.flatMap { ZoneOffsets($0.timeZone) } ?? .utc
        let today = Day(of: zone.local(now)).number
        let numbers = (today - Int32(count) + 1)...(today + 1)
        let starts = numbers.map { (day: Day(number: $0), start: zone.moment(ofLocal: Day(number: $0).start)) }
        days = starts.dropLast()
        end = starts.last?.start ?? now
        retained = settings.map { now - .days(Int64($0.retentionDays)) } ?? Timestamp(milliseconds: 0)
        isUTC = starts.allSatisfy { $0.start == $0.day.start }
    }
}

extension CrashDB {
    private static let quarter = QuarterHour.milliseconds

    /// Returns the counts of all days of a range.
    ///
    /// Counters are by day of UTC. In other time zones the stored reports are counted, and days from which data retention removed some have
    /// the counts of the same dates in UTC.
    func dayCounts(of issue: Int64, _ range: IssueDays) throws -> [IssueDetail.DayCount] {
        let counted = try countsByUTCDay(of: issue, range)
        let stored = range.isUTC ? [:] : try countsByStart(of: issue, range)
        return range.days.map { day, start in
            let isCounted = range.isUTC || start < range.retained
            return .init(day: day, start: start, count: max(0, (isCounted ? counted[Int64(day.number)] : stored[start]) ?? 0))
        }
    }

    private func countsByUTCDay(of issue: Int64, _ range: IssueDays) throws -> [Int64: Int] {
        guard let first = range.days.first, let last = range.days.last else { return [:] }
        let rows = try statement(
            """
            SELECT d.day, sum(d.count) FROM groupings g JOIN issue_days d ON d.grouping = g.id WHERE g.issue = ? AND d.day >= ? AND d.day <= ?
            GROUP BY d.day
            """
        ).all(.integer(issue), .integer(Int64(first.day.number)), .integer(Int64(last.day.number))) { ($0.integer(0), $0.int(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Counts by quarter-hour, which every offset of a time zone is a multiple of.
    private func countsByStart(of issue: Int64, _ range: IssueDays) throws -> [Timestamp: Int] {
        guard let first = range.days.first else { return [:] }
        let rows = try statement(
            """
            SELECT c.time / \(CrashDB.quarter) AS quarter, count(*) FROM groupings g JOIN crashes c ON c.grouping = g.id
            WHERE g.issue = ? AND c.time >= ? AND c.time < ? GROUP BY quarter
            """
        ).all(.integer(issue), .integer(first.start.milliseconds), .integer(range.end.milliseconds)) {
            (Timestamp(milliseconds: $0.integer(0) * CrashDB.quarter), $0.int(1))
        }
        return rows.reduce(into: [:]) { counts, row in
            if let day = range.days.last(where: { $0.start <= row.0 }) { counts[day.start, default: 0] += row.1 }
        }
    }
}
