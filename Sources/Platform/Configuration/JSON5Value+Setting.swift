/// A value as a setting takes it.
extension JSON5Value {
    var wholeNumber: Int? {
        if case .number(let number) = kind { Int(exactly: number) } else { nil }
    }

    var nonEmptyString: String? {
        if case .string(let text) = kind, !text.isEmpty { text } else { nil }
    }

    /// All elements as texts that `convert` takes, or nil.
    func list<Element>(_ convert: (String) -> Element?) -> [Element]? {
        guard case .array(let values) = kind else { return nil }
        let elements = values.compactMap { $0.nonEmptyString.flatMap(convert) }
        return elements.count == values.count ? elements : nil
    }

    /// The value as a message shows it.
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
    /// As a JSON5 string, which also keeps line ends and a terminal's control characters out of messages.
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
