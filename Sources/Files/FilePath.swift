// SPDX-License-Identifier: Apache-2.0

import Platform

/// The path of a file within its app: 1 to 1,024 bytes of UTF-8 whose segments are not empty, `.` or `..`.
///
///     users/ann/photo.jpg             accepted
///     a//b   /a   a/   ../a   a\n     nil
///
/// It is checked scalar by scalar, because CR LF is one Character and a slash with a combining accent is another.
package struct FilePath: Sendable, CustomStringConvertible {
    package static let maximumBytes = 1_024

    package let text: String

    package init?(_ text: String) {
        guard (1...FilePath.maximumBytes).contains(text.utf8.count), !text.unicodeScalars.contains(where: \.isControl) else { return nil }
        let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.allSatisfy(FilePath.isSegment) else { return nil }
        self.text = text
    }

    /// Reads UTF-8; nil for anything else.
    package init?(utf8 bytes: some Collection<UInt8>) {
        guard bytes.count <= FilePath.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(text)
    }

    private static func isSegment(_ segment: Substring.UTF8View) -> Bool {
        guard segment.count <= 2 else { return true }
        return !segment.allSatisfy { $0 == UInt8(ascii: ".") }
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
