// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The times of a cron expression in a time zone.
///
/// A local time that a change of the clock skips is taken at the next minute; one that comes twice is taken once.
///
///     CronSchedule("0 9 * * 1-5", zone: berlin)   →   9:00 in Berlin from Monday to Friday
package struct CronSchedule: Sendable {
    package static let maximumBytes = 200
    /// Any date recurs within 8 years, also 29 February around 2100.
    private static let searchedDays = 8 * 366

    package let text: String
    package let zone: ZoneOffsets
    private let minutes, hours, days, months, weekdays: CronField

    /// Returns nil unless the text has five fields and some day fits them.
    package init?(_ text: String, zone: ZoneOffsets) {
        guard text.utf8.count <= CronSchedule.maximumBytes else { return nil }
        let parts = text.split(separator: " ")
        let fields = zip(parts, CronField.Kind.allCases).compactMap(CronField.init)
        guard parts.count == 5, fields.count == 5 else { return nil }
        (self.text, self.zone) = (text, zone)
        (minutes, hours, days, months, weekdays) = (fields[0], fields[1], fields[2], fields[3], fields[4])
        let leapYear = Day(year: 2000, month: 1, day: 1).number
        guard (leapYear..<leapYear + Int32(CronSchedule.searchedDays)).contains(where: { fits(Day(number: $0)) }) else { return nil }
    }

    /// Returns the first time after another; nil only at the end of the calendar.
    package func next(after time: Timestamp) -> Timestamp? {
        var local = zone.local(time)
        // The clock goes back by a day at most, so a local time that was taken already is passed within that.
        for _ in 0...Day.milliseconds / 60_000 {
            guard let found = nextLocal(after: local) else { return nil }
            let moment = zone.moment(ofLocal: found)
            if moment > time { return moment }
            local = found
        }
        return nil
    }

    /// Returns the next whole minute that fits, as if local time were UTC.
    private func nextLocal(after local: Timestamp) -> Timestamp? {
        let first = local.milliseconds.flooredQuotient(by: 60_000) + 1
        let start = Day(of: Timestamp(milliseconds: first * 60_000))
        for number in start.number..<start.number + Int32(CronSchedule.searchedDays) {
            let day = Day(number: number)
            guard fits(day) else { continue }
            let earliest = max(0, first - day.start.milliseconds / 60_000)
            if let minute = minuteOfDay(from: Int(earliest)) { return day.start + .minutes(Int64(minute)) }
        }
        return nil
    }

    private func minuteOfDay(from earliest: Int) -> Int? {
        guard earliest < 1_440 else { return nil }
        for hour in (earliest / 60)..<24 where hours.contains(hour) {
            let from = hour == earliest / 60 ? earliest % 60 : 0
            if let minute = (from..<60).first(where: minutes.contains) { return hour * 60 + minute }
        }
        return nil
    }

    /// Whether the schedule runs on a day. As in cron, a day of the month and a day of the week that both restrict are alternatives.
    private func fits(_ day: Day) -> Bool {
        let date = day.civil
        guard months.contains(date.month) else { return false }
        let weekday = (Int(day.number) % 7 + 11) % 7
        let (isDay, isWeekday) = (days.contains(date.day), weekdays.contains(weekday))
        return days.isOpen || weekdays.isOpen ? isDay && isWeekday : isDay || isWeekday
    }
}
