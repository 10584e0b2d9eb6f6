/// What one cell, or one cell and its right neighbour, can show.
package struct Glyph: Hashable, Sendable {
    package let character: Character
    /// Columns it takes: 1 or 2.
    package let width: Int

    package static let space = Glyph(character: " ", width: 1)
}

extension StringProtocol {
    /// The text as a terminal can be trusted to show it.
    ///
    /// What others typed must not move the cursor, colour the terminal or turn the line around, so controls become `?` and marks of direction vanish.
    /// Emoji that are put together from several are shown by their first, since terminals disagree on the width of the whole.
    package var glyphs: [Glyph] {
        var out: [Glyph] = []
        out.reserveCapacity(utf8.count)
        for character in self { append(character, to: &out) }
        return out
    }

    /// Columns the text takes.
    package var width: Int { glyphs.reduce(0) { $0 + $1.width } }

    private func append(_ character: Character, to out: inout [Glyph]) {
        if let ascii = character.asciiValue { return out.append(Glyph(character: ascii < 0x20 || ascii == 0x7f ? "?" : character, width: 1)) }
        let scalars = character.unicodeScalars
        guard let base = scalars.first(where: { $0.columns > 0 }) else {
            if scalars.contains(where: \.isControl) { out.append(Glyph(character: "?", width: 1)) }
            return
        }
        if base.isRegionalIndicator {
            return out.append(contentsOf: scalars.filter(\.isRegionalIndicator).map { Glyph(character: Character($0.asLetter), width: 1) })
        }
        var cluster = String.UnicodeScalarView([base])
        cluster.append(contentsOf: scalars.drop { $0 != base }.dropFirst().filter { $0.isMark || $0.isHangulPart }.prefix(mostMarks))
        out.append(Glyph(character: Character(String(cluster)), width: base.columns))
    }
}

/// More accents on a letter than any language has would grow over the lines above and below.
private let mostMarks = 4

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
    fileprivate var isMark: Bool { [.nonspacingMark, .enclosingMark].contains(properties.generalCategory) && !(0xfe00...0xfe0f).contains(value) }
    fileprivate var isRegionalIndicator: Bool { (0x1f1e6...0x1f1ff).contains(value) }
    fileprivate var asLetter: Unicode.Scalar { Unicode.Scalar(UInt8(truncatingIfNeeded: value - 0x1f1e6 + 0x41)) }
    fileprivate var isHangulPart: Bool { (0x1160...0x11ff).contains(value) }
}
