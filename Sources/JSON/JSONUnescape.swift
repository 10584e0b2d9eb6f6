extension JSONTape {
    /// Appends the text of a key or string; says no, and leaves `out` as it was, where it holds half a surrogate pair.
    package func appendUnescaped(_ token: JSONToken, to out: inout [UInt8]) -> Bool {
        guard token.escaped else {
            out.append(contentsOf: bytes[token.range])
            return true
        }
        let mark = out.count
        var at = token.offset
        let end = token.offset + token.count
        while at < end {
            let escape = bytes[at..<end].firstIndex(of: UInt8(ascii: "\\")) ?? end
            out.append(contentsOf: bytes[at..<escape])
            guard escape < end else { break }
            guard let length = appendEscape(escape, end, to: &out) else {
                out.removeSubrange(mark...)
                return false
            }
            at = escape + length
        }
        return true
    }

    /// The text of a key or string with U+FFFD for each half of a surrogate pair.
    package func lossyText(_ token: JSONToken) -> String {
        if let whole = text(token) { return whole }
        var out: [UInt8] = []
        var at = token.offset
        let end = token.offset + token.count
        while at < end {
            if bytes[at] != UInt8(ascii: "\\") {
                out.append(bytes[at])
                at += 1
            } else if let length = appendEscape(at, end, to: &out) {
                at += length
            } else {
                out.append(contentsOf: "\u{fffd}".utf8)
                at += 6
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Appends what the escape at `at` stands for and returns its length; nil for half a surrogate pair.
    private func appendEscape(_ at: Int, _ end: Int, to out: inout [UInt8]) -> Int? {
        guard at + 1 < end else { return nil }
        if let plain = JSONTape.plainEscape(bytes[at + 1]) {
            out.append(plain)
            return 2
        }
        guard let first = codeUnit(at, end) else { return nil }
        if let scalar = Unicode.Scalar(first) {
            out.append(contentsOf: scalar.utf8)
            return 6
        }
        guard first < 0xdc00, let second = codeUnit(at + 6, end), (0xdc00...0xdfff).contains(second) else { return nil }
        let joined = 0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00)
        guard let scalar = Unicode.Scalar(joined) else { return nil }
        out.append(contentsOf: scalar.utf8)
        return 12
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

    /// The four hexadecimal digits of an escape that starts at `at`.
    private func codeUnit(_ at: Int, _ end: Int) -> UInt16? {
        guard at + 6 <= end, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u") else { return nil }
        return UInt16(String(decoding: bytes[at + 2..<at + 6], as: UTF8.self), radix: 16)
    }
}
