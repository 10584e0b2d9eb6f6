// SPDX-License-Identifier: Apache-2.0

/// The cursor of the reader.
extension JSON5Reader {
    var peek: Unicode.Scalar? { index < text.count ? text[index] : nil }
    var next: Unicode.Scalar? { index + 1 < text.count ? text[index + 1] : nil }

    mutating func advance() {
        guard let scalar = peek else { return }
        // CR LF is one line end, counted at its second half.
        if scalar != "\r" || next != "\n" { position.advance(past: scalar) }
        index += 1
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        advance()
        return true
    }

    func unexpected(_ wanted: String) -> JSON5SyntaxError {
        guard let found = peek else {
            return JSON5SyntaxError(at: position, "Expected \(wanted), found the end of the text.")
        }
        let name = found.value < 0x20 || found.value == 0x7f ? "a control character" : "\"\(found)\""
        return JSON5SyntaxError(at: position, "Expected \(wanted), found \(name).")
    }

    /// Skips white space and comments.
    mutating func skipBlanks() throws(JSON5SyntaxError) {
        while let scalar = peek {
            if scalar == "/" {
                try skipComment()
            } else if scalar.isBlank {
                advance()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(JSON5SyntaxError) {
        let start = position
        switch next {
        case "/":
            while let scalar = peek, !scalar.endsLine { advance() }
        case "*":
            advance()
            advance()
            while peek != nil {
                if peek == "*", next == "/" {
                    advance()
                    advance()
                    return
                }
                advance()
            }
            throw JSON5SyntaxError(at: start, "Unterminated comment.", hint: "Close it with */.")
        default:
            throw unexpected("a value, a key or a comment")
        }
    }
}

extension SourcePosition {
    mutating func advance(past scalar: Unicode.Scalar) {
        if scalar.endsLine {
            self = SourcePosition(line: line + 1, column: 1)
        } else {
            column += 1
        }
    }
}

extension Unicode.Scalar {
    var endsLine: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

    fileprivate var isBlank: Bool {
        switch self {
        case " ", "\t", "\u{0B}", "\u{0C}", "\u{FEFF}": true
        default: endsLine || properties.generalCategory == .spaceSeparator
        }
    }

    var startsIdentifier: Bool { self == "$" || self == "_" || properties.isIDStart }
    var continuesIdentifier: Bool { startsIdentifier || properties.isIDContinue || self == "\u{200C}" || self == "\u{200D}" }
}
