// SPDX-License-Identifier: Apache-2.0

/// The kind of a token.
///
/// The values are those of the C header. Kinds, tokens and tapes are public because the compiler inlines only public declarations into
/// other modules.
@frozen public enum JSONKind: UInt8, Sendable {
    case object, array, key, string, integer, unsigned, double
    /// A valid number that neither 64 bits nor a double can represent.
    case bigNumber
    case `true`, `false`, null
}

/// A key or value of a document: the range of its bytes, and the index of the next token.
///
/// The C code writes the stored properties, which have the order and sizes of `sbj_token`.
@frozen public struct JSONToken: Sendable, Equatable {
    @usableFromInline var start: UInt32
    @usableFromInline var length: UInt32
    @usableFromInline var following: UInt32
    public let kind: JSONKind
    /// Whether a key or string contains a backslash, so that its text must be unescaped.
    public let escaped: Bool
    @usableFromInline private(set) var bits: UInt64

    init() {
        (start, length, following, kind, escaped, bits) = (0, 0, 0, .null, false, 0)
    }

    /// Creates a token at `offset` with the given index in its tape. Its content is added later.
    init(_ kind: JSONKind, offset: Int, count: Int = 0, index: Int, escaped: Bool = false, bits: UInt64 = 0) {
        start = UInt32(truncatingIfNeeded: offset)
        length = UInt32(truncatingIfNeeded: count)
        following = UInt32(truncatingIfNeeded: index + 1)
        (self.kind, self.escaped, self.bits) = (kind, escaped, bits)
    }

    /// Closes an object or array.
    mutating func close(end: Int, next: Int) {
        length = UInt32(truncatingIfNeeded: end) &- start
        following = UInt32(truncatingIfNeeded: next)
    }

    /// Adds to the number of members or elements.
    mutating func addChildren(_ count: Int = 1) { bits &+= UInt64(truncatingIfNeeded: count) }

    /// Returns the token moved by this many bytes and tokens.
    func moved(bytes: Int, tokens: Int) -> JSONToken {
        var token = self
        token.start = UInt32(truncatingIfNeeded: Int(start) &+ bytes)
        token.following = UInt32(truncatingIfNeeded: Int(following) &+ tokens)
        return token
    }

    /// The position of the first byte; for a key or string the one after the opening quote.
    @inlinable public var offset: Int { Int(start) }
    /// The number of bytes: including brackets for an object or array, excluding quotes for a key or string.
    @inlinable public var count: Int { Int(length) }
    @inlinable public var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
    /// The index of the token after the whole value; for a key the index of its value.
    @inlinable public var next: Int { Int(following) }
    /// The number of members of an object or elements of an array.
    @inlinable public var children: Int { Int(truncatingIfNeeded: bits) }

    @inlinable public var isString: Bool { if case .string = kind { true } else { false } }
    @inlinable public var isObject: Bool { if case .object = kind { true } else { false } }
    @inlinable public var isNull: Bool { if case .null = kind { true } else { false } }

    @inlinable public var integer: Int64? { kind == .integer ? Int64(bitPattern: bits) : nil }
    @inlinable public var isNumber: Bool {
        switch kind {
        case .integer, .unsigned, .double, .bigNumber: true
        default: false
        }
    }

    /// The value of a number other than a big one. Integers beyond 2⁵³ lose their last digits.
    public var double: Double? {
        switch kind {
        case .integer: Double(Int64(bitPattern: bits))
        case .unsigned: Double(bits)
        case .double: Double(bitPattern: bits)
        default: nil
        }
    }
}
