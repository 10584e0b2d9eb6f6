import Platform

extension KeyRun {
    /// Writes sorted keys, together with those of older runs, into one run; it is there under its name only when it is whole and on the disk.
    static func write(_ keys: [UInt64], rows: ClosedRange<Int64>, merging older: [KeyRun] = [], to path: String) throws(FileError) {
        let first = min(rows.lowerBound, older.map(\.rows.lowerBound).min() ?? rows.lowerBound)
        let draft = path + ".draft"
        var writer = try KeyRunWriter(draft, count: keys.count + older.reduce(0) { $0 + $1.count }, rows: first...rows.upperBound)
        var sources = [KeySource(keys)] + older.map(KeySource.init)
        while let key = try smallest(of: &sources) { try writer.append(key) }
        try writer.finish()
        try Folder.rename(draft, to: path)
    }

    private static func smallest(of sources: inout [KeySource]) throws(FileError) -> UInt64? {
        var best: (index: Int, key: UInt64)?
        for i in sources.indices {
            guard let key = try sources[i].head(), best.map({ key < $0.key }) ?? true else { continue }
            best = (i, key)
        }
        guard let best else { return nil }
        sources[best.index].advance()
        return best.key
    }
}

/// Takes ascending keys and writes them and their filter piece by piece, so that a run of any size takes little memory.
private struct KeyRunWriter {
    private let file: File
    private let filterWords: Int
    private let filterStart: Int
    private var keys: [UInt64] = []
    private var keysWritten = 0
    /// The part of the filter that the next keys fall into; ascending keys never come back to one before it.
    private var filter = [UInt64](repeating: 0, count: piece)
    private var filterWritten = 0

    static let piece = 65_536

    init(_ path: String, count: Int, rows: ClosedRange<Int64>) throws(FileError) {
        file = try File(path, .create)
        filterWords = KeyFilter.size(for: count)
        filterStart = KeyRun.headerWords + count
        keys.reserveCapacity(KeyRunWriter.piece)
        try file.write(words: [KeyRun.magic, UInt64(count), UInt64(filterWords), UInt64(rows.lowerBound), UInt64(rows.upperBound)], at: 0)
    }

    mutating func append(_ key: UInt64) throws(FileError) {
        let block = KeyFilter.block(of: key, in: filterWords)
        while block >= filterWritten + KeyRunWriter.piece { try writeFilter() }
        KeyFilter.insert(key, into: &filter, at: block - filterWritten)
        keys.append(key)
        if keys.count == KeyRunWriter.piece { try writeKeys() }
    }

    mutating func finish() throws(FileError) {
        try writeKeys()
        while filterWritten < filterWords { try writeFilter() }
        try file.sync()
    }

    private mutating func writeKeys() throws(FileError) {
        try file.write(words: keys, at: (KeyRun.headerWords + keysWritten) * 8)
        // Bit by bit, so that no commit waits behind a hundred megabytes of ours.
        try file.sync()
        keysWritten += keys.count
        keys.removeAll(keepingCapacity: true)
    }

    private mutating func writeFilter() throws(FileError) {
        try file.write(words: Array(filter.prefix(filterWords - filterWritten)), at: (filterStart + filterWritten) * 8)
        filterWritten += KeyRunWriter.piece
        for i in filter.indices { filter[i] = 0 }
    }
}

/// Ascending keys, from memory or block by block from a run.
private struct KeySource {
    private var block: [UInt64]
    private var position = 0
    private let run: KeyRun?
    private var read = 0

    init(_ keys: [UInt64]) {
        block = keys
        run = nil
    }

    init(_ run: KeyRun) {
        block = []
        self.run = run
    }

    mutating func head() throws(FileError) -> UInt64? {
        if position < block.count { return block[position] }
        guard let run, read < run.count else { return nil }
        block = try run.words(at: read, count: min(KeyRunWriter.piece, run.count - read))
        read += block.count
        position = 0
        return block.first
    }

    mutating func advance() {
        position += 1
    }
}
