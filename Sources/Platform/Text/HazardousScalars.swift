// SPDX-License-Identifier: Apache-2.0

/// Properties of scalars for escaping untrusted text. Escaping works on scalars and not on Characters: in Swift, `<` with a combining accent
/// is one Character that differs from `<`, and CR LF is one Character that is neither.
extension Unicode.Scalar {
    /// A C0 or C1 control or DEL, including line ends.
    package var isControl: Bool { value < 0x20 || (0x7f..<0xa0).contains(value) }

    /// A line end for some program: LF, VT, FF, CR, NEL, and the line and paragraph separators.
    package var isLineBreak: Bool { (0x0a...0x0d).contains(value) || [0x85, 0x2028, 0x2029].contains(value) }

    /// A bidirectional control, which reorders text: U+061C, U+200E, U+200F, U+202A–U+202E and U+2066–U+2069.
    package var isBidirectionalControl: Bool {
        [0x61c, 0x200e, 0x200f].contains(value) || (0x202a...0x202e).contains(value) || (0x2066...0x2069).contains(value)
    }

    /// Invisible: zero-width characters, bidirectional controls, variation selectors, tags, fillers and annotation marks.
    package var isInvisible: Bool { properties.isDefaultIgnorableCodePoint || (0xfff9...0xfffb).contains(value) }

    /// A combining mark such as an accent.
    package var isCombiningMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether both have the same bytes. `==` uses canonical equivalence: é in one scalar or two, U+212A and `K`.
    package func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String {
    /// Splits a comma-separated text by scalars and drops empty elements: `a,\u{301}b` gives `a` and `\u{301}b`.
    package var commaSeparated: [String] { utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) } }
}
