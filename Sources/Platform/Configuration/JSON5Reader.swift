// SPDX-License-Identifier: Apache-2.0

/// A JSON5 parser that keeps the line and column of every name and value. Example: `{ loops: 0x2, /* two */ }`.
///
/// Foundation's decoder ignores unknown keys and has no positions; both are needed to report errors in edited files.
package struct JSON5Reader {
    package static let maximumBytes = 1 << 20
    static let maximumDepth = 32

    let text: [Unicode.Scalar]
    var index = 0
    var position = SourcePosition(line: 1, column: 1)

    /// Parses a document.
    package static func read(_ bytes: [UInt8]) throws(JSON5SyntaxError) -> JSON5Value {
        var reader = JSON5Reader(text: try scalars(bytes))
        let value = try reader.value(depth: 1)
        try reader.skipBlanks()
        guard reader.peek == nil else {
            throw JSON5SyntaxError(
                at: reader.position, "Unexpected text after the document.", hint: "Check whether a brace is closed too early.")
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
        // The repairing decoder gives the same text up to the first invalid byte, where it puts U+FFFD.
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
            throw JSON5SyntaxError(at: start, "Nesting exceeds \(JSON5Reader.maximumDepth) levels.")
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
            throw JSON5SyntaxError(at: start, "\(other) is not a value.", hint: "Write texts in quotes: \"\(other)\".")
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

    /// Parses an unquoted name; `nil` if there is none.
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
