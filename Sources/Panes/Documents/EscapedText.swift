// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The first characters of the text, with control characters, line separators and direction marks escaped.
    ///
    ///     "a⏎b".escaped(atMost: 10)     a\nb
    ///     "abcdef".escaped(atMost: 3)   abc…
    func escaped(atMost limit: Int, keepsLines: Bool = false) -> String {
        var out = ""
        for scalar in unicodeScalars.prefix(limit) {
            if let escape = scalar.escape, !(keepsLines && scalar == "\n") { out += escape } else { out.unicodeScalars.append(scalar) }
        }
        return unicodeScalars.dropFirst(limit).isEmpty ? out : out + "…"
    }
}

extension Unicode.Scalar {
    /// The escape of a scalar that a terminal would not show; nil for all others.
    fileprivate var escape: String? {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        // Parts of emoji.
        case "\u{200d}": nil
        default:
            switch properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\\u{\(String(value, radix: 16))}"
            default: nil
            }
        }
    }
}
