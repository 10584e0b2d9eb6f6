// SPDX-License-Identifier: Apache-2.0

import Platform

extension KeyRun {
    /// Writes sorted keys and those of older runs to one run.
    ///
    /// The file gets its name only when it is complete and synced; a failure leaves no file.
    static func write(_ keys: [UInt64], rows: ClosedRange<Int64>, merging older: [KeyRun] = [], to path: String) throws(FileError) {
        let draft = path + ".draft"
        do {
            try write(keys, rows: rows, merging: older, into: draft)
            try Folder.rename(draft, to: path)
        } catch {
            try? Folder.remove(draft)
            throw error
        }
    }

    private static func write(_ keys: [UInt64], rows: ClosedRange<Int64>, merging older: [KeyRun], into draft: String) throws(FileError) {
        let first = min(rows.lowerBound, older.map(\.rows.lowerBound).min() ?? rows.lowerBound)
        var writer = try KeyRunWriter(draft, count: keys.count + older.reduce(0) { $0 + $1.count }, rows: first...rows.upperBound)
        var merge = try KeyMerge([KeySource(keys)] + older.map(KeySource.init))
        while let key = try merge.next() { try writer.append(key) }
        try writer.finish()
    }

    /// Returns the file size of a run, in bytes.
    static func bytes(of count: Int) -> Int64 {
        Int64(8 * (headerWords + count + KeyFilter.size(for: count)))
    }
}

/// Writes ascending keys and their filter piece by piece, so a run of any size needs little memory.
private struct KeyRunWriter {
    private let file: File
    private let filterWords: Int
    private let filterStart: Int
    private var keys: [UInt64] = []
    private var keysWritten = 0
    /// The part of the filter that the next keys belong to.
    ///
    /// Keys ascend, so no key belongs to an earlier part.
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
        // Synced piece by piece: a sync of hundreds of megabytes would delay the commits.
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

/// A k-way merge of ascending sources.
private struct KeyMerge {
    private var sources: [KeySource] = []
    /// The next key of each source, in an array of their own because all of them are compared for each key.
    private var heads: [UInt64] = []

    init(_ all: [KeySource]) throws(FileError) {
        for var source in all {
            guard let key = try source.next() else { continue }
            sources.append(source)
            heads.append(key)
        }
    }

    mutating func next() throws(FileError) -> UInt64? {
        guard var least = heads.first else { return nil }
        var index = 0
        for i in heads.indices.dropFirst() where heads[i] < least { (index, least) = (i, heads[i]) }
        if let key = try sources[index].next() {
            heads[index] = key
        } else {
            sources.remove(at: index)
            heads.remove(at: index)
        }
        return least
    }
}

/// Ascending keys from memory, or from a run piece by piece.
private struct KeySource {
    private var piece: [UInt64]
    private var position = 0
    private let run: KeyRun?
    private var read = 0

    init(_ keys: [UInt64]) {
        piece = keys
        run = nil
    }

    init(_ run: KeyRun) {
        piece = []
        self.run = run
    }

    mutating func next() throws(FileError) -> UInt64? {
        if position == piece.count {
            guard let run, read < run.count else { return nil }
            piece = try run.words(at: read, count: min(KeyRunWriter.piece, run.count - read))
            if piece.isEmpty { return nil }
            read += piece.count
            position = 0
        }
        defer { position += 1 }
        return piece[position]
    }
}
