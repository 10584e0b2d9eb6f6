// SPDX-License-Identifier: Apache-2.0

extension JSONTape {
    /// Appends the text of a key or string. Returns false and leaves `out` unchanged for an unpaired surrogate.
    package func appendUnescaped(_ token: JSONToken, to out: inout [UInt8]) -> Bool {
        let mark = out.count
        if append(token, to: &out, isLossy: false) { return true }
        out.removeSubrange(mark...)
        return false
    }

    /// Returns the text of a key or string with U+FFFD for each unpaired surrogate.
    package func lossyText(_ token: JSONToken) -> String {
        guard token.escaped else { return String(decoding: bytes[token.range], as: UTF8.self) }
        var out: [UInt8] = []
        out.reserveCapacity(token.count)
        _ = append(token, to: &out, isLossy: true)
        return String(decoding: out, as: UTF8.self)
    }

    /// Copies the text between escapes in single pieces. Returns false with part of the text appended at an unpaired surrogate.
    private func append(_ token: JSONToken, to out: inout [UInt8], isLossy: Bool) -> Bool {
        guard token.escaped else {
            out.append(contentsOf: bytes[token.range])
            return true
        }
        var at = token.offset
        let end = token.offset + token.count
        while at < end {
            let escape = firstBackslash(at, end)
            if escape > at { out.append(contentsOf: bytes[at..<escape]) }
            guard escape < end else { return true }
            let (scalar, length) = escapedScalar(escape, end)
            guard let scalar = scalar ?? (isLossy ? "\u{fffd}" : nil) else { return false }
            if scalar.isASCII { out.append(UInt8(truncatingIfNeeded: scalar.value)) } else { out.append(contentsOf: scalar.utf8) }
            at = escape + length
        }
        return true
    }

    private func firstBackslash(_ start: Int, _ end: Int) -> Int {
        let span = bytes.span
        var at = start
        while at < end, span[at] != UInt8(ascii: "\\") { at += 1 }
        return at
    }

    /// Returns the scalar of the escape at `at`, nil for an unpaired surrogate, and the length of the escape: `\u00e9` is `é` in 6 bytes.
    func escapedScalar(_ at: Int, _ end: Int) -> (scalar: Unicode.Scalar?, length: Int) {
        if at + 1 < end, let plain = JSONTape.plainEscape(bytes[at + 1]) { return (Unicode.Scalar(plain), 2) }
        guard let first = codeUnit(at, end) else { return (nil, 6) }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard first < 0xdc00, let second = codeUnit(at + 6, end), (0xdc00...0xdfff).contains(second) else { return (nil, 6) }
        return (Unicode.Scalar(0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00)), 12)
    }

    private static func plainEscape(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Returns the four hexadecimal digits of the escape at `at`.
    private func codeUnit(_ at: Int, _ end: Int) -> UInt16? {
        guard at + 6 <= end, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u") else { return nil }
        var unit: UInt16 = 0
        for place in at + 2..<at + 6 {
            guard let digit = JSONTape.hexDigit(bytes[place]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case 0x30...0x39: UInt16(byte) - 0x30
        case 0x41...0x46: UInt16(byte) - 0x41 + 10
        case 0x61...0x66: UInt16(byte) - 0x61 + 10
        default: nil
        }
    }
}
