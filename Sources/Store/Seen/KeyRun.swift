import Platform

/// Keys that change no more, sorted in a file with a filter behind them.
///
/// A run is derived from the `seen` table of its day's file and can be thrown away at any time: what it lacks is read from there.
struct KeyRun: Sendable {
    /// The rows of the `seen` table whose keys are in this run.
    let rows: ClosedRange<Int64>
    let path: String
    let count: Int
    private let file: File
    /// Nil where there was no memory for it: then every question goes to the file.
    private var filter: KeyFilter?

    private static let magic: UInt64 = 0x326e_7572_2d62_6773
    private static let headerWords = 5
    private static let block = 65_536

    /// Opens a run; nil where the file is not a whole one.
    init?(_ path: String) throws(FileError) {
        let file = try File(path, .read)
        let header = try file.readWords(at: 0, count: KeyRun.headerWords)
        let size = try file.size
        guard header.count == KeyRun.headerWords, header[0] == KeyRun.magic, header[1] < 1 << 40, header[2] < 1 << 40, header[2] > 0,
            header[2] % 8 == 0, header[3] <= header[4], header[4] < 1 << 62,
            size == 8 * (KeyRun.headerWords + Int(header[1]) + Int(header[2]))
        else { return nil }
        self.path = path
        self.file = file
        count = Int(header[1])
        rows = Int64(header[3])...Int64(header[4])
        filter = KeyFilter(words: try file.readWords(at: (KeyRun.headerWords + count) * 8, count: Int(header[2])))
    }

    func contains(_ key: UInt64) throws(FileError) -> Bool {
        if let filter, !filter.mayContain(key) { return false }
        return try search(key)
    }

    /// Bytes of memory that the filter takes.
    var filterBytes: Int { (filter?.words.count ?? 0) * 8 }

    mutating func dropFilter() {
        filter = nil
    }

    /// Hashes lie evenly, so the first guess is nearly always within one page; each further one halves what is left.
    private func search(_ key: UInt64) throws(FileError) -> Bool {
        let page = 512
        var (lower, upper) = (0, count)
        var guess = Int(truncatingIfNeeded: key.multipliedFullWidth(by: UInt64(count)).high)
        while lower < upper {
            let start = max(lower, min(guess - page / 2, upper - page))
            let window = try words(at: start, count: min(page, upper - start))
            guard let first = window.first, let last = window.last else { return false }
            if key < first {
                upper = start
            } else if key > last {
                lower = start + window.count
            } else {
                return KeyRun.contains(key, in: window)
            }
            guess = lower + (upper - lower) / 2
        }
        return false
    }

    private static func contains(_ key: UInt64, in sorted: [UInt64]) -> Bool {
        var (lower, upper) = (0, sorted.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if sorted[middle] < key { lower = middle + 1 } else { upper = middle }
        }
        return lower < sorted.count && sorted[lower] == key
    }

    private func words(at index: Int, count: Int) throws(FileError) -> [UInt64] {
        try file.readWords(at: (KeyRun.headerWords + index) * 8, count: count)
    }

    // MARK: Writing

    /// Writes sorted keys, together with those of older runs, into one run; it is there under its name only when it is whole and on the disk.
    static func write(_ keys: [UInt64], rows: ClosedRange<Int64>, merging older: [KeyRun] = [], to path: String) throws(FileError) {
        let count = keys.count + older.reduce(0) { $0 + $1.count }
        var filter = KeyFilter(for: count)
        let draft = path + ".draft"
        let file = try File(draft, .create)
        let first = min(rows.lowerBound, older.map(\.rows.lowerBound).min() ?? rows.lowerBound)
        try file.write(words: [magic, UInt64(count), UInt64(filter.words.count), UInt64(first), UInt64(rows.upperBound)])
        var sources = [Source(keys)] + older.map(Source.init)
        var out: [UInt64] = []
        out.reserveCapacity(block)
        while let key = try smallest(of: &sources) {
            filter.insert(key)
            out.append(key)
            if out.count == block {
                try file.write(words: out)
                // Bit by bit, so that no commit waits behind a hundred megabytes of ours.
                try file.sync()
                out.removeAll(keepingCapacity: true)
            }
        }
        try file.write(words: out)
        try file.write(words: filter.words)
        try file.sync()
        try Folder.rename(draft, to: path)
    }

    private static func smallest(of sources: inout [Source]) throws(FileError) -> UInt64? {
        var best: (index: Int, key: UInt64)?
        for i in sources.indices {
            guard let key = try sources[i].head(), best.map({ key < $0.key }) ?? true else { continue }
            best = (i, key)
        }
        guard let best else { return nil }
        sources[best.index].advance()
        return best.key
    }

    /// Ascending keys, from memory or block by block from a run.
    private struct Source {
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
            block = try run.words(at: read, count: min(KeyRun.block, run.count - read))
            read += block.count
            position = 0
            return block.first
        }

        mutating func advance() {
            position += 1
        }
    }
}
