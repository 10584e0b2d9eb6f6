// SPDX-License-Identifier: Apache-2.0

/// The characters with eight dots.
enum Braille {
    enum Side { case left, right }

    static func glyph(_ bits: UInt8) -> Glyph {
        Glyph(character: Character(Unicode.Scalar(0x2800 + UInt32(bits)) ?? " "), width: 1)
    }

    /// Returns the bit of a dot; rows count from the top.
    static func dot(_ side: Side, _ row: Int) -> UInt8 {
        side == .left ? [0x01, 0x02, 0x04, 0x40][row] : [0x08, 0x10, 0x20, 0x80][row]
    }

    /// Returns the bits of a number of dots from the bottom up.
    static func column(_ count: Int, _ side: Side) -> UInt8 {
        (0..<min(4, max(0, count))).reduce(0) { $0 | dot(side, 3 - $1) }
    }
}
