/// One line of the log in either format.
struct LogLine {
    /// Longer texts are cut, so that a line stays within what a pipe takes in one piece.
    private static let longestText = 1_000

    var time: Timestamp
    var level: LogLevel
    var message: String
    var facts: KeyValuePairs<String, LogValue>

    func bytes(_ format: LogFormat) -> [UInt8] {
        let line = format == .json ? json : logfmt
        return Array(line.utf8) + [UInt8(ascii: "\n")]
    }

    private var logfmt: String {
        var line = "time=\(time.rfc3339) level=\(level.rawValue) msg=\(LogLine.logfmt(message))"
        for (key, value) in facts {
            line += " \(LogLine.bareKey(key))=\(LogLine.logfmt(LogLine.text(value)))"
        }
        return line
    }

    private var json: String {
        var line = "{\"time\":\"\(time.rfc3339)\",\"level\":\"\(level.rawValue)\",\"message\":\"\(LogLine.escape(message))\""
        for (key, value) in facts {
            line += ",\"\(LogLine.escape(key))\":\(LogLine.json(value))"
        }
        return line + "}"
    }

    private static func json(_ value: LogValue) -> String {
        switch value {
        case .text(let text): "\"\(escape(text))\""
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

    private static func logfmt(_ text: String) -> String {
        let escaped = escape(text)
        let needsQuotes = escaped.isEmpty || escaped.unicodeScalars.contains { $0 == " " || $0 == "=" || $0 == "\"" || $0 == "\\" }
        return needsQuotes ? "\"\(escaped)\"" : escaped
    }

    private static func bareKey(_ key: String) -> String {
        String(String.UnicodeScalarView(key.unicodeScalars.map { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) ? $0 : "_" }))
    }

    /// Escapes as JSON does, and beyond it all that could break the line or hide what it says.
    private static func escape(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longestText) {
            switch scalar {
            case "\"", "\\": out += ["\\", scalar]
            case "\n": out += ["\\", "n"]
            case "\t": out += ["\\", "t"]
            case "\r": out += ["\\", "r"]
            default:
                if scalar.isInvisible { out += hexEscape(scalar) } else { out.append(scalar) }
            }
        }
        if text.unicodeScalars.count > longestText { out.append("…") }
        return String(out)
    }

    private static func hexEscape(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let units = String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return units.joined().unicodeScalars
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
