// SPDX-License-Identifier: Apache-2.0

import Events

/// A text that is compared byte by byte, as user IDs and parameters are.
///
/// `String` compares canonically: é as one scalar equals é as two. Values that differ in the store would then share a line, and which
/// spelling is shown would be random.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(_ bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    static let noValue = ExactText(BreakdownName.none)
    static let others = ExactText(BreakdownName.other)

    package static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }
    package static func < (a: ExactText, b: ExactText) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
