// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// The length of a report as typed: `24h`, `7d`, `4w`.
struct ReportSpan: Sendable, Equatable {
    enum Bucket: String, Sendable {
        case hour, day, week
    }

    let hours: Int
    private static let most = 365 * 24
    /// Longer reports use days.
    private static let mostHourly = 48

    static let usual = ReportSpan(hours: 7 * 24)

    private init(hours: Int) {
        self.hours = hours
    }

    init?(_ text: String) {
        let units: [Character: Int] = ["h": 1, "d": 24, "w": 168]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), (1...ReportSpan.most).contains(number),
            (2...(unit == 1 ? ReportSpan.mostHourly : ReportSpan.most)).contains(number * unit)
        else { return nil }
        hours = number * unit
    }

    var bucket: Bucket { hours <= ReportSpan.mostHourly ? .hour : hours <= 120 * 24 ? .day : .week }

    var name: String {
        switch bucket {
        case .hour: "\(hours) hours"
        case .day: "\(hours / 24) days"
        case .week: "\(hours / 168) weeks"
        }
    }

    /// The length in whole buckets.
    var length: Timestamp.Span { bucket == .week ? .days(Int64(hours / 168 * 7)) : .hours(Int64(hours)) }
}

/// The period of a report, and the previous period.
///
/// It begins with an hour, a day or a week of the app, and ends now. Changes compare equal stretches of time: the full hours until now
/// with the same hours of the previous period.
///
///     a week, Wednesday 10:20     from Thursday 00:00 to 10:20; compared is until 10:00, with Thursday 00:00 to Wednesday 10:00 before
struct ReportPeriod: Sendable {
    let span: ReportSpan
    let zone: ZoneOffsets
    let from: Timestamp
    let to: Timestamp
    /// The end of the last full hour.
    let closed: Timestamp
    let before: (from: Timestamp, to: Timestamp)

    init(_ span: ReportSpan, until now: Timestamp, in zone: ZoneOffsets) {
        (self.span, self.zone, to) = (span, zone, now)
        let length = span.length
        let local = zone.local(now)
        if span.bucket == .hour {
            closed = now - (local - local.startOfHour)
            from = closed + .hours(1) - length
            before = (from - length, closed - length)
        } else {
            let today = Day(of: local)
            // Weeks begin on Monday; day 0 was a Thursday.
            let ahead = span.bucket == .week ? 7 - (Int64(today.number) + 3) % 7 : 1
            let start = today.start + .days(ahead) - length
            from = zone.moment(ofLocal: start)
            closed = now - (local - local.startOfHour)
            before = (zone.moment(ofLocal: start - length), zone.moment(ofLocal: local.startOfHour - length))
        }
    }

    // MARK: Texts

    /// `Sun 15 November to Sat 21 November 2026`.
    var name: String {
        let (first, last) = (local(from), local(to))
        let year = Day(of: last).civil.year
        let firstYear = Day(of: first).civil.year == year ? "" : " \(Day(of: first).civil.year)"
        guard Day(of: first) != Day(of: last) else { return "\(ReportDate(last).long) \(year)" }
        return "\(ReportDate(first).long)\(firstYear) to \(ReportDate(last).long) \(year)"
    }

    /// `2026-11-21 14:05`.
    func moment(_ time: Timestamp) -> String {
        let text = local(time).rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    func local(_ time: Timestamp) -> Timestamp { zone.local(time) }

    /// The buckets of a chart from their start times.
    func buckets(_ starts: [Timestamp], every bucket: ReportSpan.Bucket) -> [Chart.Bucket] {
        let length: Timestamp.Span =
            switch bucket {
            case .hour: .hours(1)
            case .day: .days(1)
            case .week: .days(7)
            }
        return starts.map { start in
            let date = ReportDate(local(start))
            let clock = String(local(start).rfc3339.dropFirst(11).prefix(5))
            let name =
                switch bucket {
                case .hour: "\(date.short) \(clock)"
                case .day: date.short
                case .week: "the week of \(date.short)"
                }
            return Chart.Bucket(label: bucket == .hour ? clock : date.brief, name: name, isOpen: local(to) < local(start) + length)
        }
    }
}

extension Timestamp {
    fileprivate var startOfHour: Timestamp {
        let hour: Int64 = 3_600_000
        return Timestamp(milliseconds: milliseconds.flooredQuotient(by: hour) * hour)
    }
}

/// A date in the app's zone, as reports show it.
struct ReportDate {
    private let day: Day

    init(_ local: Timestamp) {
        day = Day(of: local)
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    private var weekday: String { ReportDate.weekdays[Int((day.number % 7 + 7) % 7)] }
    private var month: String { ReportDate.months[day.civil.month - 1] }

    /// `21 Nov`.
    var brief: String { "\(day.civil.day) \(month.prefix(3))" }
    /// `Sat 21 Nov`.
    var short: String { "\(weekday) \(brief)" }
    /// `Sat 21 November`.
    var long: String { "\(weekday) \(day.civil.day) \(month)" }
}
