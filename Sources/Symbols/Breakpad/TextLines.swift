// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The lines of a text, read in chunks. Of overlong lines only the beginning is returned.
struct TextLines {
    private static let longest = 1 << 16

    private let source: ByteSource
    private let pieceSize: Int
    private var piece: [UInt8] = []
    /// The position of the chunk in the text; `taken` is the part already returned.
    private var start: Int
    private var taken = 0

    init(_ source: ByteSource, from offset: Int = 0, pieceSize: Int = 1 << 20) {
        self.source = source
        self.pieceSize = max(pieceSize, TextLines.longest)
        start = offset
    }

    /// The position of the next line.
    var place: Int { start + taken }

    /// Returns the next line without its end, and its position; nil at the end.
    mutating func next() throws(SymbolFileError) -> (place: Int, line: ArraySlice<UInt8>)? {
        var end = lineEnd
        if end == nil {
            try refill()
            end = lineEnd
        }
        guard taken < piece.count else { return nil }
        let line = piece[taken..<(end ?? piece.count)]
        let place = start + taken
        taken += line.count
        if end != nil { taken += 1 } else if start + taken < source.count { try skipLine() }
        return (place, line.last == 0x0d ? line.dropLast() : line)
    }

    private var lineEnd: Int? {
        piece.withUnsafeBytes { bytes in
            // `taken` is never beyond the end of the chunk.
            guard let start = bytes.baseAddress, let end = memchr(start + taken, 0x0a, bytes.count - taken) else { return nil }
            return UnsafeRawPointer(end) - start
        }
    }

    private mutating func refill() throws(SymbolFileError) {
        start += taken
        taken = 0
        piece = try source.read(at: start, count: pieceSize)
    }

    /// Skips the rest of a line that exceeds a chunk.
    private mutating func skipLine() throws(SymbolFileError) {
        repeat {
            try refill()
            if let end = lineEnd {
                taken = end + 1
                return
            }
            taken = piece.count
        } while !piece.isEmpty
    }
}

/// The words of a record from its beginning.
struct RecordWords {
    private var rest: ArraySlice<UInt8>

    init(_ line: ArraySlice<UInt8>) {
        rest = line
    }

    mutating func word() -> ArraySlice<UInt8>? {
        rest = rest.drop { $0 == 0x20 }
        guard !rest.isEmpty else { return nil }
        let word = rest.prefix { $0 != 0x20 }
        rest = rest.dropFirst(word.count)
        return word
    }

    mutating func hex() -> UInt64? { word().flatMap { UInt64(ascii: $0, base: 16) } }

    mutating func decimal() -> UInt64? { word().flatMap { UInt64(ascii: $0, base: 10) } }

    var count: Int { rest.split(separator: 0x20).count }

    /// The remaining text, for a name that contains spaces.
    var text: String { String(decoding: rest.drop { $0 == 0x20 }.prefix(1 << 14), as: UTF8.self) }

    /// Skips the mark of a record whose address stands for several merged functions.
    mutating func skipMark() {
        var ahead = self
        if ahead.word().map({ $0.elementsEqual([0x6d]) }) == true { self = ahead }
    }
}

extension UInt64 {
    fileprivate init?(ascii digits: ArraySlice<UInt8>, base: UInt64) {
        guard (1...19).contains(digits.count) else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard let number = digit.hexValue.map(UInt64.init), number < base else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: base)
            guard !overflow, product <= .max - number else { return nil }
            value = product + number
        }
        self = value
    }
}
