// SPDX-License-Identifier: Apache-2.0

/// Conversions of JSON5 values to setting values.
extension JSON5Value {
    var wholeNumber: Int? {
        if case .number(let number) = kind { Int(exactly: number) } else { nil }
    }

    var nonEmptyString: String? {
        if case .string(let text) = kind, !text.isEmpty { text } else { nil }
    }

    var origin: OriginRule? {
        nonEmptyString.flatMap { OriginRule($0) }
    }

    var duration: Duration? {
        switch kind {
        case .string(let text): Quantity.duration(text)
        // The conversion would trap above a million years, which is out of every range.
        case .number(let seconds) where abs(seconds) < 3e13: .milliseconds(Int64(seconds * 1_000))
        default: nil
        }
    }

    /// Returns the converted elements; `nil` if one cannot be converted.
    func list<Element>(_ convert: (JSON5Value) -> Element?) -> [Element]? {
        guard case .array(let values) = kind else { return nil }
        let elements = values.compactMap(convert)
        return elements.count == values.count ? elements : nil
    }

    /// The value in error messages.
    var shown: String {
        switch kind {
        case .string(let text): text.quoted
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .bool(let flag): "\(flag)"
        case .null, .array, .object: kindName
        }
    }
}

extension String {
    /// The text as a JSON5 string, with line ends and control characters escaped.
    var quoted: String {
        var out = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": out += "\\\(scalar)"
            case "\0"..."\u{1f}", "\u{7f}"..."\u{9f}": out += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}

extension [String] {
    var bracketed: String { "[" + joined(separator: ", ") + "]" }
}
