package enum LogLevel: String, CaseIterable, Sendable, Comparable {
    case debug, info, warning, error
    package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }
    private var rank: Int { LogLevel.allCases.firstIndex(of: self) ?? 0 }
}
package enum LogFormat: String, CaseIterable, Sendable { case logfmt, json }
