// SPDX-License-Identifier: Apache-2.0

/// A document as a flat list of tokens over its bytes; index 0 is the whole.
@frozen public struct JSONTape: Sendable {
    /// May be longer than `count`: its memory has seen larger documents.
    @usableFromInline var tokens: [JSONToken]
    public let count: Int
    public let bytes: [UInt8]
    /// The steps that walks over this tape may take in all; 0 for a tape without a budget.
    @usableFromInline let stepLimit: Int

    /// A tape without tokens, through which the bytes can be read all the same.
    package init(over bytes: [UInt8] = []) {
        self.init(tokens: [], count: 0, bytes: bytes)
    }

    init(tokens: [JSONToken], count: Int, bytes: [UInt8], stepLimit: Int = 0) {
        self.tokens = tokens
        self.count = count
        self.bytes = bytes
        self.stepLimit = stepLimit
    }

    @inlinable public subscript(index: Int) -> JSONToken { tokens[index] }

    /// The value's bytes as they stand in the document, of a string with its quotes.
    @inlinable public func slice(_ index: Int) -> Range<Int> {
        let token = tokens[index]
        let quoted = token.kind == .string || token.kind == .key
        return quoted ? token.offset - 1..<token.offset + token.count + 1 : token.range
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
