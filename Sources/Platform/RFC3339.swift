// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
    /// Parses an RFC 3339 date and time, such as `2026-01-31T23:59:59.5+01:00`; without an offset it is UTC.
    ///
    /// A space may replace the `T`, digits after milliseconds are truncated, and a leap second is the last millisecond before it.
    package init?(rfc3339 text: Swift.Span<UInt8>) {
        // The shortest form ends with seconds. Any length of fraction is allowed.
        guard text.count >= 19, let date = text.date(), let time = text.timeOfDay() else { return nil }
        var index = 19
        guard let fraction = text.milliseconds(&index), let offset = text.offset(&index), index == text.count else { return nil }
        let isLeap = time.second == 60
        let seconds = Int64(time.hour * 3_600 + time.minute * 60 + (isLeap ? 59 : time.second))
        let moment = date * Day.milliseconds + seconds * 1_000 + (isLeap ? 999 : fraction) - offset * 60_000
        guard Timestamp.printable.contains(moment) else { return nil }
        // Leap seconds are only ever inserted at the end of a UTC day.
        guard !isLeap || (moment + 1).isMultiple(of: Day.milliseconds) else { return nil }
        self.init(milliseconds: moment)
    }

    /// The fixed-width form `2026-01-31T23:59:59.000Z`; times outside the years 1 to 9999 are clamped.
    package var rfc3339: String {
        var bytes: [UInt8] = []
        appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func appendRFC3339(to out: inout [UInt8]) {
        let moment = min(max(milliseconds, Timestamp.printable.lowerBound), Timestamp.printable.upperBound)
        let days = moment.flooredQuotient(by: Day.milliseconds)
        let rest = moment - days * Day.milliseconds
        let date = CivilDate(daysSince1970: days)
        out.appendDigits(date.year, 4)
        out.append(UInt8(ascii: "-"))
        out.appendDigits(date.month, 2)
        out.append(UInt8(ascii: "-"))
        out.appendDigits(date.day, 2)
        out.append(UInt8(ascii: "T"))
        out.appendDigits(rest / 3_600_000, 2)
        out.append(UInt8(ascii: ":"))
        out.appendDigits(rest / 60_000 % 60, 2)
        out.append(UInt8(ascii: ":"))
        out.appendDigits(rest / 1_000 % 60, 2)
        out.append(UInt8(ascii: "."))
        out.appendDigits(rest % 1_000, 3)
        out.append(UInt8(ascii: "Z"))
    }

    /// The years 1 to 9999.
    private static let printable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
}

/// A date of the proleptic Gregorian calendar.
struct CivilDate: Hashable, Sendable {
    package var year: Int64
    package var month: Int64
    package var day: Int64

    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    // Both directions use years that begin in March, so that the leap day comes last and month lengths follow one formula, and eras of
    // 400 years, after which the calendar repeats.

    package init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The number of days of the date's month.
    var daysInMonth: Int64 {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

// MARK: - Fixed places

extension Swift.Span<UInt8> {
    /// Parses the first ten bytes into days since 1970.
    fileprivate func date() -> Int64? {
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2) else { return nil }
        guard self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-") else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard year >= 1, (1...12).contains(month), day >= 1, day <= date.daysInMonth else { return nil }
        return date.daysSince1970
    }

    fileprivate func timeOfDay() -> (hour: Int64, minute: Int64, second: Int64)? {
        let separator = self[10]
        guard separator == UInt8(ascii: "T") || separator == UInt8(ascii: "t") || separator == UInt8(ascii: " ") else { return nil }
        guard let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2) else { return nil }
        guard self[13] == UInt8(ascii: ":"), self[16] == UInt8(ascii: ":"), hour < 24, minute < 60, second <= 60 else { return nil }
        return (hour, minute, second)
    }

    /// Parses an optional fraction and advances `index`.
    fileprivate func milliseconds(_ index: inout Int) -> Int64? {
        guard index < count, self[index] == UInt8(ascii: ".") else { return 0 }
        index += 1
        let start = index
        var value: Int64 = 0
        var scale: Int64 = 100
        while index < count, let digit = digit(index) {
            value += digit * scale
            scale /= 10
            index += 1
        }
        return index > start ? value : nil
    }

    /// Parses an offset in minutes east of UTC and advances `index`.
    fileprivate func offset(_ index: inout Int) -> Int64? {
        guard index < count else { return 0 }
        switch self[index] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            index += 1
            return 0
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard count - index >= 6, let hours = number(index + 1, 2), let minutes = number(index + 4, 2) else { return nil }
            guard self[index + 3] == UInt8(ascii: ":"), hours < 24, minutes < 60 else { return nil }
            let sign: Int64 = self[index] == UInt8(ascii: "-") ? -1 : 1
            index += 6
            return sign * (hours * 60 + minutes)
        default:
            return nil
        }
    }

    private func number(_ start: Int, _ length: Int) -> Int64? {
        var value: Int64 = 0
        for index in start..<start + length {
            guard let digit = digit(index) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private func digit(_ index: Int) -> Int64? {
        let value = self[index] &- 0x30
        return value < 10 ? Int64(value) : nil
    }
}

extension [UInt8] {
    fileprivate mutating func appendDigits(_ value: Int64, _ width: Int) {
        var divisor: Int64 = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(truncatingIfNeeded: 0x30 + value / divisor % 10))
            divisor /= 10
        }
    }
}
