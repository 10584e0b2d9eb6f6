// SPDX-License-Identifier: Apache-2.0

/// The characters that a terminal supports.
package enum Alphabet: Sendable {
    case unicode
    /// ASCII only; other characters are replaced with similar ones.
    case ascii

    /// Detects the alphabet from the locale. The first variable that is set counts.
    package init(_ environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUTF8 = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
        self = isUTF8 && environment["TERM"] != "linux" ? .unicode : .ascii
    }

    func shows(_ glyph: Glyph) -> Glyph {
        self == .unicode || glyph.isASCII ? glyph : Glyph(ascii: Alphabet.likeness(of: glyph.base.value))
    }

    private static let dots = Array(" ..::+*#@".utf8)
    private static let rising = Array("_.-=+*#@".utf8)
    private static let growing = Array("#=-=-..".utf8)
    private static let shades = Array(".:#".utf8)

    private static func likeness(of scalar: UInt32) -> UInt8 {
        switch scalar {
        case 0x2800...0x28ff: dots[(scalar - 0x2800).nonzeroBitCount]
        case 0x2580: UInt8(ascii: "'")
        case 0x2581...0x2588: rising[Int(scalar - 0x2581)]
        case 0x2589...0x258f: growing[Int(scalar - 0x2589)]
        case 0x2591...0x2593: shades[Int(scalar - 0x2591)]
        default: UInt8(ascii: likenesses[scalar] ?? "?")
        }
    }

    /// The replacements of drawn characters. Letters have none.
    private static let likenesses: [UInt32: Unicode.Scalar] = {
        let alike: [(String, Unicode.Scalar)] = [
            ("─━–—−‐‑", "-"), ("│┃", "|"), ("·•○◦", "."), ("●✱★", "*"), ("…~≈", "~"), ("«‹←◀◂≤", "<"), ("»›→▶▸≥", ">"), ("↑▲▴", "^"), ("↓▼▾", "v"),
            ("×✗✘", "x"), ("✓✔±", "+"), ("■▪", "#"), ("□▫°◆", "o"), ("‘’′", "'"), ("“”„″", "\""), ("\u{a0}\u{202f}", " "),
        ]
        let corners = (UInt32(0x2504)...0x257f).map { ($0, Unicode.Scalar("+")) }
        let others = alike.flatMap { characters, likeness in characters.unicodeScalars.map { ($0.value, likeness) } }
        return Dictionary(corners + others) { $1 }
    }()
}
