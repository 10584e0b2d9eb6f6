// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Comparisons of keys and strings without allocation, with or without escapes.
extension JSONTape {
    /// Whether a key or string equals `literal`: `"n\u0061me"` is `name`. An unpaired surrogate equals no text.
    @inlinable public func isText(_ token: JSONToken, _ literal: StaticString) -> Bool {
        if token.escaped { return isEscapedText(token, literal) }
        return token.count == literal.utf8CodeUnitCount && isSame(token, literal)
    }

    @usableFromInline func isSame(_ token: JSONToken, _ literal: StaticString) -> Bool {
        // A static string lives as long as the program; both have as many bytes as the slice, whose bounds are checked.
        bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[token.range])
            guard let start = text.baseAddress else { return true }
            return memcmp(start, literal.utf8Start, text.count) == 0
        }
    }

    @usableFromInline func isEscapedText(_ token: JSONToken, _ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        // An escape is up to six times as long as its text, which bounds the work by the literal's length.
        guard token.count > count, token.count <= 6 * count else { return false }
        var (at, place) = (token.offset, 0)
        let end = token.offset + token.count
        // As above: `place` stays below `count`.
        while at < end, place < count {
            let byte = bytes[at]
            if byte != UInt8(ascii: "\\") {
                guard byte == literal.utf8Start[place] else { return false }
                (at, place) = (at + 1, place + 1)
                continue
            }
            let (scalar, length) = escapedScalar(at, end)
            guard let scalar else { return false }
            for byte in scalar.utf8 {
                guard place < count, byte == literal.utf8Start[place] else { return false }
                place += 1
            }
            at += length
        }
        return at == end && place == count
    }

    /// Whether two keys or strings have the same text. Text with an unpaired surrogate only equals the same spelling.
    package func isSameText(_ one: JSONToken, _ other: JSONToken) -> Bool {
        if isSame(one.range, other.range) { return true }
        guard one.escaped || other.escaped else { return false }
        var (a, b) = (TextBytes(one), TextBytes(other))
        while true {
            let (byte, twin) = (a.next(of: self), b.next(of: self))
            if byte != twin || a.isBroken || b.isBroken { return false }
            if byte == nil { return true }
        }
    }

    /// Whether two ranges of the document have the same bytes.
    package func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        // Slicing checks the bounds of both.
        return bytes.withUnsafeBufferPointer { bytes in
            let (a, b) = (UnsafeBufferPointer(rebasing: bytes[one]), UnsafeBufferPointer(rebasing: bytes[other]))
            guard let first = a.baseAddress, let second = b.baseAddress else { return true }
            return memcmp(first, second, a.count) == 0
        }
    }

    /// Whether an unescaped key or string equals the lower-case `literal`, ignoring case.
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
}

/// The UTF-8 bytes of a key's or string's text, one at a time; nil at its end and at an unpaired surrogate.
private struct TextBytes {
    private var at: Int
    private let end: Int
    private let escaped: Bool
    /// The remaining bytes of an escape, the next one lowest.
    private var pending: UInt32 = 0
    private var pendingCount = 0
    private(set) var isBroken = false

    init(_ token: JSONToken) {
        (at, end, escaped) = (token.offset, token.offset + token.count, token.escaped)
    }

    mutating func next(of tape: JSONTape) -> UInt8? {
        if pendingCount > 0 { return takePending() }
        guard at < end, !isBroken else { return nil }
        let byte = tape.bytes[at]
        guard escaped, byte == UInt8(ascii: "\\") else {
            at += 1
            return byte
        }
        let (scalar, length) = tape.escapedScalar(at, end)
        guard let scalar else {
            isBroken = true
            return nil
        }
        at += length
        for (place, byte) in scalar.utf8.enumerated() { pending |= UInt32(byte) << UInt32(8 * place) }
        pendingCount = scalar.utf8.count
        return takePending()
    }

    private mutating func takePending() -> UInt8 {
        defer { (pending, pendingCount) = (pending >> 8, pendingCount - 1) }
        return UInt8(truncatingIfNeeded: pending)
    }
}
