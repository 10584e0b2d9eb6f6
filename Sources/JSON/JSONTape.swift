// SPDX-License-Identifier: Apache-2.0

/// A document as a flat list of tokens over its bytes. Index 0 is the whole document.
///
///     {"a": [1, "x"]}
///     index  kind    bytes          next
///     0      object  {"a": [1, "x"]}   5       1 child
///     1      key     a                 2       `next` of a key is its value
///     2      array   [1, "x"]          5       2 children
///     3      int     1                 4
///     4      string  x                 5
///
/// A container's content starts at its index + 1. `next` skips a whole value, so iterating over a container takes one step per child.
@frozen public struct JSONTape: Sendable {
    /// The memory of the tokens. It may be longer than `count` because it is reused.
    @usableFromInline var tokens: [JSONToken]
    public let count: Int
    public let bytes: [UInt8]
    /// The step budget of walks over this tape; 0 for none.
    @usableFromInline let stepLimit: Int

    /// Creates a tape without tokens, for reading only the bytes.
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

    /// Returns the range of the value in the document; strings include their quotes.
    @inlinable public func slice(_ index: Int) -> Range<Int> {
        let token = tokens[index]
        let quoted = token.kind == .string || token.kind == .key
        return quoted ? token.offset - 1..<token.offset + token.count + 1 : token.range
    }

    /// Returns the text of a key or string, or any other value as JSON; nil for an unpaired surrogate. Not for hot paths.
    package func text(_ token: JSONToken) -> String? {
        guard token.escaped else { return String(decoding: bytes[token.range], as: UTF8.self) }
        var out: [UInt8] = []
        return appendUnescaped(token, to: &out) ? String(decoding: out, as: UTF8.self) : nil
    }

    /// Whether objects and arrays are nested more than `levels` deep. A container counts as the first level.
    package func isNested(_ index: Int, deeperThan levels: Int) -> Bool {
        let end = tokens[index].next
        // Each level has at least one token.
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
