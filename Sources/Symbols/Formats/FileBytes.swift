// SPDX-License-Identifier: Apache-2.0

/// A file's bytes, read in parts. Regardless of the offsets in the file, the total is limited by a budget.
struct FileBytes {
    private static let budget = 16 << 20

    let source: ByteSource
    private var left = FileBytes.budget

    init(_ source: ByteSource) {
        self.source = source
    }

    var count: Int { source.count }

    /// Returns all bytes from `offset`. Throws if the range is outside the file.
    mutating func fields(at offset: UInt64, count length: UInt64, order: ByteOrder = .big) throws(SymbolFileError) -> Fields {
        try check(offset, length, "it is truncated")
        guard length <= UInt64(left) else { throw .damaged("its tables are too large") }
        left -= Int(length)
        let bytes = try source.read(at: Int(offset), count: Int(length))
        guard bytes.count == length else { throw .unreadable }
        return Fields(bytes: bytes, order: order)
    }

    /// Checks that the range is inside the file without reading it.
    func check(_ offset: UInt64, _ length: UInt64, _ what: String) throws(SymbolFileError) {
        guard offset <= UInt64(count), length <= UInt64(count) - offset else { throw .damaged(what) }
    }
}

enum ByteOrder {
    case big
    case little
}

/// Numbers and names at fixed positions. A position outside is an error, never a trap.
struct Fields {
    let bytes: [UInt8]
    let order: ByteOrder

    func word16(_ offset: Int) throws(SymbolFileError) -> UInt16 { UInt16(try word(offset, 2)) }
    func word32(_ offset: Int) throws(SymbolFileError) -> UInt32 { UInt32(try word(offset, 4)) }

    /// Reads a number of the file's address width.
    func address(_ offset: Int, wide: Bool) throws(SymbolFileError) -> UInt64 { try word(offset, wide ? 8 : 4) }

    func part(_ offset: Int, _ count: Int) throws(SymbolFileError) -> Fields {
        Fields(bytes: Array(try slice(offset, count)), order: order)
    }

    /// Reads a text of at most `count` bytes, terminated by a zero.
    func name(_ offset: Int, _ count: Int) throws(SymbolFileError) -> String {
        String(decoding: try slice(offset, count).prefix { $0 != 0 }, as: UTF8.self)
    }

    private func word(_ offset: Int, _ width: Int) throws(SymbolFileError) -> UInt64 {
        let slice = try slice(offset, width)
        return order == .big ? slice.reduce(0) { $0 << 8 | UInt64($1) } : slice.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func slice(_ offset: Int, _ count: Int) throws(SymbolFileError) -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
            throw .damaged("a table ends in the middle of an entry")
        }
        return bytes[offset..<offset + count]
    }
}
