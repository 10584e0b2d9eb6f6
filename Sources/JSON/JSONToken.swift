// SPDX-License-Identifier: Apache-2.0

/// What stands at a place of a tape.
///
/// The numbers are those of the C header.
///
/// This, tokens and tapes are public because the compiler inlines into other modules only what is, and doors ask them of every value.
@frozen public enum JSONKind: UInt8, Sendable {
    case object, array, key, string, integer, unsigned, double
    /// A valid number that neither 64 bits nor a double can hold.
    case bigNumber
    case `true`, `false`, null
}

/// A key or value of a document: where its bytes are, and where to go on after it.
///
/// The stored properties are written by the C side and lie in the order and with the sizes of its `sbj_token`.
@frozen public struct JSONToken: Sendable, Equatable {
    @usableFromInline var start: UInt32
    @usableFromInline var length: UInt32
    @usableFromInline var following: UInt32
    public let kind: JSONKind
    /// Whether a key or string holds a backslash, so that its bytes are not yet its text.
    public let escaped: Bool
    @usableFromInline private(set) var bits: UInt64

    init() {
        (start, length, following, kind, escaped, bits) = (0, 0, 0, .null, false, 0)
    }

    /// A token at `offset`, whose place in its tape is `index`; what it encloses is added later.
    init(_ kind: JSONKind, offset: Int, count: Int = 0, index: Int, escaped: Bool = false, bits: UInt64 = 0) {
        start = UInt32(truncatingIfNeeded: offset)
        length = UInt32(truncatingIfNeeded: count)
        following = UInt32(truncatingIfNeeded: index + 1)
        (self.kind, self.escaped, self.bits) = (kind, escaped, bits)
    }

    /// Ends an object or array there.
    mutating func close(end: Int, next: Int) {
        length = UInt32(truncatingIfNeeded: end) &- start
        following = UInt32(truncatingIfNeeded: next)
    }

    /// So many members or elements more.
    mutating func addChildren(_ count: Int = 1) { bits &+= UInt64(truncatingIfNeeded: count) }

    /// The same after its bytes went so many forwards, and the tokens after it so many.
    func moved(bytes: Int, tokens: Int) -> JSONToken {
        var token = self
        token.start = UInt32(truncatingIfNeeded: Int(start) &+ bytes)
        token.following = UInt32(truncatingIfNeeded: Int(following) &+ tokens)
        return token
    }

    /// The first byte; of a key or string the one after its opening quote.
    @inlinable public var offset: Int { Int(start) }
    /// How many bytes; of an object or array with its brackets, of a key or string without its quotes.
    @inlinable public var count: Int { Int(length) }
    @inlinable public var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
    /// The index of the token after this whole value; of a key that of its value.
    @inlinable public var next: Int { Int(following) }
    /// How many members an object or elements an array has.
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

    /// The value of any number but a big one; integers beyond 2⁵³ lose their last digits.
    public var double: Double? {
        switch kind {
        case .integer: Double(Int64(bitPattern: bits))
        case .unsigned: Double(bits)
        case .double: Double(bitPattern: bits)
        default: nil
        }
    }
}
