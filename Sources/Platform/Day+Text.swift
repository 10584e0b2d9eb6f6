// SPDX-License-Identifier: Apache-2.0

/// Days of the civil calendar.
extension Day {
    package init(year: Int, month: Int, day: Int) {
        self.init(number: Int32(clamping: CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)).daysSince1970))
    }

    package var civil: (year: Int, month: Int, day: Int) {
        let date = CivilDate(daysSince1970: Int64(number))
        return (Int(date.year), Int(date.month), Int(date.day))
    }

    /// The date as text: `2026-11-21`.
    package var text: String {
        let (year, month, day) = civil
        return "\(Day.padded(year, 4))-\(Day.padded(month, 2))-\(Day.padded(day, 2))"
    }

    /// Parses `2026-11-21`; `nil` for anything but a valid date.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard civil == (year, month, day) else { return nil }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
