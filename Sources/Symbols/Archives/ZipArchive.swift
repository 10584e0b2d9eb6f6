// SPDX-License-Identifier: Apache-2.0

import Compression

/// The entries of a ZIP archive, read from its central directory.
///
/// Archives come from outside. Names, sizes and offsets are checked against each other, entries may not overlap, and an entry is decoded in
/// pieces up to the size that the directory states. ZIP64, encryption and methods other than stored and deflate are rejected.
package struct ZipArchive: Sendable {
    package struct Entry: Sendable, Equatable {
        package var name: String
        package var size: Int
        package var packedSize: Int
        var isDeflated: Bool
        var checksum: UInt32
        /// The offset of its local header.
        var start: Int
    }

    private static let pieceBytes = 1 << 18
    private static let directoryBytes = 8 << 20
    private static let endBytes = 22
    private static let longestComment = 0xffff
    private static let longestName = 4_096
    private static let localBytes = 30

    private let source: ByteSource
    package private(set) var entries: [Entry] = []

    package init(bytes: [UInt8]) throws(SymbolFileError) {
        try self.init(ByteSource(bytes: bytes))
    }

    package init(path: String) throws(SymbolFileError) {
        try self.init(ByteSource(path: path))
    }

    private init(_ source: ByteSource) throws(SymbolFileError) {
        self.source = source
        let end = try ZipArchive.end(of: source)
        try readDirectory(end)
        try checkOverlaps(until: end.directory)
    }

    // MARK: Directory

    private struct End {
        var count: Int
        /// The offset of the central directory in the file, and its size.
        var directory: Int
        var bytes: Int
        /// The bytes before the archive, which its offsets do not count.
        var base: Int
    }

    /// Finds the last record whose comment ends with the file.
    private static func end(of source: ByteSource) throws(SymbolFileError) -> End {
        let start = max(0, source.count - endBytes - longestComment)
        let tail = Fields(bytes: try source.read(at: start, count: source.count - start), order: .little)
        var place = tail.bytes.count - endBytes
        while place >= 0 {
            if try tail.word32(place) == 0x0605_4b50, try Int(tail.word16(place + 20)) == tail.bytes.count - place - endBytes { break }
            place -= 1
        }
        guard place >= 0 else { throw .damaged("its directory is missing") }
        let (disk, first) = (try tail.word16(place + 4), try tail.word16(place + 6))
        let (here, count) = (try tail.word16(place + 8), try tail.word16(place + 10))
        let (bytes, offset) = (Int(try tail.word32(place + 12)), Int(try tail.word32(place + 16)))
        guard count < 0xffff, bytes < 0xffff_ffff, offset < 0xffff_ffff else { throw .damaged("it is a ZIP64 archive") }
        guard disk == 0, first == 0, here == count else { throw .damaged("it is a part of an archive") }
        guard bytes <= directoryBytes else { throw .damaged("its directory is too large") }
        let directory = start + place - bytes
        guard directory >= offset else { throw .damaged("its directory is outside the file") }
        return End(count: Int(count), directory: directory, bytes: bytes, base: directory - offset)
    }

    private mutating func readDirectory(_ end: End) throws(SymbolFileError) {
        let fields = Fields(bytes: try source.read(at: end.directory, count: end.bytes), order: .little)
        var place = 0
        for _ in 0..<end.count {
            guard try fields.word32(place) == 0x0201_4b50 else { throw .damaged("its directory has other records") }
            let lengths = (Int(try fields.word16(place + 28)), Int(try fields.word16(place + 30)), Int(try fields.word16(place + 32)))
            if let entry = try entry(fields, place, nameBytes: lengths.0, base: end.base) { entries.append(entry) }
            place += 46 + lengths.0 + lengths.1 + lengths.2
        }
        guard place == end.bytes else { throw .damaged("its directory does not end with its last entry") }
    }

    /// Returns an entry; nil for a folder.
    private func entry(_ fields: Fields, _ place: Int, nameBytes: Int, base: Int) throws(SymbolFileError) -> Entry? {
        let (flags, method) = (try fields.word16(place + 8), try fields.word16(place + 10))
        let sizes = (Int(try fields.word32(place + 20)), Int(try fields.word32(place + 24)))
        let start = Int(try fields.word32(place + 42))
        guard sizes.0 < 0xffff_ffff, sizes.1 < 0xffff_ffff, start < 0xffff_ffff else { throw .damaged("it is a ZIP64 archive") }
        guard (1...ZipArchive.longestName).contains(nameBytes) else { throw .damaged("an entry has a long name or none") }
        guard let name = String(validating: try fields.part(place + 46, nameBytes).bytes, as: UTF8.self) else {
            throw .damaged("the name of an entry is not UTF-8")
        }
        guard flags & 1 == 0 else { throw .damaged("an entry is encrypted") }
        guard method == 0 || method == 8 else { throw .damaged("an entry has compression method \(method)") }
        guard method == 8 || sizes.0 == sizes.1 else { throw .damaged("the sizes of an entry differ") }
        if name.utf8.last == UInt8(ascii: "/") { return nil }
        return Entry(
            name: name, size: sizes.1, packedSize: sizes.0, isDeflated: method == 8, checksum: try fields.word32(place + 16), start: base + start)
    }

    /// Entries that share bytes multiply what a small archive contains.
    private func checkOverlaps(until directory: Int) throws(SymbolFileError) {
        let sorted = entries.sorted { $0.start < $1.start }
        for (index, entry) in sorted.enumerated() {
            let end = index + 1 < sorted.count ? sorted[index + 1].start : directory
            guard entry.start + ZipArchive.localBytes + entry.name.utf8.count + entry.packedSize <= end else { throw .damaged("its entries overlap") }
        }
    }

    // MARK: Contents

    /// Decodes an entry in pieces. Throws if its size or checksum differs from those in the directory.
    package func read(_ entry: Entry, most limit: Int, _ write: ([UInt8]) throws -> Void) throws {
        guard entry.size <= limit else { throw SymbolFileError.tooLarge(limit) }
        let header = Fields(bytes: try source.read(at: entry.start, count: ZipArchive.localBytes), order: .little)
        guard try header.word32(0) == 0x0403_4b50 else { throw SymbolFileError.damaged("an entry has no header") }
        let start = entry.start + ZipArchive.localBytes + Int(try header.word16(26)) + Int(try header.word16(28))
        var (checksum, size) = (CRC32(), 0)
        func take(_ piece: [UInt8]) throws {
            size += piece.count
            guard size <= entry.size else { throw SymbolFileError.damaged("an entry is larger than stated") }
            checksum.update(piece)
            try write(piece)
        }
        if entry.isDeflated { try inflate(entry, at: start, take) } else { try pieces(entry, at: start, take) }
        guard size == entry.size, checksum.value == entry.checksum else { throw SymbolFileError.damaged("the checksum of an entry is wrong") }
    }

    /// Decodes a small entry at once.
    package func contents(_ entry: Entry, most limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try read(entry, most: limit) { bytes += $0 }
        return bytes
    }

    private func inflate(_ entry: Entry, at start: Int, _ take: ([UInt8]) throws -> Void) throws {
        guard let inflater = Inflater() else { throw SymbolFileError.unreadable }
        do {
            try pieces(entry, at: start) { try inflater.decode($0, take) }
        } catch is DecodeError {
            throw SymbolFileError.damaged("an entry is not deflated")
        }
        guard inflater.isFinished else { throw SymbolFileError.damaged("an entry is truncated") }
    }

    private func pieces(_ entry: Entry, at start: Int, _ take: ([UInt8]) throws -> Void) throws {
        var left = entry.packedSize
        while left > 0 {
            let piece = try source.read(at: start + entry.packedSize - left, count: min(left, ZipArchive.pieceBytes))
            guard !piece.isEmpty else { throw SymbolFileError.damaged("an entry is outside the file") }
            left -= piece.count
            try take(piece)
        }
    }
}
