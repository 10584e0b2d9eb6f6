/// How far back the dashboard looks.
enum ShownRange: Int, CaseIterable, Sendable {
    case halfHour, hour, day, week, month

    var name: String {
        switch self {
        case .halfHour: "30 minutes"
        case .hour: "60 minutes"
        case .day: "24 hours"
        case .week: "7 days"
        case .month: "30 days"
        }
    }

    /// For `from`, such that the range holds whole buckets.
    var from: String {
        switch self {
        case .halfHour: "-29m"
        case .hour: "-59m"
        case .day: "-23h"
        case .week: "-167h"
        case .month: "-29d"
        }
    }

    var interval: String {
        switch self {
        case .halfHour, .hour: "minute"
        case .day, .week: "hour"
        case .month: "day"
        }
    }

    var shorter: ShownRange { ShownRange(rawValue: rawValue - 1) ?? self }
    var longer: ShownRange { ShownRange(rawValue: rawValue + 1) ?? self }
}
