// SPDX-License-Identifier: Apache-2.0

/// The severity of a log line.
package enum LogLevel: String, CaseIterable, Sendable, Comparable {
    case debug, info, warning, error

    package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

package enum LogFormat: String, CaseIterable, Sendable {
    case logfmt, json
}

/// A value in a log line.
package enum LogValue: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)

    package static func count(_ value: some BinaryInteger) -> LogValue { .integer(Int64(clamping: value)) }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
}
