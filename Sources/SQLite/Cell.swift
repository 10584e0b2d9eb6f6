// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The result slot for a value of a virtual table.
package struct Cell {
    let context: OpaquePointer

    package func integer(_ value: Int64) {
        sqlite3_result_int64(context, value)
    }

    package func key(_ value: UInt64) {
        sqlite3_result_int64(context, Int64(bitPattern: value))
    }

    /// Sets a text inside an array that the source keeps unchanged while the statement runs.
    ///
    /// SQLite reads the bytes in place before the next row is requested. The source holds the array's storage unchanged, so its address stays
    /// valid.
    package func text(_ bytes: [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeBytes { raw in
            guard let start = Cell.start(of: range, in: raw) else { return signalbox_result_text_borrowed(context, "", 0) }
            signalbox_result_text_borrowed(context, start.assumingMemoryBound(to: CChar.self), Int32(clamping: range.count))
        }
    }

    /// Sets a copy of a string.
    package func text(_ string: String) {
        signalbox_result_text(context, string, Int32(clamping: string.utf8.count))
    }

    /// Sets a copy of UTF-8 bytes.
    package func text(copying bytes: [UInt8]) {
        // An empty array may have no address, and a null pointer would give NULL instead of "".
        if bytes.isEmpty { return signalbox_result_text(context, "", 0) }
        bytes.withUnsafeBytes { signalbox_result_text(context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: $0.count)) }
    }

    /// Sets a blob like `text`.
    package func blob(_ bytes: [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeBytes { raw in
            guard let start = Cell.start(of: range, in: raw) else { return sqlite3_result_zeroblob(context, 0) }
            signalbox_result_blob_borrowed(context, start, Int32(clamping: range.count))
        }
    }

    /// Returns the address of a range; `nil` if it is empty or out of bounds.
    private static func start(of range: Range<Int>, in raw: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= raw.count else { return nil }
        return raw.baseAddress.map { $0 + range.lowerBound }
    }

    /// Sets a copy of a value of another statement's row.
    package func copy(_ row: Row, _ column: Int) {
        sqlite3_result_value(context, sqlite3_column_value(row.statement, Int32(column)))
    }

    /// Sets sixteen bytes in network order.
    package func uuid(high: UInt64, low: UInt64) {
        var words = (high.bigEndian, low.bigEndian)
        signalbox_result_blob(context, &words, 16)
    }

    /// Sets a copy of an array of words as a blob in native byte order.
    package func blob(words: [UInt64]) {
        words.withUnsafeBytes { signalbox_result_blob(context, $0.baseAddress, Int32(clamping: $0.count)) }
    }
}
