// SPDX-License-Identifier: Apache-2.0

import JSON

/// The line of a class: `com.example.Cart -> a.b:`.
struct ClassLine {
    let original: ArraySlice<UInt8>
    let obfuscated: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
        guard line.last == 0x3a, let (original, name) = MemberLine.split(line.dropLast()) else { return nil }
        guard !original.contains(0x20) else { return nil }
        (self.original, obfuscated) = (original, name)
    }
}

/// The line of a method: `1:3:void pay(int):10:12 -> a`.
struct MemberLine {
    /// The obfuscated lines.
    private(set) var range: ClosedRange<Int>?
    /// The original class of an inlined method, if it is another one.
    let className: String?
    let method: String
    let name: ArraySlice<UInt8>
    private var original: ClosedRange<Int>?
    private var hasLines = true

    init?(_ line: ArraySlice<UInt8>) {
        guard let (description, name) = MemberLine.split(line.drop { $0 == 0x20 || $0 == 0x09 }) else { return nil }
        guard let open = description.firstIndex(of: 0x28), let close = description.lastIndex(of: 0x29), open < close else { return nil }
        let head = description[..<open]
        // Before the space stand the range and the type of the result.
        guard let space = head.lastIndex(of: 0x20), space + 1 < open else { return nil }
        let path = head[(space + 1)...]
        let dot = path.lastIndex(of: 0x2e)
        let method = path[(dot.map { $0 + 1 } ?? path.startIndex)...]
        guard !method.isEmpty, dot != path.startIndex else { return nil }
        self.name = name
        self.method = String(decoding: method, as: UTF8.self)
        className = dot.map { String(decoding: path[..<$0], as: UTF8.self) }
        let numbers = head[..<space].split(separator: 0x3a, maxSplits: 2, omittingEmptySubsequences: false)
        range = numbers.count == 3 ? MemberLine.range(numbers[0], numbers[1]) : nil
        original = MemberLine.originalRange(description[(close + 1)...])
    }

    /// Reads `:10:12`, or the line `:10` of a call.
    private static func originalRange(_ text: ArraySlice<UInt8>) -> ClosedRange<Int>? {
        let numbers = text.dropFirst().split(separator: 0x3a, maxSplits: 2, omittingEmptySubsequences: false)
        guard text.first == 0x3a, (1...2).contains(numbers.count) else { return nil }
        return range(numbers[0], numbers[numbers.count - 1])
    }

    private static func range(_ start: ArraySlice<UInt8>, _ end: ArraySlice<UInt8>) -> ClosedRange<Int>? {
        guard let start = number(start), let end = number(end), start <= end else { return nil }
        return start...end
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...10).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Splits a line before ` -> `.
    static func split(_ line: ArraySlice<UInt8>) -> (description: ArraySlice<UInt8>, name: ArraySlice<UInt8>)? {
        guard let name = obfuscatedName(line), name.startIndex - 4 > line.startIndex else { return nil }
        return (line[..<(name.startIndex - 4)], name)
    }

    /// Returns the last word, if it follows an arrow.
    static func obfuscatedName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let space = line.lastIndex(of: 0x20), space + 1 < line.endIndex, space - line.startIndex >= 3 else { return nil }
        return line[(space - 3)...].starts(with: " -> ".utf8) ? line[(space + 1)...] : nil
    }

    /// The method alone, when a place in it is unknown.
    var withoutLines: MemberLine {
        var method = self
        method.hasLines = false
        return method
    }

    /// Returns the original line of an obfuscated one. A call has one line; lines otherwise keep their distance from the start.
    func originalLine(of line: Int) -> Int? {
        guard hasLines else { return nil }
        guard let original else { return line }
        return min(original.lowerBound + max(0, line - (range?.lowerBound ?? line)), original.upperBound)
    }
}

/// The comment `# {"id":"sourceFile","fileName":"Cart.kt"}` after the line of a class.
enum SourceFileComment {
    private static let longest = 1_024

    static func isOne(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= longest else { return false }
        return text.indices.contains { text[$0] == 0x73 && text[$0...].starts(with: #"sourceFile""#.utf8) }
    }

    static func name(_ line: ArraySlice<UInt8>) -> String? {
        guard let start = line.firstIndex(of: 0x7b), let comment = try? JSONValue(Array(line[start...])) else { return nil }
        guard comment["id"]?.string == "sourceFile", let name = comment["fileName"]?.string, !name.isEmpty else { return nil }
        return name
    }
}
