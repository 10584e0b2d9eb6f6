// SPDX-License-Identifier: Apache-2.0

/// A text of a log line: nothing in it ends the line, its quotes, or hides what it says.
///
///     a\nlevel=error    a\nlevel=error      with a backslash and an n; in logfmt between quotes
///     \u{202e}gpj       \u202egpj
struct LogText {
    /// Longer texts are cut, so that a line stays within what a pipe takes in one piece.
    private static let longest = 1_000

    /// As it stands between the quotes of JSON.
    let escaped: String

    /// Escapes as JSON does, and beyond it all that could break the line or hide what it says.
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

    /// Between quotes where it must be.
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
    /// Prepended signs such as U+0600 are formats, too: whether they show is up to the font.
    fileprivate var isHidden: Bool { isControl || isLineBreak || isInvisible || properties.generalCategory == .format }
}
