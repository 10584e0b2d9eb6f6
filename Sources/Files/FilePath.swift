// SPDX-License-Identifier: Apache-2.0

import Platform

/// The path of a file within its app: 1 to 1,024 bytes of UTF-8 whose segments are not empty, `.` or `..`.
///
///     users/ann/photo.jpg             accepted
///     a//b   /a   a/   ../a   a\n     nil
///
/// It is checked by bytes, because CR LF is one Character and a slash with a combining accent is another.
package struct FilePath: Sendable, CustomStringConvertible {
    package static let maximumBytes = 1_024

    package let text: String

    package init?(_ text: String) {
        guard (1...FilePath.maximumBytes).contains(text.utf8.count) else { return nil }
        var check = PathCheck()
        guard text.utf8.allSatisfy({ check.accepts($0) }), check.isSegment else { return nil }
        self.text = text
    }

    /// Reads UTF-8; nil for anything else.
    package init?(utf8 bytes: some Collection<UInt8>) {
        guard bytes.count <= FilePath.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(text)
    }

    package var description: String { text }

    package var segments: [String] { text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) } }

    /// The last segment.
    package var name: String { text.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? text }
}

extension FilePath: Hashable, Comparable {
    package static func == (a: Self, b: Self) -> Bool { a.text.hasSameBytes(as: b.text) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

/// Reads the bytes of a path in order, once: a list of files has a thousand.
private struct PathCheck {
    /// The bytes of the segment so far, and the dots among them.
    private var (length, dots) = (0, 0)
    private var last: UInt8 = 0

    /// Whether the segment is neither empty nor a dot or two dots.
    var isSegment: Bool { dots < length || length > 2 }

    /// Whether a byte may come next. A control character has one byte, or 0xc2 and another one.
    mutating func accepts(_ byte: UInt8) -> Bool {
        defer { last = byte }
        if byte < 0x20 || byte == 0x7f || last == 0xc2 && byte < 0xa0 { return false }
        guard byte == UInt8(ascii: "/") else {
            length += 1
            if byte == UInt8(ascii: ".") { dots += 1 }
            return true
        }
        defer { (length, dots) = (0, 0) }
        return isSegment
    }
}
