// SPDX-License-Identifier: Apache-2.0

/// A place in a generated file; both numbers count from 0.
struct MappingPosition: Comparable {
    var line = 0
    var column = 0

    static func < (one: MappingPosition, other: MappingPosition) -> Bool { (one.line, one.column) < (other.line, other.column) }
}

/// The part of a generated file that a map describes: a section, or all of it.
struct MappingRange {
    var start = MappingPosition()
    /// The start of the next section.
    var end: MappingPosition?
}

/// Decodes the text `mappings` of a source map: base64 numbers, relative to those before them.
///
///     AAAA,SAASA;AACA  →  line 1: column 1 and column 10 with a name; line 2: column 1
struct MappingReader {
    /// The value of each base64 digit; 64 for other bytes.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 64, count: 256)
        for (value, digit) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated() {
            digits[Int(digit)] = UInt8(value)
        }
        return digits
    }()

    private let range: MappingRange
    private let sources: Range<Int>
    private let names: Range<Int>
    private var line = 0
    private var column = 0
    /// Source, line, column and name of the last mapping.
    private var original = (source: 0, line: 0, column: 0, name: 0)
    private var fields = (0, 0, 0, 0, 0)
    private var count = 0

    /// - Parameter sources: The numbers of the map's sources in the tables of an index map.
    init(_ range: MappingRange, sources: Range<Int>, names: Range<Int>) {
        self.range = range
        self.sources = sources
        self.names = names
    }

    mutating func read(_ bytes: [UInt8], _ text: Range<Int>, into table: inout SegmentTable) throws(SymbolFileError) {
        // Sections grow the table as usual; an exact size for each would move it each time.
        if table.count == 0 { table.reserve(MappingReader.separators(bytes, text) + 1) }
        try table.begin(line: range.start.line)
        let digits = MappingReader.digits.span
        let bytes = bytes.span
        var value = 0, shift = 0
        for place in text {
            let byte = bytes[place]
            let digit = digits[Int(byte)]
            if digit < 64 {
                value |= Int(digit & 31) << shift
                if digit & 32 == 0 {
                    try add(value & 1 == 0 ? value >> 1 : -(value >> 1))
                    (value, shift) = (0, 0)
                } else {
                    shift += 5
                    guard shift <= 30 else { throw .damaged("a number in its mappings is too large") }
                }
                continue
            }
            guard shift == 0, byte == 0x2c || byte == 0x3b else { throw .damaged("its mappings are not base64") }
            try endSegment(&table)
            if byte == 0x3b { try endLine(&table) }
        }
        guard shift == 0 else { throw .damaged("its mappings end in a number") }
        try endSegment(&table)
    }

    private static func separators(_ bytes: [UInt8], _ text: Range<Int>) -> Int {
        let bytes = bytes.span
        var count = 0
        for place in text where bytes[place] == 0x2c || bytes[place] == 0x3b { count += 1 }
        return count
    }

    private mutating func add(_ value: Int) throws(SymbolFileError) {
        switch count {
        case 0: fields.0 = value
        case 1: fields.1 = value
        case 2: fields.2 = value
        case 3: fields.3 = value
        case 4: fields.4 = value
        default: throw .damaged("a mapping has more than five numbers")
        }
        count += 1
    }

    private mutating func endLine(_ table: inout SegmentTable) throws(SymbolFileError) {
        (line, column) = (line + 1, 0)
        // A map may describe more lines than its section has.
        guard range.end.map({ range.start.line + line <= $0.line }) ?? true else { return }
        try table.begin(line: range.start.line + line)
    }

    private mutating func endSegment(_ table: inout SegmentTable) throws(SymbolFileError) {
        guard count > 0 else { return }
        guard count == 1 || count >= 4 else { throw .damaged("a mapping has \(count) numbers") }
        let kind = count
        count = 0
        column += fields.0
        if kind >= 4 {
            original.source += fields.1
            original.line += fields.2
            original.column += fields.3
        }
        if kind == 5 { original.name += fields.4 }
        let start = MappingPosition(line: range.start.line + line, column: column + (line == 0 ? range.start.column : 0))
        // Negative columns and those of the next section are left out.
        guard column >= 0, let exact = UInt32(exactly: start.column), range.end.map({ start < $0 }) ?? true else { return }
        try table.append(segment(at: exact, kind))
    }

    /// Returns a mapping. One to a place that does not exist is a mapping to no source.
    private func segment(at start: UInt32, _ kind: Int) -> SegmentTable.Segment {
        let index = sources.lowerBound + original.source
        guard kind >= 4, sources.contains(index), let line = UInt32(exactly: original.line), let column = UInt32(exactly: original.column),
            line < .max, column < .max
        else { return SegmentTable.Segment(column: start) }
        let name = names.lowerBound + original.name
        return SegmentTable.Segment(
            column: start, source: UInt32(index), line: line, originalColumn: column,
            name: kind == 5 && names.contains(name) ? UInt32(name) : nil)
    }
}
