// SPDX-License-Identifier: Apache-2.0

package import Crashes

/// A file that a bundler or minifier wrote, with the comments that name its source map.
///
///     function a(){throw Error()}
///     //# debugId=8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34
///     //# sourceMappingURL=cart.js.map
package struct GeneratedFile: Sendable {
    private static let blockBytes = 1_024
    private static let longestComment = 1 << 14
    private static let longestParameters = 256

    /// The lines and UTF-16 code units before a block of bytes.
    private struct Block: Sendable {
        var lines: UInt32
        var units: UInt32
    }

    private let bytes: [UInt8]
    private var blocks: [Block] = []
    /// The last comment `sourceMappingURL`, which is relative to the file's own URL. Long ones, which contain the map, are left out.
    package private(set) var sourceMapURL: String?
    /// The last comment `debugId`.
    package private(set) var debugID: DebugID?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        readComments()
        readBlocks()
    }

    /// The approximate memory in use.
    var byteCount: Int { bytes.capacity + blocks.capacity * MemoryLayout<Block>.stride }

    // MARK: Comments

    private mutating func readComments() {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
            readComment(bytes[start..<end])
            start = end + 1
        }
    }

    private mutating func readComment(_ line: ArraySlice<UInt8>) {
        let line = line.drop { $0 == 0x20 || $0 == 0x09 }
        guard line.starts(with: "//# ".utf8) || line.starts(with: "//@ ".utf8), line.count <= GeneratedFile.longestComment else { return }
        let comment = line.dropFirst(4)
        if let url = GeneratedFile.value(comment, of: "sourceMappingURL=") { sourceMapURL = url }
        if let id = GeneratedFile.value(comment, of: "debugId=").flatMap({ DebugID($0) }) { debugID = id }
    }

    private static func value(_ comment: ArraySlice<UInt8>, of name: String) -> String? {
        guard comment.starts(with: name.utf8) else { return nil }
        let value = comment.dropFirst(name.utf8.count).prefix { $0 > 0x20 && $0 != 0x22 && $0 != 0x27 && $0 != 0x7f }
        return value.isEmpty ? nil : String(validating: value, as: UTF8.self)
    }

    // MARK: Positions

    private mutating func readBlocks() {
        blocks.reserveCapacity(bytes.count / GeneratedFile.blockBytes + 1)
        var block = Block(lines: 0, units: 0)
        for (place, byte) in bytes.enumerated() {
            if place.isMultiple(of: GeneratedFile.blockBytes) { blocks.append(block) }
            if byte == 0x0a { block.lines &+= 1 }
            block.units &+= GeneratedFile.units(byte)
        }
    }

    /// Returns the UTF-16 code units of the character that begins with this byte; 0 inside a character.
    private static func units(_ byte: UInt8) -> UInt32 { byte & 0xc0 == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1 }

    /// Returns the place of a column in UTF-16 code units; both numbers count from 0.
    func place(line: Int, column: Int) -> Int? {
        guard column >= 0, let start = start(ofLine: line) else { return nil }
        let wanted = unitsBefore(start) + column
        let block = blocks.lowerBound { Int($0.units) <= wanted } - 1
        guard block >= 0 else { return nil }
        var (place, units) = (block * GeneratedFile.blockBytes, Int(blocks[block].units))
        while place < bytes.count, units < wanted || bytes[place] & 0xc0 == 0x80 {
            units += Int(GeneratedFile.units(bytes[place]))
            place += 1
        }
        return place < bytes.count && place >= start ? place : nil
    }

    private func start(ofLine line: Int) -> Int? {
        guard line > 0 else { return line == 0 && !bytes.isEmpty ? 0 : nil }
        let block = blocks.lowerBound { Int($0.lines) < line } - 1
        guard block >= 0 else { return nil }
        var left = line - Int(blocks[block].lines)
        let start = block * GeneratedFile.blockBytes
        for place in start..<min(start + GeneratedFile.blockBytes, bytes.count) where bytes[place] == 0x0a {
            left -= 1
            if left == 0 { return place + 1 }
        }
        return nil
    }

    private func unitsBefore(_ place: Int) -> Int {
        // The end of the file may be the start of an empty line.
        let block = min(place / GeneratedFile.blockBytes, blocks.count - 1)
        return bytes[(block * GeneratedFile.blockBytes)..<place].reduce(Int(blocks[block].units)) { $0 + Int(GeneratedFile.units($1)) }
    }

    // MARK: Declarations

    /// Whether a function of this name is declared at the place: `function a(`, `a=function`, `a:async`, `a=(b)=>`, or the method `a(b){`.
    func declares(_ name: [UInt8], line: Int, column: Int) -> Bool {
        guard let place = place(line: line, column: column), bytes[place...].starts(with: name) else { return false }
        let rest = bytes[(place + name.count)...]
        guard rest.first.map({ !GeneratedFile.isIdentifier($0) }) ?? true else { return false }
        if isAfterKeyword(place) { return true }
        let value = afterSpaces(rest)
        switch value.first {
        case 0x28: return endOfParameters(value).map { afterSpaces(bytes[$0...]).first == 0x7b } ?? false
        case 0x3d, 0x3a: return isFunction(afterSpaces(value.dropFirst()))
        default: return false
        }
    }

    /// Whether `function` or `function*` stands before the place.
    private func isAfterKeyword(_ place: Int) -> Bool {
        let before = bytes[max(0, place - 16)..<place]
        guard let end = before.lastIndex(where: { $0 != 0x20 && $0 != 0x2a }), end + 1 < place else { return false }
        let word = before[...end].suffix(8)
        return word.elementsEqual("function".utf8) && (word.startIndex == 0 || !GeneratedFile.isIdentifier(bytes[word.startIndex - 1]))
    }

    private func isFunction(_ value: ArraySlice<UInt8>) -> Bool {
        for keyword in ["function", "async"] where value.starts(with: keyword.utf8) { return true }
        let name = value.prefix(GeneratedFile.longestParameters)
        let end = value.first == 0x28 ? endOfParameters(value) : name.firstIndex { !GeneratedFile.isIdentifier($0) }
        return end.map { afterSpaces(bytes[$0...]).starts(with: "=>".utf8) } ?? false
    }

    /// Skips a few spaces. Minified files have none.
    private func afterSpaces(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> { text.dropFirst(text.prefix(16).prefix { $0 == 0x20 }.count) }

    /// Returns the place after the parenthesis that closes the first one.
    private func endOfParameters(_ text: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        for place in text.prefix(GeneratedFile.longestParameters).indices {
            if text[place] == 0x28 { depth += 1 }
            if text[place] == 0x29 { depth -= 1 }
            if depth == 0 { return place + 1 }
        }
        return nil
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        byte == 0x5f || byte == 0x24 || byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }
}
