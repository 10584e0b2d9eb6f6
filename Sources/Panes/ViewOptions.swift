// SPDX-License-Identifier: Apache-2.0

/// The time range of the dashboard, and whether it is compared with the previous period.
package struct ViewOptions: Hashable, Sendable {
    package var range: ViewRange
    package var compares: Bool
    /// The time within which listed issues were last seen; nil for all issues.
    package var seenWithin: ViewRange?

    package init(range: ViewRange = .hour, compares: Bool = false, seenWithin: ViewRange? = nil) {
        (self.range, self.compares, self.seenWithin) = (range, compares, seenWithin)
    }
}

/// A time range up to now, in buckets of which the last is running: `15m`, `24h`, `7d`.
package struct ViewRange: Hashable, Sendable {
    package enum Unit: Character, Sendable {
        case minute = "m"
        case hour = "h"
        case day = "d"

        var minutes: Int {
            switch self {
            case .minute: 1
            case .hour: 60
            case .day: 1_440
            }
        }
    }

    /// As typed: a number of units.
    private let number: Int
    private let unit: Unit

    package static let quarter = ViewRange(15, .minute)
    package static let hour = ViewRange(1, .hour)
    package static let day = ViewRange(24, .hour)
    package static let week = ViewRange(7, .day)
    package static let month = ViewRange(30, .day)
    package static let usual = [quarter, hour, day, week, month]
    /// The longest range.
    private static let mostDays = 1_100

    private init(_ number: Int, _ unit: Unit) {
        (self.number, self.unit) = (number, unit)
    }

    /// Parses `15m`, `6h` or `90d`; nil for other texts and longer ranges.
    package init?(_ text: String) {
        guard let unit = text.last.flatMap(Unit.init), let number = Int(text.dropLast()), number > 0,
            number <= ViewRange.mostDays * 1_440 / unit.minutes, !(number == 1 && unit == .minute)
        else { return nil }
        self.init(number, unit)
    }

    /// As typed.
    package var text: String { "\(number)\(unit.rawValue)" }

    package var name: String {
        let word = "\(unit)"
        return number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }

    package var minutes: Int { number * unit.minutes }

    // MARK: Buckets

    private var bucket: Unit { minutes <= 360 ? .minute : minutes <= 14 * 1_440 ? .hour : .day }

    /// The number of buckets.
    package var buckets: Int { max(2, minutes / bucket.minutes) }

    package var interval: String { "\(bucket)" }

    /// The parameter `from` for whole buckets.
    package var from: String { "-\(buckets - 1)\(bucket.rawValue)" }

    /// `from` and `to` of as many buckets before.
    package var before: (from: String, to: String) { ("-\(2 * buckets - 1)\(bucket.rawValue)", "-\(buckets)\(bucket.rawValue)") }

    /// `from` and `to` of the complete buckets, and of as many before the range.
    package var over: (now: (from: String, to: String), before: (from: String, to: String)) {
        let ends = { (from: Int, to: Int) in (from: "-\(from)\(bucket.rawValue)", to: "-\(to)\(bucket.rawValue)") }
        return (ends(buckets - 1, 1), ends(2 * buckets - 1, buckets + 1))
    }

    // MARK: Other ranges

    package var shorter: ViewRange { ViewRange.usual.last { $0.minutes < minutes } ?? self }
    package var longer: ViewRange { ViewRange.usual.first { $0.minutes > minutes } ?? self }
}
