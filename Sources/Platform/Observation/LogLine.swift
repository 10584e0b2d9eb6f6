// SPDX-License-Identifier: Apache-2.0

/// A log line in either format.
struct LogLine {
    var time: Timestamp
    var level: LogLevel
    var message: String
    var facts: KeyValuePairs<String, LogValue>

    func bytes(_ format: LogFormat) -> [UInt8] {
        let line = format == .json ? json : logfmt
        return Array(line.utf8) + [UInt8(ascii: "\n")]
    }

    private var logfmt: String {
        var line = "time=\(time.rfc3339) level=\(level.rawValue) msg=\(LogText(message).logfmt)"
        for (key, value) in facts {
            line += " \(LogLine.bareKey(key))=\(LogText(LogLine.text(value)).logfmt)"
        }
        return line
    }

    private var json: String {
        var line = "{\"time\":\"\(time.rfc3339)\",\"level\":\"\(level.rawValue)\",\"message\":\(LogText(message).json)"
        for (key, value) in facts {
            line += ",\(LogText(key).json):\(LogLine.json(value))"
        }
        return line + "}"
    }

    private static func json(_ value: LogValue) -> String {
        switch value {
        case .text(let text): LogText(text).json
        case .number(let number) where !number.isFinite: "\"\(number)\""
        case .integer, .number, .flag: text(value)
        }
    }

    private static func text(_ value: LogValue) -> String {
        switch value {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        }
    }

    private static func bareKey(_ key: String) -> String {
        String(String.UnicodeScalarView(key.unicodeScalars.map { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) ? $0 : "_" }))
    }
}
