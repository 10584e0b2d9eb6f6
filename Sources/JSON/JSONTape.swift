/// A document as a flat list of tokens over its bytes; index 0 is the whole.
package struct JSONTape: Sendable {
    /// May be longer than `count`: its memory has seen larger documents.
    @usableFromInline var tokens: [JSONToken]
    package let count: Int
    package let bytes: [UInt8]

    /// A tape without tokens, through which the bytes can be read all the same.
    package init(over bytes: [UInt8] = []) {
        self.init(tokens: [], count: 0, bytes: bytes)
    }

    init(tokens: [JSONToken], count: Int, bytes: [UInt8]) {
        self.tokens = tokens
        self.count = count
        self.bytes = bytes
    }

    @inlinable package subscript(index: Int) -> JSONToken { tokens[index] }

    /// The value's bytes as they stand in the document, of a string with its quotes.
    package func slice(_ index: Int) -> Range<Int> {
        let token = tokens[index]
        let quoted = token.kind == .string || token.kind == .key
        return quoted ? token.offset - 1..<token.offset + token.count + 1 : token.range
    }

    /// Whether an unescaped key or string is exactly `literal`.
    @inlinable package func isText(_ token: JSONToken, _ literal: StaticString) -> Bool {
        token.count == literal.utf8CodeUnitCount && !token.escaped && isSame(token, literal)
    }

    @usableFromInline func isSame(_ token: JSONToken, _ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        // A static string lives as long as the program and has `count` bytes.
        let expected = literal.utf8Start
        for i in 0..<count where bytes[token.offset &+ i] != expected[i] { return false }
        return true
    }

    /// The same whatever the case of its letters; those of `literal` are small.
    package func isText(_ token: JSONToken, lowerCased literal: StaticString) -> Bool {
        guard !token.escaped, token.count == literal.utf8CodeUnitCount else { return false }
        // As above.
        let expected = literal.utf8Start
        for i in 0..<token.count {
            let byte = bytes[token.offset + i]
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 == expected[i] : byte == expected[i] else { return false }
        }
        return true
    }

    /// The text of a key or string, or of any other value its JSON; for cold paths. Nil where it holds half a surrogate pair.
    package func text(_ token: JSONToken) -> String? {
        guard token.escaped else { return String(decoding: bytes[token.range], as: UTF8.self) }
        var out: [UInt8] = []
        return appendUnescaped(token, to: &out) ? String(decoding: out, as: UTF8.self) : nil
    }

    consuming func releaseTokens() -> [JSONToken] { tokens }
}
