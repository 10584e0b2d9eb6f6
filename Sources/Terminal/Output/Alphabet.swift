/// Which characters a terminal knows.
package enum Alphabet: Sendable {
    case unicode
    /// Everything else is shown by whatever of ASCII is most like it.
    case ascii

    /// From the locale, of which the first variable that is set counts.
    package init(_ environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUTF8 = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
        self = isUTF8 && environment["TERM"] != "linux" ? .unicode : .ascii
    }

    func shows(_ glyph: Glyph) -> Glyph {
        guard self == .ascii, !glyph.character.isASCII, let scalar = glyph.character.unicodeScalars.first else { return glyph }
        return Glyph(character: Alphabet.likeness(of: scalar), width: 1)
    }

    private static func likeness(of scalar: Unicode.Scalar) -> Character {
        switch scalar.value {
        case 0x2800...0x28ff: Array(" ..::+*#@")[(scalar.value - 0x2800).nonzeroBitCount]
        case 0x2581...0x2588: Array("_.-=+*#@")[Int(scalar.value - 0x2581)]
        case 0x2589...0x258f: Array("#=-=-..")[Int(scalar.value - 0x2589)]
        case 0x2591...0x2593: Array(".:#")[Int(scalar.value - 0x2591)]
        case 0x2500, 0x2501, 0x2013, 0x2014, 0x2212: "-"
        case 0x2502, 0x2503: "|"
        case 0x2504...0x257f: "+"
        case 0xb7, 0x2022, 0x25cb: "."
        case 0x25cf: "*"
        case 0x2026: "~"
        case 0xab: "<"
        case 0xbb: ">"
        case 0x2190: "<"
        case 0x2191, 0x25b2: "^"
        case 0x2192: ">"
        case 0x2193, 0x25bc: "v"
        default: "?"
        }
    }
}
