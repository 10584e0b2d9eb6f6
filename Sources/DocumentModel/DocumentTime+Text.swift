// SPDX-License-Identifier: Apache-2.0

/// Times as RFC 3339 writes them.
extension DocumentTime {
    private static let secondsPerDay: Int64 = 86_400
    private static let perSecond: Int64 = 1_000_000

    /// Parses a time. Digits of the fraction behind microseconds are cut.
    ///
    ///     2026-01-31T23:59:59Z   2026-01-31T23:59:59.000001Z   2026-02-01T00:59:59+01:00
    package init?(rfc3339 text: String) {
        var reader = TimeTextReader(rest: Array(text.utf8)[...])
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"), let day = reader.number(2),
            reader.take("T") || reader.take("t"), let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
            let second = reader.number(2), let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty,
            hour < 24, minute < 60, second < 60, let days = CivilDay.days(year, month, day)
        else { return nil }
        let seconds = days * DocumentTime.secondsPerDay + hour * 3_600 + minute * 60 + second - offset * 60
        self.init(microseconds: seconds * DocumentTime.perSecond + fraction)
    }

    /// The text with as many groups of three digits as it needs.
    ///
    ///     2026-01-31T23:59:59Z   2026-01-31T23:59:59.500Z   2026-01-31T23:59:59.000001Z
    package var rfc3339: String {
        var (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: DocumentTime.perSecond)
        if fraction < 0 { (seconds, fraction) = (seconds - 1, fraction + DocumentTime.perSecond) }
        var (days, ofDay) = seconds.quotientAndRemainder(dividingBy: DocumentTime.secondsPerDay)
        if ofDay < 0 { (days, ofDay) = (days - 1, ofDay + DocumentTime.secondsPerDay) }
        let date = CivilDay.date(days)
        var text: [UInt8] = []
        text.reserveCapacity(27)
        text.append(date.year, digits: 4, before: "-")
        text.append(date.month, digits: 2, before: "-")
        text.append(date.day, digits: 2, before: "T")
        text.append(ofDay / 3_600, digits: 2, before: ":")
        text.append(ofDay / 60 % 60, digits: 2, before: ":")
        text.append(ofDay % 60, digits: 2, before: fraction > 0 ? "." : "Z")
        if fraction % 1_000 > 0 {
            text.append(fraction, digits: 6, before: "Z")
        } else if fraction > 0 {
            text.append(fraction / 1_000, digits: 3, before: "Z")
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a number with leading zeros, and the character behind it.
    fileprivate mutating func append(_ number: Int64, digits: Int, before character: Unicode.Scalar) {
        let start = count
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
        var rest = number
        for place in (start..<start + digits).reversed() {
            self[place] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        append(UInt8(ascii: character))
    }
}

private struct TimeTextReader {
    private static let zero = UInt8(ascii: "0")
    private static let microsecondDigits = 6
    private static let fractionDigits = 9

    var rest: ArraySlice<UInt8>

    private mutating func digit() -> Int64? {
        guard let first = rest.first, (TimeTextReader.zero...UInt8(ascii: "9")).contains(first) else { return nil }
        rest.removeFirst()
        return Int64(first - TimeTextReader.zero)
    }

    /// Reads exactly this many digits.
    mutating func number(_ count: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads the microseconds of `.000001`; 0 without a point.
    mutating func fraction() -> Int64? {
        guard take(".") else { return 0 }
        var (count, microseconds) = (0, Int64(0))
        while let digit = digit() {
            if count < TimeTextReader.microsecondDigits { microseconds = microseconds * 10 + digit }
            count += 1
        }
        guard (1...TimeTextReader.fractionDigits).contains(count) else { return nil }
        for _ in min(count, TimeTextReader.microsecondDigits)..<TimeTextReader.microsecondDigits { microseconds *= 10 }
        return microseconds
    }

    /// Reads the minutes of `Z` or `+01:00`.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64 = take("-") ? -1 : take("+") ? 1 : 0
        guard sign != 0, let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }
}

/// Days of the proleptic Gregorian calendar, counted from 1970-01-01.
package enum CivilDay {
    /// The calendar begins on 0000-03-01 here, so that a leap day is the last of its year.
    private static let shift: Int64 = 719_468

    /// The date of a day.
    package static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + shift
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Returns nil if there is no such date in the years 1 to 9999.
    package static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, shiftedMonth) = (shiftedYear / 400, month > 2 ? month - 3 : month + 9)
        let yearOfEra = shiftedYear - era * 400
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * shiftedMonth + 2) / 5 + day - 1 - shift
        let found = date(days)
        return found.day == day && found.month == month ? days : nil
    }
}
