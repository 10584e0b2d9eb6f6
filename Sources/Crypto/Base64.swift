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
        return alphabet.decode(text.utf8.dropLast(padded))
    }

    /// Decodes text of clients that omit padding or leave bits set after the last byte, as in HTTP Basic; `nil` for other characters.
    package static func decodeLeniently(_ text: some StringProtocol) -> [UInt8]? {
        alphabet.decode(text.utf8.filter { $0 != padding }, isStrict: false)
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
        alphabet.decode(text.utf8)
    }
}

/// An alphabet of 64 characters: letters, digits and two more.
private struct SixBitAlphabet: Sendable {
    private let characters: [UInt8]
    private let values: [UInt8?]

    init(last: String) {
        characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt8?](repeating: nil, count: 256)
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

    func decode(_ text: some Collection<UInt8>, isStrict: Bool = true) -> [UInt8]? {
        if isStrict && text.count % 4 == 1 { return nil }
        var out: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for character in text {
            guard let value = values[Int(character)] else { return nil }
            pending = pending << 6 & 0xffff | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        return !isStrict || pending & (1 << bits - 1) == 0 ? out : nil
    }
}
