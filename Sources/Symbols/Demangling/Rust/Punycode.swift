// SPDX-License-Identifier: Apache-2.0

/// Decodes punycode (RFC 3492) as Rust's names use it, with `_` as the delimiter.
///
///     gdel_5qa  →  gödel
enum Punycode {
    /// The limit of characters, because each is inserted into those before it.
    private static let longest = 256

    /// Returns the text; nil if it is invalid, too long, or not an identifier.
    static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count <= longest else { return nil }
        let delimiter = bytes.lastIndex(of: 0x5f)
        var scalars = bytes[..<(delimiter ?? bytes.startIndex)].map { Unicode.Scalar($0) }
        var state = State()
        for byte in bytes[(delimiter.map { $0 + 1 } ?? bytes.startIndex)...] {
            guard let digit = digit(byte), let isComplete = state.add(digit) else { return nil }
            guard isComplete else { continue }
            guard let (scalar, index) = state.next(count: scalars.count + 1) else { return nil }
            scalars.insert(scalar, at: index)
        }
        guard state.isBetweenCharacters, !scalars.isEmpty else { return nil }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x61...0x7a: Int(byte) - 0x61
        case 0x30...0x39: Int(byte) - 0x30 + 26
        default: nil
        }
    }

    /// The decoder's state, in the terms of the RFC: a delta of variable length per character, and a bias that adapts.
    private struct State {
        private var scalar = 0x80
        private var index = 0
        private var bias = 72
        private var isFirst = true
        /// The delta so far, the weight of its next digit, and that digit's position times 36.
        private var delta = 0
        private var weight = 1
        private var position = 36

        var isBetweenCharacters: Bool { weight == 1 && position == 36 }

        /// Adds a digit; returns whether it is the last one of its character, or nil if the delta is too large.
        mutating func add(_ digit: Int) -> Bool? {
            let threshold = min(max(position - bias, 1), 26)
            guard weight < 1 << 40 else { return nil }
            delta += digit * weight
            if digit < threshold { return true }
            weight *= 36 - threshold
            position += 36
            return false
        }

        /// Returns the character that the delta describes, and its place among `count`.
        mutating func next(count: Int) -> (Unicode.Scalar, Int)? {
            let sum = index + delta
            adapt(count)
            (delta, weight, position) = (0, 1, 36)
            scalar += sum / count
            let place = sum % count
            index = place + 1
            guard let found = UInt32(exactly: scalar).flatMap(Unicode.Scalar.init), found.properties.isXIDContinue else { return nil }
            return (found, place)
        }

        private mutating func adapt(_ count: Int) {
            var delta = delta / (isFirst ? 700 : 2)
            isFirst = false
            delta += delta / count
            bias = 0
            while delta > 455 {
                delta /= 35
                bias += 36
            }
            bias += 36 * delta / (delta + 38)
        }
    }
}
