// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The name of a function in its app: a letter, then letters, digits, hyphens and underscores, up to 63 in all.
///
///     sendReceipt   billing-close_month      accepted
///     1st   a.b   café   ""                  refused
package struct FunctionName: Hashable, Sendable, CustomStringConvertible {
    package static let maximumBytes = 63

    package let text: String

    package init?(_ text: String) {
        guard (1...FunctionName.maximumBytes).contains(text.utf8.count), text.utf8.allSatisfy(FunctionName.isCharacter),
            let first = text.utf8.first, ASCIIWord.isLetter(first)
        else { return nil }
        self.text = text
    }

    /// Reads the name that a request has in a field or its path.
    package init(_ text: String, field: String) throws(Refusal) {
        guard let name = FunctionName(text) else {
            throw .field(
                field, "bad_name", "must be a letter followed by up to \(FunctionName.maximumBytes - 1) letters, digits, hyphens or underscores",
                hint: "Use a name such as sendReceipt.")
        }
        self = name
    }

    private static func isCharacter(_ byte: UInt8) -> Bool { ASCIIWord.isCharacter(byte) || byte == UInt8(ascii: "-") }

    package var description: String { text }
}

/// The characters of names in definitions.
enum ASCIIWord {
    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

    /// Whether the byte is a letter, a digit or an underscore.
    static func isCharacter(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") }
}
