// SPDX-License-Identifier: Apache-2.0

/// Where in a Breakpad text its records stand, so that an address is found without reading the rest.
package struct BreakpadIndex: Sendable {
    /// More than the largest programs have; a file with more is refused, since each takes memory.
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
    /// Names of the linker for addresses without more; their sizes are not known.
    private(set) var publics: [Function] = []
    private var files = PlacesByNumber()
    private var origins = PlacesByNumber()

    package init(bytes: [UInt8]) throws(SymbolFileProblem) {
        try self.init(ByteSource(bytes: bytes))
    }

    init(_ source: ByteSource, functionLimit: Int = functionLimit) throws(SymbolFileProblem) {
        self.source = source
        var lines = TextLines(source)
        while let (place, line) = try lines.next() {
            // Nearly all lines are those of functions, and begin with a digit.
            guard let first = line.first, (0x46...0x50).contains(first) else { continue }
            read(line, at: place)
            guard functions.count + publics.count <= functionLimit, files.count + origins.count <= Self.nameLimit else {
                throw .damaged("it has more records than any that is real")
            }
        }
        functions.sort { $0.address < $1.address }
        publics.sort { $0.address < $1.address }
        files.sort()
        origins.sort()
    }

    /// About what it takes of memory.
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

    func file(_ number: UInt64) throws(SymbolFileProblem) -> String? { try text(files[number]) }

    func origin(_ number: UInt64) throws(SymbolFileProblem) -> String? { try text(origins[number]) }

    /// What stands behind the kind and the number of a record.
    private func text(_ place: Int?) throws(SymbolFileProblem) -> String? {
        guard let place else { return nil }
        var lines = TextLines(source, from: place, pieceSize: 0)
        guard var words = try lines.next().map({ RecordWords($0.line) }) else { return nil }
        _ = words.word()
        _ = words.word()
        return words.text.isEmpty ? nil : words.text
    }
}

/// Places in a text by the numbers that records there were given.
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

extension Array {
    /// How many elements stand before the first for which `isBefore` does not hold.
    func lowerBound(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
