// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The `Date` field, formatted once a second.
struct DateField {
    private(set) var bytes: [UInt8] = []
    private var second = Int.min

    mutating func update() {
        let now = time(nil)
        guard now != second else { return }
        second = now
        bytes = Array("Date: \(HTTPDate.text(now))\r\n".utf8)
    }
}

/// Dates of header fields (RFC 9110, 5.6.7) as seconds since 1970.
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Formats an IMF-fixdate (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ seconds: Int) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let two = { (n: Int32) in n < 10 ? "0\(n)" : "\(n)" }
        let year = "\(parts.tm_year + 1_900)"
        let fourDigits = String(repeating: "0", count: max(0, 4 - year.utf8.count)) + year
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(fourDigits)"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
