// SPDX-License-Identifier: Apache-2.0

import Events

/// A text told apart from others byte by byte, as people's ids and events' parameters are: to a `String`, é in one scalar and é in two are the
/// same, and which of them is shown would go by chance.
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
