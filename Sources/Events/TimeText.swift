// SPDX-License-Identifier: Apache-2.0

package import Platform

extension Timestamp {
    /// Reads a number of seconds, milliseconds or microseconds since 1970. The magnitude decides the unit; nil beyond all of them.
    ///
    ///     1700000000  →  seconds        1700000000000  →  milliseconds        1700000000000000  →  microseconds
    package init?(epoch number: Int64) {
        switch number.magnitude {
        case ..<100_000_000_000: self.init(milliseconds: number * 1_000)
        case ..<100_000_000_000_000: self.init(milliseconds: number)
        case ..<100_000_000_000_000_000: self.init(milliseconds: number.flooredQuotient(by: 1_000))
        default: return nil
        }
    }

    /// Reads a number with a fraction, rounded to the millisecond.
    package init?(epoch number: Double) {
        let size = number.magnitude
        guard size < 1e17 else { return nil }
        let milliseconds = size < 1e11 ? number * 1_000 : size < 1e14 ? number : number / 1_000
        self.init(milliseconds: Int64(milliseconds.rounded()))
    }

    /// Reads RFC 3339 text, in UTC if it has no offset, or an epoch number in digits.
    ///
    ///     2025-10-09T12:53:20.5+02:00  →  2025-10-09T10:53:20.500Z
    ///     2025-10-09 10:53:20          →  2025-10-09T10:53:20.000Z
    ///     1760007200                   →  2025-10-09T10:53:20.000Z
    package init?(text: Swift.Span<UInt8>) {
        guard let time = Timestamp.epoch(digits: text) ?? Timestamp.dateTime(text) else { return nil }
        self = time
    }

    private static func epoch(digits text: Swift.Span<UInt8>) -> Timestamp? {
        guard text.count <= 17, let number = text.number(0, text.count) else { return nil }
        return Timestamp(epoch: Int64(number))
    }

    private static func dateTime(_ text: Swift.Span<UInt8>) -> Timestamp? {
        guard text.count >= 19, let day = day(text), text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: "t") || text[10] == 0x20,
            let second = secondOfDay(text)
        else { return nil }
        var at = 19
        guard let fraction = fraction(text, &at), let offset = offset(text, &at), at == text.count else { return nil }
        return Timestamp(milliseconds: (day * 86_400 + second - offset) * 1_000 + fraction)
    }

    /// Returns the days since 1970-01-01 of the date at the beginning of `text`.
    private static func day(_ text: Swift.Span<UInt8>) -> Int64? {
        guard let year = text.number(0, 4), let month = text.number(5, 7), let day = text.number(8, 10) else { return nil }
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), (1...12).contains(month) else { return nil }
        guard (1...daysIn(month, of: year)).contains(day) else { return nil }
        // A year that begins in March ends with the leap day, so the months before it need no exception.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let leaps = Int64(shifted).flooredQuotient(by: 4) - Int64(shifted).flooredQuotient(by: 100) + Int64(shifted).flooredQuotient(by: 400)
        return Int64(shifted) * 365 + leaps + Int64(dayOfYear) - 719_468
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the second of the day. A leap second counts as the first second of the next minute.
    private static func secondOfDay(_ text: Swift.Span<UInt8>) -> Int64? {
        guard let hour = text.number(11, 13), let minute = text.number(14, 16), let second = text.number(17, 19) else { return nil }
        guard text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"), hour < 24, minute < 60, second <= 60 else { return nil }
        return Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Returns the milliseconds after a decimal point. Further digits are truncated.
    private static func fraction(_ text: Swift.Span<UInt8>, _ at: inout Int) -> Int64? {
        guard at < text.count, text[at] == UInt8(ascii: ".") else { return 0 }
        at += 1
        var (value, weight, digits): (Int64, Int64, Int) = (0, 100, 0)
        while at < text.count, let digit = text.digit(at) {
            value += Int64(digit) * weight
            (weight, digits, at) = (weight / 10, digits + 1, at + 1)
        }
        return digits > 0 ? value : nil
    }

    /// Returns the offset in seconds east of UTC.
    private static func offset(_ text: Swift.Span<UInt8>, _ at: inout Int) -> Int64? {
        guard at < text.count else { return 0 }
        if text[at] == UInt8(ascii: "Z") || text[at] == UInt8(ascii: "z") {
            at += 1
            return 0
        }
        guard text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-"), text.count == at + 6, text[at + 3] == UInt8(ascii: ":"),
            let hours = text.number(at + 1, at + 3), let minutes = text.number(at + 4, at + 6), hours < 24, minutes < 60
        else { return nil }
        let sign: Int64 = text[at] == UInt8(ascii: "-") ? -1 : 1
        at += 6
        return sign * Int64(hours * 3_600 + minutes * 60)
    }
}

extension Swift.Span<UInt8> {
    fileprivate func digit(_ at: Int) -> Int? {
        (0x30...0x39).contains(self[at]) ? Int(self[at] - 0x30) : nil
    }

    /// Returns the number in `self[from..<to]`, at most seventeen decimal digits.
    fileprivate func number(_ from: Int, _ to: Int) -> Int? {
        guard from < to, to <= count, to - from <= 17 else { return nil }
        var value = 0
        for i in from..<to {
            guard let digit = digit(i) else { return nil }
            value = value * 10 + digit
        }
        return value
    }
}
