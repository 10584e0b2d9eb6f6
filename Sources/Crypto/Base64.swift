// SPDX-License-Identifier: Apache-2.0

/// Base64 in the standard alphabet with padding: `hi` is `aGk=`.
package enum Base64 {
    private static let alphabet = SixBitAlphabet(last: "+/")
    private static let padding = UInt8(ascii: "=")

    package static func encode(_ bytes: [UInt8]) -> String {
        var out = alphabet.encode(bytes)
        while !out.count.isMultiple(of: 4) { out.append(padding) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Decodes canonical text only; `nil` otherwise. Each value has one text.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 4) else { return nil }
        let padded = text.utf8.suffix(2).count { $0 == padding }
        return alphabet.decode(Array(text.utf8.dropLast(padded))[...])
    }

    /// Decodes text of clients that omit padding or leave bits set after the last byte, as in HTTP Basic; `nil` for other characters.
    package static func decodeLeniently(_ text: some StringProtocol) -> [UInt8]? {
        alphabet.decode(text.utf8.filter { $0 != padding }[...], isStrict: false)
    }
}

/// Base64 in the URL-safe alphabet without padding.
package enum Base64URL {
    private static let alphabet = SixBitAlphabet(last: "-_")

    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: alphabet.encode(bytes), as: UTF8.self)
    }

    /// Decodes canonical text only; `nil` for other characters, padding, a single last character, or bits set after the last byte.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        alphabet.decode(Array(text.utf8)[...])
    }

    /// Decodes the bytes of a text, as the other one does.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        alphabet.decode(text)
    }
}

/// An alphabet of 64 characters: letters, digits and two more.
private struct SixBitAlphabet: Sendable {
    private let characters: [UInt8]
    /// The value of each character; `other` for characters outside the alphabet.
    private let values: [UInt8]
    private static let other: UInt8 = 0x80

    init(last: String) {
        characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt8](repeating: SixBitAlphabet.other, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    func encode(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = pending << 8 & 0xffff | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                out.append(characters[Int(pending >> bits & 63)])
            }
        }
        if bits > 0 { out.append(characters[Int(pending << (6 - bits) & 63)]) }
        return out
    }

    func decode(_ text: ArraySlice<UInt8>, isStrict: Bool = true) -> [UInt8]? {
        if isStrict && text.count % 4 == 1 { return nil }
        let (values, text) = (values.span, text.span)
        let whole = text.count / 4 * 4
        // Found characters are checked once at the end, because a branch for each would cost as much as the rest.
        var found: UInt8 = 0
        var tail: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { out, count in
            var at = 0
            while at < whole {
                let (a, b) = (values[Int(text[at])], values[Int(text[at + 1])])
                let (c, d) = (values[Int(text[at + 2])], values[Int(text[at + 3])])
                found |= a | b | c | d
                // Four characters give three bytes, so the capacity suffices.
                out[count] = a << 2 | b >> 4
                out[count + 1] = b << 4 | c >> 2
                out[count + 2] = c << 6 | d
                (at, count) = (at + 4, count + 3)
            }
            var bits = 0
            while at < text.count {
                let value = values[Int(text[at])]
                found |= value
                tail = tail << 6 | UInt32(value)
                (at, bits) = (at + 1, bits + 6)
            }
            while bits >= 8 {
                bits -= 8
                out[count] = UInt8(truncatingIfNeeded: tail >> bits)
                count += 1
            }
            tail &= 1 << bits - 1
        }
        return found & SixBitAlphabet.other == 0 && (!isStrict || tail == 0) ? bytes : nil
    }
}
