// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// A place in the text of rules, from 1.
package struct RulePlace: Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    package var description: String { "\(line):\(column)" }
}

/// Why rules cannot be used.
package struct RuleFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let place: RulePlace
    package let message: String

    package var description: String { "\(place): \(message)" }
}

struct RuleToken: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case name(String)
        case text(String)
        case bytes([UInt8])
        case integer(Int64)
        case float(Double)
        /// `{ } ( ) [ ] , ; : . ? / $ + - * % < > ! =` and the operators of two characters.
        case symbol(String)
        case end
    }

    let kind: Kind
    let place: RulePlace
    /// Whether white space or a comment is before it. In `/a b` the path ends after `a`.
    let isApart: Bool
}

/// Splits the text of rules into tokens, in one pass.
struct RuleLexer {
    private static let pairs: Set<String> = ["==", "!=", "<=", ">=", "&&", "||", "**"]
    private static let singles: Set<UInt8> = Set("{}()[],;:.?/$+-*%<>!=".utf8)

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineStart = 0

    static func tokens(_ text: String) throws(RuleFault) -> [RuleToken] {
        var lexer = RuleLexer(bytes: Array(text.utf8))
        var tokens: [RuleToken] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var place: RulePlace { RulePlace(line: line, column: position - lineStart + 1) }
    private func peek(_ distance: Int = 0) -> UInt8? { position + distance < bytes.count ? bytes[position + distance] : nil }

    private mutating func next() throws(RuleFault) -> RuleToken {
        let start = position
        try skipSpace()
        let (place, isApart) = (place, position > start)
        guard let byte = peek() else { return RuleToken(kind: .end, place: place, isApart: isApart) }
        let kind: RuleToken.Kind =
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): .text(String(decoding: try text(quote: byte, isBytes: false), as: UTF8.self))
            case UInt8(ascii: "b") where peek(1) == UInt8(ascii: "'") || peek(1) == UInt8(ascii: "\""): .bytes(try bytesLiteral())
            case UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            case _ where RuleLexer.isNamePart(byte): .name(name())
            default: .symbol(try symbol())
            }
        return RuleToken(kind: kind, place: place, isApart: isApart)
    }

    private mutating func skipSpace() throws(RuleFault) {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\n"):
                position += 1
                (line, lineStart) = (line + 1, position)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): while let next = peek(), next != UInt8(ascii: "\n") { position += 1 }
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(RuleFault) {
        let start = place
        position += 2
        while let byte = peek() {
            if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
            if byte == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, position) }
        }
        throw RuleFault(place: start, message: "This comment has no end.")
    }

    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private mutating func name() -> String {
        let start = position
        while let byte = peek(), RuleLexer.isNamePart(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func number() throws(RuleFault) -> RuleToken.Kind {
        let (start, place) = (position, place)
        var isFloat = false
        while let byte = peek() {
            let isFraction = byte == UInt8(ascii: ".") && peek(1).map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
            guard RuleLexer.isNamePart(byte) || isFraction else { break }
            isFloat = isFloat || isFraction || byte | 0x20 == UInt8(ascii: "e")
            position += 1
            if byte | 0x20 == UInt8(ascii: "e"), let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isFloat, let value = Double(text) { return .float(value) }
        if !isFloat, let value = Int64(text) { return .integer(value) }
        throw RuleFault(place: place, message: "`\(text.prefix(40))` is not a number.")
    }

    /// Reads `b'a\xff'`.
    private mutating func bytesLiteral() throws(RuleFault) -> [UInt8] {
        position += 1
        return try text(quote: bytes[position], isBytes: true)
    }

    private mutating func text(quote: UInt8, isBytes: Bool) throws(RuleFault) -> [UInt8] {
        let start = place
        var content: [UInt8] = []
        position += 1
        while let byte = peek(), byte != UInt8(ascii: "\n") {
            position += 1
            if byte == quote { return content }
            if byte == UInt8(ascii: "\\") { content += try escape(isBytes: isBytes) } else { content.append(byte) }
        }
        throw RuleFault(place: start, message: "This text has no end on its line.")
    }

    /// Reads what follows a backslash.
    ///
    /// - Parameter isBytes: Whether `\xff` is a byte, and not the character U+00FF.
    private mutating func escape(isBytes: Bool) throws(RuleFault) -> [UInt8] {
        let place = place
        guard let byte = peek() else { throw RuleFault(place: place, message: "This text has no end on its line.") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "a"): return [0x07]
        case UInt8(ascii: "u"): return try utf16(place)
        case UInt8(ascii: "U"): return try encoded(number(digits: 8, radix: 16, place), place)
        case UInt8(ascii: "x"):
            let number = try number(digits: 2, radix: 16, place)
            return isBytes ? [UInt8(truncatingIfNeeded: number)] : try encoded(number, place)
        case UInt8(ascii: "0")...UInt8(ascii: "3") where [peek(), peek(1)].allSatisfy(RuleLexer.isOctal):
            position -= 1
            let number = try number(digits: 3, radix: 8, place)
            return isBytes ? [UInt8(truncatingIfNeeded: number)] : try encoded(number, place)
        default: return [byte]
        }
    }

    private static func isOctal(_ byte: UInt8?) -> Bool { byte.map { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) } ?? false }

    /// Reads `0041`, or `D83D\uDE00`: two units of a character beyond U+FFFF.
    private mutating func utf16(_ place: RulePlace) throws(RuleFault) -> [UInt8] {
        let first = try number(digits: 4, radix: 16, place)
        guard (0xD800...0xDBFF).contains(first), peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") else { return try encoded(first, place) }
        position += 2
        let second = try number(digits: 4, radix: 16, place)
        guard (0xDC00...0xDFFF).contains(second) else { return try encoded(first, place) }
        return try encoded(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), place)
    }

    private mutating func number(digits: Int, radix: Int, _ place: RulePlace) throws(RuleFault) -> UInt32 {
        let end = min(position + digits, bytes.count)
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        guard text.utf8.count == digits, let value = UInt32(text, radix: radix) else {
            throw RuleFault(place: place, message: "This escape names no character.")
        }
        position = end
        return value
    }

    private func encoded(_ number: UInt32, _ place: RulePlace) throws(RuleFault) -> [UInt8] {
        guard let scalar = Unicode.Scalar(number) else { throw RuleFault(place: place, message: "This escape names no character.") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func symbol() throws(RuleFault) -> String {
        let place = place
        if position + 1 < bytes.count {
            let pair = String(decoding: bytes[position...(position + 1)], as: UTF8.self)
            if RuleLexer.pairs.contains(pair) {
                position += 2
                return pair
            }
        }
        guard RuleLexer.singles.contains(bytes[position]) else { throw RuleFault(place: place, message: "This character has no meaning here.") }
        position += 1
        return String(decoding: [bytes[position - 1]], as: UTF8.self)
    }
}
