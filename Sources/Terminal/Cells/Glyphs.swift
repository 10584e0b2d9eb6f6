// SPDX-License-Identifier: Apache-2.0

/// The content of a cell, or of a cell and its right neighbour: a letter and its marks.
///
/// It is a single word, because a screen has twelve thousand glyphs and each is compared with its predecessor in every frame.
package struct Glyph: Hashable, Sendable {
    /// Three scalars of 21 bits from the low end up, 0 for a missing mark; the top bit is set for a wide glyph.
    private let bits: UInt64
    private static let wideBit: UInt64 = 1 << 63

    /// Drops scalars after the third; no letter of a living language has more than two separate marks.
    init(_ scalars: some Sequence<Unicode.Scalar>, width: Int) {
        var (bits, shift): (UInt64, UInt64) = (width == 2 ? Glyph.wideBit : 0, 0)
        for scalar in scalars.prefix(1 + Glyph.mostMarks) {
            bits |= UInt64(scalar.value) << shift
            shift += 21
        }
        self.bits = bits
    }

    init(character: Character, width: Int) {
        self.init(character.unicodeScalars, width: width)
    }

    init(ascii: UInt8) {
        bits = UInt64(ascii)
    }

    package static let space = Glyph(ascii: 0x20)
    /// More accents would overlap the lines above and below.
    private static let mostMarks = 2

    /// The number of columns: 1 or 2.
    package var width: Int { bits & Glyph.wideBit == 0 ? 1 : 2 }
    var base: Unicode.Scalar { scalar(0) ?? " " }
    var isASCII: Bool { bits < 0x80 }
    var hasMarks: Bool { (bits & ~Glyph.wideBit) >> 21 != 0 }

    package var character: Character {
        var scalars = String.UnicodeScalarView()
        forEachScalar { scalars.append($0) }
        return Character(String(scalars))
    }

    func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
        body(base)
        guard hasMarks else { return }
        for place in 1...UInt64(Glyph.mostMarks) { scalar(place).map { $0.value == 0 ? () : body($0) } }
    }

    private func scalar(_ place: UInt64) -> Unicode.Scalar? { Unicode.Scalar(UInt32(truncatingIfNeeded: bits >> (21 * place)) & 0x1f_ffff) }
}

extension StringProtocol {
    /// The text as glyphs that every terminal shows alike.
    ///
    /// Untrusted text must not move the cursor, color the terminal or reverse the line, so control characters become `?` and direction marks
    /// are removed.
    /// Combined emoji are reduced to their first one, because terminals disagree on the width of the combination.
    package var glyphs: [Glyph] {
        if isPlain { return utf8.map { Glyph(ascii: $0) } }
        var out: [Glyph] = []
        out.reserveCapacity(utf8.count)
        for character in self { append(character, to: &out) }
        return out
    }

    /// The width in columns.
    package var width: Int { isPlain ? utf8.count : glyphs.width }

    /// Whether each byte is a glyph, which holds for most texts.
    private var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7f).contains($0) } }

    private func append(_ character: Character, to out: inout [Glyph]) {
        if let ascii = character.asciiValue { return out.append(Glyph(ascii: ascii < 0x20 || ascii == 0x7f ? UInt8(ascii: "?") : ascii)) }
        let scalars = character.unicodeScalars
        guard let base = scalars.first(where: { $0.columns > 0 }) else {
            if scalars.contains(where: \.isControl) { out.append(Glyph(ascii: UInt8(ascii: "?"))) }
            return
        }
        if base.isRegionalIndicator {
            return out.append(contentsOf: scalars.filter(\.isRegionalIndicator).map { Glyph([$0.asLetter], width: 1) })
        }
        if scalars.count == 1 { return out.append(Glyph([base], width: base.columns)) }
        if base.isPicture { return out.append(Glyph([base] + scalars.filter(\.isMark), width: base.columns)) }
        append(letters: scalars, to: &out)
    }

    /// Appends one glyph per letter. A Swift `Character` may contain several letters, for instance after a prepended letter or in Devanagari.
    private func append(letters: String.UnicodeScalarView, to out: inout [Glyph]) {
        var letter: [Unicode.Scalar] = []
        for scalar in letters {
            if scalar.isMark || scalar.isHangulPart, !letter.isEmpty {
                letter.append(scalar)
            } else if scalar.columns > 0 {
                if let base = letter.first { out.append(Glyph(letter, width: base.columns)) }
                letter = [scalar]
            }
        }
        if let base = letter.first { out.append(Glyph(letter, width: base.columns)) }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
    /// Excludes variation selectors, which are invisible marks.
    fileprivate var isMark: Bool {
        [.nonspacingMark, .enclosingMark].contains(properties.generalCategory) && !properties.isDefaultIgnorableCodePoint
    }
    fileprivate var isPicture: Bool { value > 0xff && properties.isEmoji }
    fileprivate var isRegionalIndicator: Bool { (0x1f1e6...0x1f1ff).contains(value) }
    fileprivate var asLetter: Unicode.Scalar { Unicode.Scalar(UInt8(truncatingIfNeeded: value - 0x1f1e6 + 0x41)) }
    fileprivate var isHangulPart: Bool { (0x1160...0x11ff).contains(value) }
}
