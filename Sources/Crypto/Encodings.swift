/// Bytes as pairs of hexadecimal digits.
package enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads either case; nil for anything that is not whole pairs of digits.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.compactMap(value)
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        case 0x41...0x46: byte - 0x41 + 10
        default: nil
        }
    }
}

/// Base 64 in the alphabet that is safe in URLs, without padding.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = pending << 8 & 0xffff | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                out.append(alphabet[Int(pending >> bits & 63)])
            }
        }
        if bits > 0 { out.append(alphabet[Int(pending << (6 - bits) & 63)]) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Nil for other characters, padding, a lone last character, or bits set behind the last byte: each text has one meaning.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var out: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let value = value(character) else { return nil }
            pending = pending << 6 & 0xffff | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        return pending & (1 << bits - 1) == 0 ? out : nil
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5a: UInt32(byte - 0x41)
        case 0x61...0x7a: UInt32(byte - 0x61 + 26)
        case 0x30...0x39: UInt32(byte - 0x30 + 52)
        case 0x2d: 62
        case 0x5f: 63
        default: nil
        }
    }
}
