// SPDX-License-Identifier: Apache-2.0

/// Escapes text for a log line, so that it cannot end the line or its quotes, or hide content.
///
///     a\nlevel=error    a\nlevel=error      with a backslash and an n; in logfmt between quotes
///     \u{202e}gpj       \u202egpj
struct LogText {
    /// The limit of a text, so that a line is written to a pipe atomically.
    private static let longest = 1_000

    /// The text inside JSON quotes.
    let escaped: String

    /// Escapes like JSON, and also everything that could break the line or hide content.
    init(_ text: String) {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(LogText.longest) {
            switch scalar {
            case "\"", "\\": out += ["\\", scalar]
            case "\n": out += ["\\", "n"]
            case "\t": out += ["\\", "t"]
            case "\r": out += ["\\", "r"]
            default:
                if scalar.isHidden { out += LogText.hexEscape(scalar) } else { out.append(scalar) }
            }
        }
        if text.unicodeScalars.dropFirst(LogText.longest).first != nil { out.append("…") }
        escaped = String(out)
    }

    var json: String { "\"\(escaped)\"" }

    /// The text for logfmt, quoted if necessary.
    var logfmt: String {
        let needsQuotes = escaped.utf8.isEmpty || escaped.unicodeScalars.contains { $0 == " " || $0 == "=" || $0 == "\"" || $0 == "\\" }
        return needsQuotes ? json : escaped
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
    /// Format characters, including prepended signs such as U+0600, which not every font shows.
    fileprivate var isHidden: Bool { isControl || isLineBreak || isInvisible || properties.generalCategory == .format }
}
