// SPDX-License-Identifier: Apache-2.0

/// Scalars that combine into a Character or are invisible. Tests insert them around the tokens of a syntax.
package enum HostileText {
    /// CR with LF is one Character.
    package static let texts: [String] = {
        let marks: [UInt32] = [0x301, 0x20e3, 0x338]
        // Arabic, Kaithi and Malayalam signs that make one Character with what follows them.
        let prepended: [UInt32] = [0x600, 0x110bd, 0xd4e]
        let bidirectional: [UInt32] = [0x61c, 0x200e, 0x200f] + Array(0x202a...0x202e) + Array(0x2066...0x2069)
        let zeroWidth: [UInt32] = [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]
        let selectorsAndTags: [UInt32] = [0xfe00, 0xfe0f, 0xe0100, 0xe0001, 0xe0041, 0xe007f]
        let regional: [UInt32] = [0x1f1e9, 0x1f1ea]
        let lineEnds: [UInt32] = [0x0a, 0x0b, 0x0c, 0x0d, 0x85, 0x2028, 0x2029]
        let blanksAndControls: [UInt32] = [0x20, 0x09, 0xa0, 0x1b, 0x9b]
        let values = marks + prepended + bidirectional + zeroWidth + selectorsAndTags + regional + lineEnds + blanksAndControls
        return ["\r\n"] + values.compactMap { Unicode.Scalar($0).map { String($0) } }
    }()

    /// Returns the token, and variants with each text before it, after each of its scalars, and everywhere.
    package static func around(_ token: String) -> [String] {
        let scalars = token.unicodeScalars.map { String($0) }
        var out = [token]
        for text in texts {
            for place in 0...scalars.count {
                let (before, behind) = (scalars[..<place].joined(), scalars[place...].joined())
                out.append(before + text + behind)
            }
            out.append(text + scalars.joined(separator: text) + text)
        }
        return out
    }
}

extension StringProtocol {
    /// Whether the text contains these scalars in sequence. `contains` compares Characters.
    package func holds(_ text: String) -> Bool {
        // Scalars are in sequence if their bytes in UTF-8 are.
        Array(utf8).holds(Array(text.utf8))
    }
}
