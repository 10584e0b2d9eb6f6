// SPDX-License-Identifier: Apache-2.0

/// The mappings of a source map, sorted by generated line and column: 20 bytes each, and 4 bytes a line.
struct SegmentTable: Sendable {
    /// The limit of mappings; 80 MB.
    static let limit = 4_000_000
    /// The limit of generated lines.
    static let lineLimit = 4_000_000

    /// A mapping. It is valid from its column to that of the next one.
    struct Segment: Sendable {
        fileprivate static let none = UInt32.max

        var column: UInt32
        private var sourceIndex: UInt32
        var originalLine: UInt32
        var originalColumn: UInt32
        private var nameIndex: UInt32

        /// Creates a mapping to no source.
        init(column: UInt32) {
            (self.column, sourceIndex, originalLine, originalColumn, nameIndex) = (column, Segment.none, 0, 0, Segment.none)
        }

        init(column: UInt32, source: UInt32, line: UInt32, originalColumn: UInt32, name: UInt32?) {
            (self.column, sourceIndex, originalLine, self.originalColumn) = (column, source, line, originalColumn)
            nameIndex = name ?? Segment.none
        }

        var source: Int? { sourceIndex == Segment.none ? nil : Int(sourceIndex) }
        var name: Int? { nameIndex == Segment.none ? nil : Int(nameIndex) }
    }

    private var segments: [Segment] = []
    /// The index of the first mapping of each line.
    private var lineStarts: [UInt32] = []
    private var isLineSorted = true

    var count: Int { segments.count }

    var bytes: Int { segments.capacity * MemoryLayout<Segment>.stride + lineStarts.capacity * 4 }

    subscript(index: Int) -> Segment { segments[index] }

    mutating func reserve(_ count: Int) { segments.reserveCapacity(min(count, SegmentTable.limit)) }

    /// Begins a line, or continues the current one. Lines come in their order.
    mutating func begin(line: Int) throws(SymbolFileError) {
        guard line < SegmentTable.lineLimit else { throw .damaged("it has too many lines") }
        guard line >= lineStarts.count else { return }
        sortLine()
        while lineStarts.count <= line { lineStarts.append(UInt32(segments.count)) }
    }

    /// Adds a mapping to the current line.
    mutating func append(_ segment: Segment) throws(SymbolFileError) {
        guard segments.count < SegmentTable.limit else { throw .damaged("it has too many mappings") }
        if let start = lineStarts.last, segments.count > start, segments[segments.count - 1].column > segment.column { isLineSorted = false }
        segments.append(segment)
    }

    mutating func end() {
        sortLine()
    }

    private mutating func sortLine() {
        guard !isLineSorted, let start = lineStarts.last else { return }
        // Of several mappings of one column the last one counts; the sort is stable.
        segments[Int(start)...].sort { $0.column < $1.column }
        isLineSorted = true
    }

    // MARK: Lookups

    /// Returns the last mapping of the line that does not begin after the column. Both count from 0.
    func index(line: Int, column: Int) -> Int? {
        guard lineStarts.indices.contains(line), column >= 0 else { return nil }
        var low = Int(lineStarts[line]), high = line + 1 < lineStarts.count ? Int(lineStarts[line + 1]) : segments.count
        let start = low
        while low < high {
            let middle = (low + high) / 2
            if Int(segments[middle].column) <= column { low = middle + 1 } else { high = middle }
        }
        return low > start ? low - 1 : nil
    }

    /// Returns the line of a mapping.
    func line(of index: Int) -> Int { lineStarts.lowerBound { $0 <= UInt32(index) } - 1 }
}
