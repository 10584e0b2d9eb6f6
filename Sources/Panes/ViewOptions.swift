// SPDX-License-Identifier: Apache-2.0

/// What the dashboard looks at: how far back, and whether beside the time before that.
package struct ViewOptions: Hashable, Sendable {
    package var range: ViewRange
    package var compares: Bool

    package init(range: ViewRange = .hour, compares: Bool = false) {
        (self.range, self.compares) = (range, compares)
    }
}

/// How far back the dashboard looks, as a number of buckets of which the last has only begun.
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

    /// As somebody says it: so many of a unit.
    private let number: Int
    private let unit: Unit

    package static let quarter = ViewRange(15, .minute)
    package static let hour = ViewRange(1, .hour)
    package static let day = ViewRange(24, .hour)
    package static let week = ViewRange(7, .day)
    package static let month = ViewRange(30, .day)
    package static let usual = [quarter, hour, day, week, month]
    /// What a daemon answers fast, and a chart can still show.
    private static let mostDays = 1_100

    private init(_ number: Int, _ unit: Unit) {
        (self.number, self.unit) = (number, unit)
    }

    /// From `15m`, `6h` or `90d`; nil for anything else, and for what is too long.
    package init?(_ text: String) {
        guard let unit = text.last.flatMap(Unit.init), let number = Int(text.dropLast()), number > 0,
            number <= ViewRange.mostDays * 1_440 / unit.minutes, !(number == 1 && unit == .minute)
        else { return nil }
        self.init(number, unit)
    }

    /// As it is typed.
    package var text: String { "\(number)\(unit.rawValue)" }

    package var name: String {
        let word = "\(unit)"
        return number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }

    package var minutes: Int { number * unit.minutes }

    // MARK: Buckets

    private var bucket: Unit { minutes <= 360 ? .minute : minutes <= 14 * 1_440 ? .hour : .day }

    /// How many buckets it has.
    package var buckets: Int { max(2, minutes / bucket.minutes) }

    package var interval: String { "\(bucket)" }

    /// For `from`, such that the range holds whole buckets.
    package var from: String { "-\(buckets - 1)\(bucket.rawValue)" }

    /// For `from` and `to` of just as many buckets before.
    package var before: (from: String, to: String) { ("-\(2 * buckets - 1)\(bucket.rawValue)", "-\(buckets)\(bucket.rawValue)") }

    /// For `from` and `to` of its buckets that are over, and of just as many before its first.
    package var over: (now: (from: String, to: String), before: (from: String, to: String)) {
        let ends = { (from: Int, to: Int) in (from: "-\(from)\(bucket.rawValue)", to: "-\(to)\(bucket.rawValue)") }
        return (ends(buckets - 1, 1), ends(2 * buckets - 1, buckets + 1))
    }

    // MARK: Others

    package var shorter: ViewRange { ViewRange.usual.last { $0.minutes < minutes } ?? self }
    package var longer: ViewRange { ViewRange.usual.first { $0.minutes > minutes } ?? self }
}
