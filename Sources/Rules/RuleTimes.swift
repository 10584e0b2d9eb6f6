// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

extension RuleEvaluation {
    private static let day: Int64 = 86_400

    func timeMethod(_ method: RuleMethod, _ time: RuleSpan) -> RuleValue? {
        let ofDay = RuleEvaluation.modulo(time.seconds, RuleEvaluation.day)
        let days = (time.seconds - ofDay) / RuleEvaluation.day
        let date = CivilDay.date(days)
        switch method {
        case .year: return .integer(date.year)
        case .month: return .integer(date.month)
        case .day: return .integer(date.day)
        case .dayOfWeek: return .integer(RuleEvaluation.modulo(days + 3, 7) + 1)
        case .dayOfYear: return CivilDay.days(date.year, 1, 1).map { .integer(days - $0 + 1) }
        case .hours: return .integer(ofDay / 3_600)
        case .minutes: return .integer(ofDay / 60 % 60)
        case .seconds: return .integer(ofDay % 60)
        case .nanos: return .integer(time.nanoseconds)
        case .toMillis: return .integer(time.seconds * 1_000 + time.nanoseconds / 1_000_000)
        case .date: return .timestamp(RuleSpan(seconds: days * RuleEvaluation.day))
        case .time: return .duration(RuleSpan(seconds: ofDay, nanoseconds: time.nanoseconds))
        default: return nil
        }
    }

    func durationMethod(_ method: RuleMethod, _ span: RuleSpan) -> RuleValue? {
        switch method {
        case .seconds: .integer(span.cutSeconds)
        case .nanos: .integer(span.restNanoseconds)
        default: nil
        }
    }

    private static func modulo(_ a: Int64, _ b: Int64) -> Int64 {
        let rest = a % b
        return rest < 0 ? rest + b : rest
    }
}
