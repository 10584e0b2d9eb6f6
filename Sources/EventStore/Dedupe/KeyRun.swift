// SPDX-License-Identifier: Apache-2.0

import Platform

/// A run: an immutable file of sorted keys, followed by their filter.
///
/// A run is derived from the `seen` table of its day's file and may be deleted at any time; missing keys are read from there. All values
/// are 64-bit words:
///
///     word 0            "sgb-run2"
///     word 1            the number of keys
///     word 2            the number of filter words
///     words 3 and 4     the first and last row of `seen`
///     then              the keys, ascending
///     then              the filter (`KeyFilter`)
///
/// Keys are hashes and therefore evenly distributed, so a lookup interpolates instead of bisecting. Example: of 1,000,000 keys, one at a
/// quarter of the number range is expected near place 250,000, and the search reads the 512 keys around it first.
struct KeyRun: Sendable {
    /// The rows of the `seen` table whose keys are in this run.
    let rows: ClosedRange<Int64>
    let path: String
    let count: Int
    private let file: File
    private let filterWords: Int
    /// Nil if the memory limit is reached.
    ///
    /// Its blocks are then read from the file.
    private var filter: KeyFilter?

    static let magic: UInt64 = 0x326e_7572_2d62_6773
    static let headerWords = 5

    /// Opens a run and loads its filter if that has at most `bytes` bytes.
    ///
    /// Returns nil if the file is incomplete or not a run.
    init?(_ path: String, filterUpTo bytes: Int = DedupeIndex.filterMemory) throws(FileError) {
        let file = try File(path, .read)
        let header = try file.readWords(at: 0, count: KeyRun.headerWords)
        let size = try file.size
        guard header.count == KeyRun.headerWords, header[0] == KeyRun.magic, header[1] < 1 << 40, header[2] < 1 << 40, header[2] > 0,
            header[2] % UInt64(KeyFilter.blockWords) == 0, header[3] <= header[4], header[4] < 1 << 62,
            size == 8 * (KeyRun.headerWords + Int(header[1]) + Int(header[2]))
        else { return nil }
        self.path = path
        self.file = file
        count = Int(header[1])
        filterWords = Int(header[2])
        rows = Int64(header[3])...Int64(header[4])
        if filterWords * 8 <= bytes { filter = KeyFilter(words: try words(at: count, count: filterWords)) }
    }

    func contains(_ key: UInt64) throws(FileError) -> Bool {
        guard try mayContain(key) else { return false }
        return try search(key)
    }

    private func mayContain(_ key: UInt64) throws(FileError) -> Bool {
        if let filter { return filter.mayContain(key) }
        let block = try words(at: count + KeyFilter.block(of: key, in: filterWords), count: KeyFilter.blockWords)
        return block.count < KeyFilter.blockWords || KeyFilter.mayContain(key, block, at: 0)
    }

    /// The memory of the filter, in bytes.
    var filterBytes: Int { (filter?.words.count ?? 0) * 8 }

    mutating func dropFilter() {
        filter = nil
    }

    /// Searches the file by interpolation, 512 keys at a time.
    ///
    /// The second page is usually the right one.
    private func search(_ key: UInt64) throws(FileError) -> Bool {
        let page = 512
        var (lower, upper, guesses) = (0, count, 0)
        var guess = places(of: key)
        while lower < upper {
            let start = max(lower, min(guess - page / 2, upper - page))
            let window = try words(at: start, count: min(page, upper - start))
            guard let first = window.first, let last = window.last else { return false }
            if key < first {
                upper = start
                guess = start - places(of: first - key)
            } else if key > last {
                lower = start + window.count
                guess = lower + places(of: key - last)
            } else {
                return KeyRun.contains(key, in: window)
            }
            guesses += 1
            // Bisects keys that are unevenly distributed.
            if guesses > 4 { guess = lower + (upper - lower) / 2 }
        }
        return false
    }

    /// Returns the expected number of keys in a part of the number range.
    private func places(of stretch: UInt64) -> Int {
        Int(truncatingIfNeeded: stretch.multipliedFullWidth(by: UInt64(count)).high)
    }

    private static func contains(_ key: UInt64, in sorted: [UInt64]) -> Bool {
        var (lower, upper) = (0, sorted.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if sorted[middle] < key { lower = middle + 1 } else { upper = middle }
        }
        return lower < sorted.count && sorted[lower] == key
    }

    /// Reads words of the keys and of the filter behind them.
    func words(at index: Int, count: Int) throws(FileError) -> [UInt64] {
        try file.readWords(at: (KeyRun.headerWords + index) * 8, count: count)
    }
}
