// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

extension HTTPDate {
    /// Parses the three forms that a recipient accepts; returns `nil` for anything else.
    ///
    /// Example: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994` are all 784111777. The weekday
    /// is a name of one, but need not be that of the date.
    ///
    /// - Parameter now: The time that tells the century of a year with two digits: at most 50 years ahead.
    package static func seconds(of text: String, now: Int) -> Int? {
        guard text.utf8.count <= 40 else { return nil }
        var parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // The day of the third form has two places, so a day before the tenth follows two blanks.
        if parts.count == 6, parts[2].isEmpty, parts[3].utf8.count == 1 {
            parts.remove(at: 2)
            parts[2] = "0" + parts[2]
        }
        switch parts.count {
        case 6 where shortDays.contains(parts[0].dropLast()) && parts[0].hasSuffix(",") && parts[5] == "GMT":
            return seconds(day: parts[1], month: parts[2], year: parts[3], time: parts[4])
        case 5 where shortDays.contains(parts[0][...]):
            return seconds(day: parts[2], month: parts[1], year: parts[4], time: parts[3])
        case 4 where longDays.contains(parts[0].dropLast()) && parts[0].hasSuffix(",") && parts[3] == "GMT":
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, let year = century(of: String(date[2]), now: now) else { return nil }
            return seconds(day: String(date[0]), month: String(date[1]), year: year, time: parts[2])
        default:
            return nil
        }
    }

    /// Reads the parts as an RFC 3339 time, whose reader knows the lengths of months.
    private static func seconds(day: String, month: String, year: String, time: String) -> Int? {
        guard let index = months.firstIndex(of: month), day.utf8.count == 2, year.utf8.count == 4, time.utf8.count == 8 else { return nil }
        let number = index + 1
        let text = "\(year)-\(number < 10 ? "0" : "")\(number)-\(day)T\(time)Z"
        return Timestamp(rfc3339: Array(text.utf8).span).map { Int($0.milliseconds.flooredQuotient(by: 1_000)) }
    }

    /// Completes a year of two digits: `94` is 1994 in the year 2026, and `70` is 2070.
    private static func century(of digits: String, now: Int) -> String? {
        guard digits.utf8.count == 2, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let short = Int(digits) else { return nil }
        var seconds = now
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let current = Int(parts.tm_year) + 1_900
        let year = current / 100 * 100 + short
        return String(year > current + 50 ? year - 100 : year)
    }

    private static let shortDays: [Substring] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays: [Substring] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
