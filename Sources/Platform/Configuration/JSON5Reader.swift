/// Reads JSON5, keeping the line and column of every name and value.
///
/// Foundation's decoder passes unknown keys in silence and knows no lines, and a person who edits a file needs both.
package struct JSON5Reader {
    package static let maximumBytes = 1 << 20
    package static let maximumDepth = 32

    let text: [Unicode.Scalar]
    var index = 0
    var position = SourcePosition(line: 1, column: 1)

    /// Reads a whole document.
    package static func read(_ bytes: [UInt8]) throws(JSON5SyntaxError) -> JSON5Value {
        var reader = JSON5Reader(text: try scalars(bytes))
        let value = try reader.value(depth: 1)
        try reader.skipBlanks()
        guard reader.peek == nil else {
            throw JSON5SyntaxError(
                at: reader.position, "There is text after the end of the document.", hint: "Is a brace closed too early?")
        }
        return value
    }

    private init(text: [Unicode.Scalar]) {
        self.text = text
    }

    private static func scalars(_ bytes: [UInt8]) throws(JSON5SyntaxError) -> [Unicode.Scalar] {
        let start = SourcePosition(line: 1, column: 1)
        guard bytes.count <= maximumBytes else {
            throw JSON5SyntaxError(at: start, "The text is larger than \(maximumBytes) bytes.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JSON5SyntaxError(at: firstInvalidByte(bytes), "The text is not UTF-8.", hint: "Save the file as UTF-8.")
        }
        return Array(text.unicodeScalars)
    }

    private static func firstInvalidByte(_ bytes: [UInt8]) -> SourcePosition {
        var position = SourcePosition(line: 1, column: 1)
        // Repairing decodes the same text up to the first bad byte, where it puts the replacement character.
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar == "\u{FFFD}" { break }
            position.advance(past: scalar)
        }
        return position
    }
}

// MARK: - Values

extension JSON5Reader {
    private mutating func value(depth: Int) throws(JSON5SyntaxError) -> JSON5Value {
        try skipBlanks()
        let start = position
        guard depth <= JSON5Reader.maximumDepth else {
            throw JSON5SyntaxError(at: start, "Values are nested deeper than \(JSON5Reader.maximumDepth) levels.")
        }
        guard let first = peek else { throw unexpected("a value") }
        switch first {
        case "{": return JSON5Value(.object(try members(depth: depth)), at: start)
        case "[": return JSON5Value(.array(try elements(depth: depth)), at: start)
        case "\"", "'": return JSON5Value(.string(try string()), at: start)
        case "+", "-", ".", "0"..."9": return JSON5Value(.number(try number()), at: start)
        default: return JSON5Value(try word(), at: start)
        }
    }

    private mutating func word() throws(JSON5SyntaxError) -> JSON5Value.Kind {
        let start = position
        let word = identifier()
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        case nil: throw unexpected("a value")
        case .some(let other):
            throw JSON5SyntaxError(at: start, "\(other) is not a value.", hint: "A text stands in quotes: \"\(other)\".")
        }
    }

    private mutating func elements(depth: Int) throws(JSON5SyntaxError) -> [JSON5Value] {
        advance()
        var elements: [JSON5Value] = []
        while true {
            try skipBlanks()
            if take("]") { return elements }
            elements.append(try value(depth: depth + 1))
            try skipBlanks()
            if take(",") { continue }
            guard peek == "]" else { throw unexpected("a comma or ]") }
        }
    }

    private mutating func members(depth: Int) throws(JSON5SyntaxError) -> [JSON5Member] {
        advance()
        var members: [JSON5Member] = []
        while true {
            try skipBlanks()
            if take("}") { return members }
            members.append(try member(depth: depth))
            try skipBlanks()
            if take(",") { continue }
            guard peek == "}" else { throw unexpected("a comma or }") }
        }
    }

    private mutating func member(depth: Int) throws(JSON5SyntaxError) -> JSON5Member {
        let start = position
        let name: String
        if peek == "\"" || peek == "'" {
            name = try string()
        } else if let bare = identifier() {
            name = bare
        } else {
            throw unexpected("a key or }")
        }
        try skipBlanks()
        guard take(":") else { throw unexpected("a colon after the key \(name)") }
        return JSON5Member(name: name, position: start, value: try value(depth: depth + 1))
    }

    /// A bare name, or nil where none starts.
    private mutating func identifier() -> String? {
        guard let first = peek, first.startsIdentifier else { return nil }
        var name = String.UnicodeScalarView()
        while let scalar = peek, scalar.continuesIdentifier {
            name.append(scalar)
            advance()
        }
        return String(name)
    }
}

// MARK: - Cursor

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
            return JSON5SyntaxError(at: position, "The text ends where \(wanted) should stand.")
        }
        let name = found.value < 0x20 || found.value == 0x7f ? "a control character" : "\"\(found)\""
        return JSON5SyntaxError(at: position, "Found \(name) where \(wanted) should stand.")
    }

    /// Passes white space and comments.
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
            throw JSON5SyntaxError(at: start, "A comment that begins here is never closed.", hint: "Close it with */.")
        default:
            throw unexpected("a value, a key or a comment")
        }
    }
}

extension SourcePosition {
    fileprivate mutating func advance(past scalar: Unicode.Scalar) {
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

    fileprivate var startsIdentifier: Bool { self == "$" || self == "_" || properties.isIDStart }
    var continuesIdentifier: Bool { startsIdentifier || properties.isIDContinue || self == "\u{200C}" || self == "\u{200D}" }
}
