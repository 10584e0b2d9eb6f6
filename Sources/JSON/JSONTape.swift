import Glibc

/// A document as a flat list of tokens over its bytes; index 0 is the whole.
@frozen public struct JSONTape: Sendable {
    /// May be longer than `count`: its memory has seen larger documents.
    @usableFromInline var tokens: [JSONToken]
    public let count: Int
    public let bytes: [UInt8]

    /// A tape without tokens, through which the bytes can be read all the same.
    package init(over bytes: [UInt8] = []) {
        self.init(tokens: [], count: 0, bytes: bytes)
    }

    init(tokens: [JSONToken], count: Int, bytes: [UInt8]) {
        self.tokens = tokens
        self.count = count
        self.bytes = bytes
    }

    @inlinable public subscript(index: Int) -> JSONToken { tokens[index] }

    /// The value's bytes as they stand in the document, of a string with its quotes.
    @inlinable public func slice(_ index: Int) -> Range<Int> {
        let token = tokens[index]
        let quoted = token.kind == .string || token.kind == .key
        return quoted ? token.offset - 1..<token.offset + token.count + 1 : token.range
    }

    /// Whether an unescaped key or string is exactly `literal`.
    @inlinable public func isText(_ token: JSONToken, _ literal: StaticString) -> Bool {
        token.count == literal.utf8CodeUnitCount && !token.escaped && isSame(token, literal)
    }

    @usableFromInline func isSame(_ token: JSONToken, _ literal: StaticString) -> Bool {
        // A static string lives as long as the program; both have as many bytes as the slice, whose bounds are checked.
        bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[token.range])
            guard let start = text.baseAddress else { return true }
            return memcmp(start, literal.utf8Start, text.count) == 0
        }
    }

    /// Whether two parts of the document are the same bytes.
    package func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        // Slicing checks the bounds of both.
        return bytes.withUnsafeBufferPointer { bytes in
            let (a, b) = (UnsafeBufferPointer(rebasing: bytes[one]), UnsafeBufferPointer(rebasing: bytes[other]))
            guard let first = a.baseAddress, let second = b.baseAddress else { return true }
            return memcmp(first, second, a.count) == 0
        }
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

    /// Whether there are more objects and arrays one inside the other than so many; a value that is one itself is the first.
    package func isNested(_ index: Int, deeperThan levels: Int) -> Bool {
        let end = tokens[index].next
        // Each level has a token at least.
        guard end - index > levels else { return false }
        var open: [Int] = []
        for place in index..<end where tokens[place].kind == .object || tokens[place].kind == .array {
            while let last = open.last, last <= place { open.removeLast() }
            open.append(tokens[place].next)
            if open.count > levels { return true }
        }
        return false
    }

    consuming func releaseTokens() -> [JSONToken] { tokens }
}
