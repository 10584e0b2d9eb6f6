// SPDX-License-Identifier: Apache-2.0

/// Percent-decoding of paths, queries and forms. Example: `a%20b` decodes to `a b`, `%2541` to `%41`.
package enum PercentDecoding {
    /// The limit of form pairs searched for a name.
    private static let mostPairs = 1_000

    /// Returns the decoded segments of a path; `nil` for an invalid escape or invalid UTF-8.
    package static func segments(of path: String) -> [String]? {
        var out: [String] = []
        for part in Array(path.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let text = text(part, plusIsSpace: false) else { return nil }
            out.append(text)
        }
        return out
    }

    /// Returns the names and values of a query in form encoding; `nil` for an invalid escape or invalid UTF-8.
    package static func pairs(of query: String) -> [(name: String, value: String)]? {
        var out: [(name: String, value: String)] = []
        for pair in Array(query.utf8).split(separator: UInt8(ascii: "&")) {
            let (name, value) = halves(of: pair)
            guard let name = text(name, plusIsSpace: true), let value = text(value, plusIsSpace: true) else { return nil }
            out.append((name, value))
        }
        return out
    }

    /// Returns the first value of a name in a form body: `{}` for `data` in `a=1&data=%7B%7D`. Returns `nil` if it is missing among the
    /// first pairs or invalid. Only this value is decoded.
    package static func value(of name: String, inForm form: [UInt8]) -> [UInt8]? {
        // An encoded byte takes at most three.
        let longest = 3 * name.utf8.count
        var start = 0
        for _ in 0..<mostPairs where start < form.count {
            let end = form[start...].firstIndex(of: UInt8(ascii: "&")) ?? form.count
            let (found, value) = halves(of: form[start..<end])
            start = end + 1
            guard found.count <= longest, text(found, plusIsSpace: true) == name else { continue }
            return decode(value, plusIsSpace: true).flatMap { String(validating: $0, as: UTF8.self) == nil ? nil : $0 }
        }
        return nil
    }

    private static func halves(of pair: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair, pair[pair.endIndex...]) }
        return (pair[..<equals], pair[(equals + 1)...])
    }

    private static func text(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        decode(bytes, plusIsSpace: plusIsSpace).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            let byte = text[at]
            if byte == UInt8(ascii: "%") {
                guard at + 2 < text.endIndex, let high = hexValue(text[at + 1]), let low = hexValue(text[at + 2]) else { return nil }
                out.append(high << 4 | low)
                at += 3
            } else {
                out.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
                at += 1
            }
        }
        return out
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
