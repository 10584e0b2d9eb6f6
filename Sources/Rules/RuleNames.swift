// SPDX-License-Identifier: Apache-2.0

/// Functions of the language.
enum RuleFunction: String, Sendable, CaseIterable {
    case get, exists, getAfter, existsAfter, debug
    case documentGet = "firestore.get"
    case documentExists = "firestore.exists"
    case bool, bytes, float, int, string, path
    case durationAbs = "duration.abs"
    case durationTime = "duration.time"
    case durationValue = "duration.value"
    case crc32 = "hashing.crc32"
    case crc32c = "hashing.crc32c"
    case md5 = "hashing.md5"
    case sha256 = "hashing.sha256"
    case latlngValue = "latlng.value"
    case abs = "math.abs"
    case ceil = "math.ceil"
    case floor = "math.floor"
    case isInfinite = "math.isInfinite"
    case isNaN = "math.isNaN"
    case pow = "math.pow"
    case round = "math.round"
    case sqrt = "math.sqrt"
    case timestampDate = "timestamp.date"
    case timestampValue = "timestamp.value"

    /// The names before the dot, as `math` in `math.abs`.
    static let namespaces = Set(allCases.map(\.rawValue).filter { $0.contains(".") }.compactMap { $0.split(separator: ".").first.map(String.init) })

    var argumentCounts: ClosedRange<Int> {
        switch self {
        case .durationTime: 4...4
        case .durationValue, .latlngValue, .pow: 2...2
        case .timestampDate: 3...3
        default: 1...1
        }
    }
}

/// Methods of values. Which types have them is decided when they are evaluated.
enum RuleMethod: String, Sendable, CaseIterable {
    case lower, matches, replace, size, split, toUtf8, trim, upper
    case concat, hasAll, hasAny, hasOnly, join, removeAll, toSet
    case difference, intersection, union
    case diff, get, keys, values
    case addedKeys, affectedKeys, changedKeys, removedKeys, unchangedKeys
    case date, day, dayOfWeek, dayOfYear, hours, minutes, month, nanos, seconds, time, toMillis, year
    case toBase64, toHexString
    case distance, latitude, longitude
    case bind

    var argumentCounts: ClosedRange<Int> {
        switch self {
        case .matches, .split, .concat, .hasAll, .hasAny, .hasOnly, .join, .removeAll, .difference, .intersection, .union, .diff, .distance, .bind:
            1...1
        case .replace: 2...2
        case .get: 2...2
        default: 0...0
        }
    }
}
