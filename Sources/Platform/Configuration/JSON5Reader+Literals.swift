// SPDX-License-Identifier: Apache-2.0

// MARK: - Strings

extension JSON5Reader {
    mutating func string() throws(JSON5SyntaxError) -> String {
        let start = position
        let quote = peek
        advance()
        var out = String.UnicodeScalarView()
        while let scalar = peek {
            if scalar == quote {
                advance()
                return String(out)
            }
            if scalar == "\n" || scalar == "\r" { break }
            advance()
            if scalar == "\\" {
                if let escaped = try escape() { out.append(escaped) }
            } else {
                out.append(scalar)
            }
        }
        throw JSON5SyntaxError(
            at: start, "Unterminated string.", hint: "Close the quote, or end the line with \\ to continue it.")
    }

    /// Decodes the escape after a backslash; `nil` for a line continuation.
    private mutating func escape() throws(JSON5SyntaxError) -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        let start = position
        advance()
        switch scalar {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{0B}"
        case "x": return Unicode.Scalar(UInt8(truncatingIfNeeded: try hexDigits(2)))
        case "u": return try unicodeEscape(from: start)
        case "0" where !(peek?.isDigit ?? false): return "\0"
        case "0"..."9": throw JSON5SyntaxError(at: start, "A digit cannot be escaped.", hint: "Write the character itself, or \\u and four digits.")
        case "\r":
            _ = take("\n")
            return nil
        default: return scalar.endsLine ? nil : scalar
        }
    }

    private mutating func unicodeEscape(from start: SourcePosition) throws(JSON5SyntaxError) -> Unicode.Scalar {
        let first = try hexDigits(4)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = JSON5SyntaxError(at: start, "Incomplete surrogate pair.", hint: "Write the character itself.")
        guard first < 0xDC00, take("\\"), take("u") else { throw lone }
        let second = try hexDigits(4)
        guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else {
            throw lone
        }
        return scalar
    }

    private mutating func hexDigits(_ count: Int) throws(JSON5SyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = peek?.hexDigit else { throw unexpected("one of \(count) hexadecimal digits") }
            value = value << 4 | digit
            advance()
        }
        return value
    }
}

// MARK: - Numbers

extension JSON5Reader {
    mutating func number() throws(JSON5SyntaxError) -> Double {
        let start = position
        var negative = false
        if peek == "+" || peek == "-" {
            negative = peek == "-"
            advance()
        }
        let magnitude = try magnitude()
        if let scalar = peek, scalar.continuesIdentifier || scalar == "." {
            throw JSON5SyntaxError(at: start, "Invalid number.", hint: "Write a number with a unit in quotes, as in \"10s\" or \"5MiB\".")
        }
        return negative ? -magnitude : magnitude
    }

    private mutating func magnitude() throws(JSON5SyntaxError) -> Double {
        switch peek {
        case "I": return try word("Infinity", .infinity)
        case "N": return try word("NaN", .nan)
        case "0" where next == "x" || next == "X": return try hexadecimal()
        case "0" where next?.isDigit ?? false:
            throw JSON5SyntaxError(at: position, "A number cannot begin with 0.", hint: "Remove the zero; octal numbers are not supported.")
        default: return try decimal()
        }
    }

    private mutating func word(_ word: String, _ value: Double) throws(JSON5SyntaxError) -> Double {
        for scalar in word.unicodeScalars {
            guard take(scalar) else { throw unexpected("a number") }
        }
        return value
    }

    private mutating func hexadecimal() throws(JSON5SyntaxError) -> Double {
        advance()
        advance()
        guard peek?.hexDigit != nil else { throw unexpected("a hexadecimal digit") }
        var value = 0.0
        while let digit = peek?.hexDigit {
            value = value * 16 + Double(digit)
            advance()
        }
        return value
    }

    private mutating func decimal() throws(JSON5SyntaxError) -> Double {
        // In JSON5 either side of the decimal point may be empty, but not both; zero replaces the empty one.
        let whole = digits()
        let fraction = take(".") ? digits() : ""
        guard !whole.isEmpty || !fraction.isEmpty else { throw unexpected("a digit") }
        var text = "\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)"
        if peek == "e" || peek == "E" {
            advance()
            text += "e"
            if let sign = peek, sign == "+" || sign == "-" {
                text += String(sign)
                advance()
            }
            let exponent = digits()
            guard !exponent.isEmpty else { throw unexpected("a digit of the exponent") }
            text += exponent
        }
        return Double(text) ?? .infinity
    }

    private mutating func digits() -> String {
        var digits = String.UnicodeScalarView()
        while let scalar = peek, scalar.isDigit {
            digits.append(scalar)
            advance()
        }
        return String(digits)
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var hexDigit: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "a"..."f": value - 0x61 + 10
        case "A"..."F": value - 0x41 + 10
        default: nil
        }
    }
}
