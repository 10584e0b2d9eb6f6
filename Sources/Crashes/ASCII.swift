// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }
    var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
    /// Whether the byte can be part of a name. Every byte outside ASCII counts as a letter.
    var isWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") || self >= 0x80 }
    var isSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension ArraySlice<UInt8> {
    /// Returns the same as `starts(with:)`, but compares the first byte before it sets up an iteration; most texts differ there.
    func begins(with prefix: [UInt8]) -> Bool {
        guard count >= prefix.count else { return false }
        for i in prefix.indices where self[startIndex + i] != prefix[i] { return false }
        return true
    }
}
