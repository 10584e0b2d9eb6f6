// SPDX-License-Identifier: Apache-2.0

/// A set of ASCII characters as 128 bits.
package struct ByteSet: Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    package init(low: UInt64, high: UInt64) {
        (self.low, self.high) = (low, high)
    }

    /// The characters of a text.
    package init(_ characters: String) {
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for byte in characters.utf8 {
            precondition(byte < 128, "a set of bytes holds ASCII characters only")
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
        }
        self.init(low: bits.low, high: bits.high)
    }

    @inlinable
    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : high
        return byte < 128 && word >> UInt64(byte & 63) & 1 == 1
    }
}
