import Platform

/// Keys that change no more, sorted in a file behind a filter.
///
/// A run is derived from the `seen` table of its day's file and can be thrown away at any time: what it lacks is read from there.
struct KeyRun: Sendable {
    /// The last row of the `seen` table whose keys are in this run or an earlier one of the same day.
    let through: Int64
    let path: String
    private let file: File
    private let count: Int
    private let filter: KeyFilter
    private let keysOffset: Int

    private static let magic: UInt64 = 0x316e_7572_2d62_6773
    private static let headerWords = 4

    /// Writes a run; it is there under its name only when it is whole and on the disk.
    static func write(_ keys: [UInt64], through: Int64, to path: String) throws(FileError) {
        var filter = KeyFilter(for: keys.count)
        for key in keys { filter.insert(key) }
        let draft = path + ".draft"
        let file = try File(draft, .create)
        try file.write(words: [magic, UInt64(keys.count), UInt64(filter.words.count), UInt64(bitPattern: through)])
        try file.write(words: filter.words)
        for start in stride(from: 0, to: keys.count, by: 65_536) {
            try file.write(words: Array(keys[start..<min(start + 65_536, keys.count)]))
        }
        try file.sync()
        try Folder.rename(draft, to: path)
    }

    /// Opens a run; nil where the file is not a whole one.
    init?(_ path: String) throws(FileError) {
        let file = try File(path, .read)
        let header = try file.readWords(at: 0, count: KeyRun.headerWords)
        let size = try file.size
        guard header.count == KeyRun.headerWords, header[0] == KeyRun.magic, header[1] < 1 << 40, header[2] < 1 << 40, header[2] > 0,
            header[2] % 8 == 0, size == 8 * (KeyRun.headerWords + Int(header[1]) + Int(header[2]))
        else { return nil }
        self.path = path
        self.file = file
        count = Int(header[1])
        through = Int64(bitPattern: header[3])
        filter = KeyFilter(words: try file.readWords(at: KeyRun.headerWords * 8, count: Int(header[2])))
        keysOffset = 8 * (KeyRun.headerWords + filter.words.count)
    }

    func contains(_ key: UInt64) throws(FileError) -> Bool {
        guard filter.mayContain(key) else { return false }
        return try search(key)
    }

    /// Hashes lie evenly, so the first guess is nearly always within one page; each further one halves what is left.
    private func search(_ key: UInt64) throws(FileError) -> Bool {
        let page = 512
        var (lower, upper) = (0, count)
        var guess = Int(truncatingIfNeeded: key.multipliedFullWidth(by: UInt64(count)).high)
        while lower < upper {
            let start = max(lower, min(guess - page / 2, upper - page))
            let window = try file.readWords(at: keysOffset + start * 8, count: min(page, upper - start))
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
}
