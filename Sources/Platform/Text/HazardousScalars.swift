// SPDX-License-Identifier: Apache-2.0

/// Properties of a scalar that matter where outside text meets a syntax. Sinks ask them of scalars, never of Characters: to Swift `<` with an accent on
/// it, or behind U+0600, is one Character that is not `<`, and CR with LF is one that is neither.
extension Unicode.Scalar {
    /// A C0 or C1 control or DEL, line ends among them.
    package var isControl: Bool { value < 0x20 || (0x7f..<0xa0).contains(value) }

    /// Ends a line for some reader: LF, VT, FF, CR, NEL and the line and paragraph separators.
    package var isLineBreak: Bool { (0x0a...0x0d).contains(value) || [0x85, 0x2028, 0x2029].contains(value) }

    /// Reorders the text around it: U+061C, U+200E, U+200F, U+202A–U+202E and U+2066–U+2069.
    package var isBidirectionalControl: Bool {
        [0x61c, 0x200e, 0x200f].contains(value) || (0x202a...0x202e).contains(value) || (0x2066...0x2069).contains(value)
    }

    /// Shows nothing where it stands: zero-width characters, bidirectional controls, variation selectors, tags, fillers and annotation marks.
    package var isInvisible: Bool { properties.isDefaultIgnorableCodePoint || (0xfff9...0xfffb).contains(value) }

    /// Sits on the scalar before it, such as an accent.
    package var isCombiningMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether both are the same bytes. `==` calls texts equal that Unicode does: é in one scalar and in two, U+212A and `K`.
    package func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String {
    /// The elements of a list that is kept as one text with commas between them: `a,\u{301}b` is `a` and `\u{301}b`. Empty ones are left out.
    package var commaSeparated: [String] { utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) } }
}
