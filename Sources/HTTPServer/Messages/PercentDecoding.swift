/// Percent-encoding undone exactly once.
package enum PercentDecoding {
    /// The decoded segments of a path; nil where an escape is broken or a segment is not UTF-8.
    package static func segments(of path: String) -> [String]? {
        var out: [String] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let text = decode(part, plusIsSpace: false) else { return nil }
            out.append(text)
        }
        return out
    }

    /// The names and values behind a question mark, as a form writes them; nil where an escape is broken or something is not UTF-8.
    package static func pairs(of query: String) -> [(name: String, value: String)]? {
        var out: [(name: String, value: String)] = []
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts[0], plusIsSpace: true),
                let value = decode(parts.count > 1 ? parts[1] : Substring("").utf8, plusIsSpace: true)
            else {
                return nil
            }
            out.append((name, value))
        }
        return out
    }

    private static func decode(_ text: Substring.UTF8View, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
