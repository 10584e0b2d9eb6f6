// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Dates of the proleptic Gregorian calendar in UTC.
struct RuleDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// The date of a number of days since 1970-01-01.
    init(days: Int64) {
        // The calendar begins on 0000-03-01 here, so that a leap day is the last of its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        day = ofYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01 of a date; nil if there is no such date.
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, shiftedMonth) = (shiftedYear / 400, month > 2 ? month - 3 : month + 9)
        let yearOfEra = shiftedYear - era * 400
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * shiftedMonth + 2) / 5 + day - 1 - 719_468
        let date = RuleDate(days: days)
        return date.day == day && date.month == month ? days : nil
    }
}

extension RuleEvaluation {
    private static let day: Int64 = 86_400

    func timeMethod(_ method: RuleMethod, _ time: RuleSpan) -> RuleValue? {
        let ofDay = RuleEvaluation.modulo(time.seconds, RuleEvaluation.day)
        let days = (time.seconds - ofDay) / RuleEvaluation.day
        let date = RuleDate(days: days)
        switch method {
        case .year: return .integer(date.year)
        case .month: return .integer(date.month)
        case .day: return .integer(date.day)
        case .dayOfWeek: return .integer(RuleEvaluation.modulo(days + 3, 7) + 1)
        case .dayOfYear: return RuleDate.days(date.year, 1, 1).map { .integer(days - $0 + 1) }
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
