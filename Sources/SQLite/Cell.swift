// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// Where a virtual table puts one value.
package struct Cell {
    let context: OpaquePointer

    package func integer(_ value: Int64) {
        sqlite3_result_int64(context, value)
    }

    package func key(_ value: UInt64) {
        sqlite3_result_int64(context, Int64(bitPattern: value))
    }

    /// Text that lies in an array which the source keeps unchanged while the statement runs.
    ///
    /// SQLite reads the bytes in place, before the next row is asked for: the array's storage is held by the source and nothing
    /// changes it meanwhile, so its address stays good.
    package func text(_ bytes: [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeBytes { raw in
            guard let start = Cell.start(of: range, in: raw) else { return signalbox_result_text_borrowed(context, "", 0) }
            signalbox_result_text_borrowed(context, start.assumingMemoryBound(to: CChar.self), Int32(clamping: range.count))
        }
    }

    /// Text of a string, copied.
    package func text(_ string: String) {
        signalbox_result_text(context, string, Int32(clamping: string.utf8.count))
    }

    /// Text, copied.
    func text(copying bytes: [UInt8]) {
        // An empty array may have no address, and a null pointer would be NULL instead of "".
        if bytes.isEmpty { return signalbox_result_text(context, "", 0) }
        bytes.withUnsafeBytes { signalbox_result_text(context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: $0.count)) }
    }

    /// As `text`, for bytes that are not text.
    package func blob(_ bytes: [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeBytes { raw in
            guard let start = Cell.start(of: range, in: raw) else { return sqlite3_result_zeroblob(context, 0) }
            signalbox_result_blob_borrowed(context, start, Int32(clamping: range.count))
        }
    }

    /// The address of a piece; nil where it is empty or not wholly inside.
    private static func start(of range: Range<Int>, in raw: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= raw.count else { return nil }
        return raw.baseAddress.map { $0 + range.lowerBound }
    }

    /// A value of another statement's row, copied.
    package func copy(_ row: Row, _ column: Int) {
        sqlite3_result_value(context, sqlite3_column_value(row.statement, Int32(column)))
    }

    /// Sixteen bytes in network order.
    package func uuid(high: UInt64, low: UInt64) {
        var words = (high.bigEndian, low.bigEndian)
        signalbox_result_blob(context, &words, 16)
    }

    /// An array of words as a blob in this machine's byte order, copied.
    package func blob(words: [UInt64]) {
        words.withUnsafeBytes { signalbox_result_blob(context, $0.baseAddress, Int32(clamping: $0.count)) }
    }
}
