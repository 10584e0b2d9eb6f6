// SPDX-License-Identifier: Apache-2.0

import Crypto
import Patterns
import SignalboxDocumentModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension RuleEvaluation {
    private static let (crc32, crc32c): (UInt32, UInt32) = (0xEDB8_8320, 0x82F6_3B78)

    mutating func regex(_ text: String) throws(Failure) -> Pattern {
        let name = ExactName(text)
        let found = if let literal = rules.patterns[name] { literal } else { try computed(name) }
        guard let found else { throw failure("This is not a regular expression of RE2, or it is too large.") }
        return found
    }

    private mutating func computed(_ pattern: ExactName) throws(Failure) -> Pattern? {
        guard pattern.text.utf8.count <= ComputedPatterns.mostBytes else { return nil }
        try charge(ComputedPatterns.work(pattern.text))
        return ComputedPatterns.pattern(pattern)
    }

    mutating func builtin(_ function: RuleFunction, _ arguments: [RuleValue]) throws(Failure) -> RuleValue {
        switch function {
        case .get, .documentGet, .getAfter: return try found(by: function, arguments).value
        case .exists, .documentExists, .existsAfter: return .bool(try document(arguments[0], after: function == .existsAfter) != nil)
        case .debug: return arguments[0]
        default:
            guard let value = RuleEvaluation.computed(function, arguments) else {
                throw failure("`\(function.rawValue)` does not work on these arguments.")
            }
            return value
        }
    }

    private static func computed(_ function: RuleFunction, _ arguments: [RuleValue]) -> RuleValue? {
        switch function {
        case .bool, .bytes, .float, .int, .string, .path: cast(function, arguments[0])
        case .durationAbs, .durationTime, .durationValue: duration(function, arguments)
        case .crc32, .crc32c, .md5, .sha256: hash(function, arguments[0])
        case .latlngValue: place(arguments)
        case .timestampDate, .timestampValue: timestamp(function, arguments)
        default: number(function, arguments)
        }
    }

    private static func cast(_ function: RuleFunction, _ value: RuleValue) -> RuleValue? {
        switch (function, value) {
        case (.float, .float), (.int, .integer): value
        case (.bool, .text("true")): .bool(true)
        case (.bool, .text("false")): .bool(false)
        case (.float, .integer(let number)): .float(Double(number))
        case (.float, .text(let text)): Double(text).map(RuleValue.float)
        case (.int, .float(let number)): Int64(exactly: number.rounded(.towardZero)).map(RuleValue.integer)
        case (.int, .text(let text)): Int64(text).map(RuleValue.integer)
        case (.string, _): value.asText.map(RuleValue.text)
        case (.path, .text(let text)): path(text).map(RuleValue.path)
        case (.bytes, .text(let text)): .bytes(Array(text.utf8))
        default: nil
        }
    }

    /// Reads `/a/b` or `a/b`; nil if a segment is empty.
    private static func path(_ text: String) -> [String]? {
        let bytes = text.utf8.first == UInt8(ascii: "/") ? text.utf8.dropFirst() : text.utf8[...]
        let segments = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        return segments.contains("") ? nil : segments
    }

    private static func duration(_ function: RuleFunction, _ arguments: [RuleValue]) -> RuleValue? {
        switch (function, arguments[0]) {
        case (.durationAbs, .duration(let span)): return span.magnitude.map(RuleValue.duration)
        case (.durationValue, .integer(let count)):
            guard case .text(let text) = arguments[1], let unit = units[text] else { return nil }
            return RuleSpan(count, times: unit).map(RuleValue.duration)
        case (.durationTime, _):
            let numbers = arguments.compactMap { if case .integer(let number) = $0 { number } else { nil } }
            guard numbers.count == 4, let hours = RuleSpan(numbers[0], times: (3_600, 0)), let minutes = RuleSpan(numbers[1], times: (60, 0)) else {
                return nil
            }
            return hours.plus(minutes)?.plus(RuleSpan(seconds: numbers[2], nanoseconds: numbers[3])).map(RuleValue.duration)
        default: return nil
        }
    }

    private static let units: [String: (seconds: Int64, nanoseconds: Int64)] = [
        "w": (604_800, 0), "d": (86_400, 0), "h": (3_600, 0), "m": (60, 0), "s": (1, 0), "ms": (0, 1_000_000), "ns": (0, 1),
    ]

    private static func hash(_ function: RuleFunction, _ value: RuleValue) -> RuleValue? {
        let bytes: [UInt8]
        switch value {
        case .bytes(let value): bytes = value
        case .text(let text): bytes = Array(text.utf8)
        default: return nil
        }
        return switch function {
        case .md5: .bytes(MD5.hash(bytes))
        case .sha256: .bytes(SHA256.hash(bytes))
        case .crc32: .bytes(RuleEncoding.checksum(bytes, polynomial: crc32))
        default: .bytes(RuleEncoding.checksum(bytes, polynomial: crc32c))
        }
    }

    private static func place(_ arguments: [RuleValue]) -> RuleValue? {
        guard let latitude = arguments[0].number, let longitude = arguments[1].number else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude).map(RuleValue.place)
    }

    private static func timestamp(_ function: RuleFunction, _ arguments: [RuleValue]) -> RuleValue? {
        let numbers = arguments.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        guard numbers.count == arguments.count else { return nil }
        if function == .timestampDate {
            return CivilDay.days(numbers[0], numbers[1], numbers[2]).map { .timestamp(RuleSpan(seconds: $0 * 86_400)) }
        }
        return RuleSpan(numbers[0], times: (0, 1_000_000))?.asTime.map(RuleValue.timestamp)
    }

    private static func number(_ function: RuleFunction, _ arguments: [RuleValue]) -> RuleValue? {
        guard let number = arguments[0].number else { return nil }
        switch function {
        case .abs:
            if case .integer(let value) = arguments[0] { return value == .min ? nil : .integer(abs(value)) }
            return .float(abs(number))
        case .ceil: return .float(number.rounded(.up))
        case .floor: return .float(number.rounded(.down))
        case .round: return Int64(exactly: (number + 0.5).rounded(.down)).map(RuleValue.integer)
        case .isInfinite: return .bool(number.isInfinite)
        case .isNaN: return .bool(number.isNaN)
        case .sqrt: return .float(number.squareRoot())
        case .pow: return arguments[1].number.map { .float(Glibc.pow(number, $0)) }
        default: return nil
        }
    }
}

extension RuleValue {
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .float(let number): number
        default: nil
        }
    }
}

extension RuleValue {
    /// The text that `string()` makes of a value; nil for lists and other values that have none.
    var asText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .float(let number): RuleEncoding.text(number)
        case .bool(let value): String(value)
        case .null: "null"
        case .path(let segments): "/" + segments.joined(separator: "/")
        default: nil
        }
    }
}
