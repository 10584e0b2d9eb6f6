// SPDX-License-Identifier: Apache-2.0

/// An index of the records in a Breakpad text, so that a lookup does not read all of it.
///
///     FUNC 1000 40 0 checkout      →  functions: 0x1000 … 0x1040 at this position
///     1004 8 42 1                  →  read on lookup: line 42 of file 1
///     PUBLIC 2000 0 start          →  publics: 0x2000
package struct BreakpadIndex: Sendable {
    /// The limit of functions. It exceeds the largest programs, and bounds the memory of the index.
    private static let functionLimit = 2_000_000
    private static let nameLimit = 4_000_000

    struct Function {
        var address: UInt64
        var size: UInt64
        var place: Int

        func holds(_ wanted: UInt64) -> Bool { wanted >= address && wanted - address < size }
    }

    let source: ByteSource
    private(set) var functions: [Function] = []
    /// The linker's names for addresses without records; their sizes are unknown.
    private(set) var publics: [Function] = []
    private var files = PlacesByNumber()
    private var origins = PlacesByNumber()

    package init(bytes: [UInt8]) throws(SymbolFileError) {
        try self.init(ByteSource(bytes: bytes))
    }

    init(_ source: ByteSource, functionLimit: Int = functionLimit) throws(SymbolFileError) {
        self.source = source
        var lines = TextLines(source)
        while let (place, line) = try lines.next() {
            // Nearly all lines belong to functions and begin with a digit.
            guard let first = line.first, (0x46...0x50).contains(first) else { continue }
            read(line, at: place)
            guard functions.count + publics.count <= functionLimit, files.count + origins.count <= Self.nameLimit else {
                throw .damaged("it has too many records")
            }
        }
        functions.sort { $0.address < $1.address }
        publics.sort { $0.address < $1.address }
        files.sort()
        origins.sort()
    }

    /// The approximate memory in use.
    var bytes: Int { (functions.count + publics.count) * MemoryLayout<Function>.stride + (files.count + origins.count) * 16 }

    private mutating func read(_ line: ArraySlice<UInt8>, at place: Int) {
        var words = RecordWords(line)
        guard let kind = words.word() else { return }
        switch kind.count {
        case 4 where kind.elementsEqual("FUNC".utf8):
            words.skipMark()
            if let address = words.hex(), let size = words.hex() { functions.append(Function(address: address, size: size, place: place)) }
        case 6 where kind.elementsEqual("PUBLIC".utf8):
            words.skipMark()
            if let address = words.hex() { publics.append(Function(address: address, size: 0, place: place)) }
        case 4 where kind.elementsEqual("FILE".utf8):
            if let number = words.decimal() { files.append(number, place) }
        case 13 where kind.elementsEqual("INLINE_ORIGIN".utf8):
            if let number = words.decimal() { origins.append(number, place) }
        default: break
        }
    }

    func file(_ number: UInt64) throws(SymbolFileError) -> String? { try text(files[number]) }

    func origin(_ number: UInt64) throws(SymbolFileError) -> String? { try text(origins[number]) }

    /// Returns the text after the kind and number of a record.
    private func text(_ place: Int?) throws(SymbolFileError) -> String? {
        guard let place else { return nil }
        var lines = TextLines(source, from: place, pieceSize: 0)
        guard var words = try lines.next().map({ RecordWords($0.line) }) else { return nil }
        _ = words.word()
        _ = words.word()
        return words.text.isEmpty ? nil : words.text
    }
}

/// Positions in a text by the numbers of their records.
private struct PlacesByNumber {
    private var entries: [(number: UInt64, place: Int)] = []

    var count: Int { entries.count }

    mutating func append(_ number: UInt64, _ place: Int) { entries.append((number, place)) }

    mutating func sort() { entries.sort { $0.number < $1.number } }

    subscript(number: UInt64) -> Int? {
        let index = entries.lowerBound { $0.number < number }
        return index < entries.count && entries[index].number == number ? entries[index].place : nil
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element for which `isBefore` is false.
    func lowerBound(_ isBefore: (Element) -> Bool) -> Int {
        var low = startIndex, high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
