// SPDX-License-Identifier: Apache-2.0

import Platform

/// An email address: `text` as the user wrote it, `key` in lower case, by which accounts are found. Both are in Unicode's form NFC.
///
///     Ana@Example.org     text Ana@Example.org, key ana@example.org
///     jürg@example.org    accepted: letters of any script before the @, ASCII behind it
///     ju\u{308}rg@x.org    the same as jürg@x.org
///     ana@x, a b@x.org    nil
///
/// Only characters that mail and its headers give no meaning are accepted, so an address cannot add a line or a receiver. Marks such as
/// vowel signs follow a letter, a few of them, and none is invisible.
package struct EmailAddress: Sendable, Hashable {
    private static let most = 254
    private static let mostLocal = 64
    private static let mostMarks = 4
    private static let localMarks = Array("!#$%&'*+-/=?^_`{|}~.".utf8)
    /// Jamo that combine with the letter before.
    private static let combiningJamo: ClosedRange<UInt32> = 0x1160...0x11ff

    package let text: String
    package let key: String

    package init?(_ text: String) {
        // Composing makes a text shorter by two thirds at most.
        guard text.utf8.count <= 3 * EmailAddress.most else { return nil }
        let text = text.composed
        let bytes = Array(text.utf8)
        guard (3...EmailAddress.most).contains(bytes.count), let at = bytes.firstIndex(of: UInt8(ascii: "@")),
            EmailAddress.isLocal(bytes[..<at]), EmailAddress.isDomain(bytes[(at + 1)...])
        else { return nil }
        self.text = text
        key = text.unicodeScalars.map(\.properties.lowercaseMapping).joined().composed
    }

    package static func == (a: EmailAddress, b: EmailAddress) -> Bool { a.text.hasSameBytes(as: b.text) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    private static func isLocal(_ bytes: ArraySlice<UInt8>) -> Bool {
        let words = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard bytes.count <= mostLocal, words.allSatisfy({ !$0.isEmpty }) else { return false }
        // The marks that may follow the scalar before; none at the beginning and behind a sign.
        var marks = 0
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
            if !scalar.isASCII, scalar.isCombiningMark {
                marks -= 1
                return marks >= 0 && !scalar.isInvisible && scalar.properties.generalCategory != .enclosingMark
            }
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            let isWord = scalar.isASCII ? isAlphanumeric(byte) : isLetter(scalar)
            marks = isWord ? mostMarks : 0
            return isWord || scalar.isASCII && localMarks.contains(byte)
        }
    }

    /// Whether a scalar is a letter or digit that no other spelling equals: not a composed or combining one, and with one lower case.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber: break
        default: return false
        }
        return properties.canonicalCombiningClass == .notReordered && !properties.isFullCompositionExclusion
            && !combiningJamo.contains(scalar.value) && !scalar.isInvisible && properties.lowercaseMapping.unicodeScalars.count == 1
    }

    /// At least two labels of letters, digits and hyphens.
    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
            }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
