// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A prepared statement, used by the owner of its connection only.
package final class Statement {
    private let handle: OpaquePointer
    /// Keeps the connection open while its statements live.
    private let connection: Connection
    /// Whether the statement is finalized with this object or with the connection.
    private let isOwner: Bool

    init(_ handle: OpaquePointer, on connection: Connection, isOwner: Bool) {
        self.handle = handle
        self.connection = connection
        self.isOwner = isOwner
    }

    deinit {
        if isOwner { sqlite3_finalize(handle) }
    }

    /// Runs the statement and ignores its rows.
    package func run(_ values: Value...) throws(SQLiteError) {
        try run(values)
    }

    package func run(_ values: [Value]) throws(SQLiteError) {
        try bind(values)
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    /// Runs with integer parameters, without allocating values.
    package func run(integers values: [Int64]) throws(SQLiteError) {
        for (i, value) in values.enumerated() {
            try check(sqlite3_bind_int64(handle, Int32(i + 1), value))
        }
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    /// Returns all rows, transformed.
    package func all<T>(_ values: Value..., row: (Row) throws -> T) throws -> [T] { try all(values, row: row) }

    package func all<T>(_ values: [Value], row: (Row) throws -> T) throws -> [T] {
        var out: [T] = []
        try each(values) { out.append(try row($0)) }
        return out
    }

    /// Returns the first row, transformed, or `nil`.
    package func first<T>(_ values: Value..., row: (Row) throws -> T) throws -> T? {
        try first(values, row: row)
    }

    package func first<T>(_ values: [Value], row: (Row) throws -> T) throws -> T? {
        try bind(values)
        defer { sqlite3_reset(handle) }
        return try step() ? try row(Row(statement: handle)) : nil
    }

    package func each(_ values: [Value], row: (Row) throws -> Void) throws {
        try bind(values)
        defer { sqlite3_reset(handle) }
        while try step() { try row(Row(statement: handle)) }
    }

    /// Iterates over rows until the closure returns `false`.
    package func rows(_ values: [Value], while wantsMore: (Row) throws -> Bool) throws {
        try bind(values)
        defer { sqlite3_reset(handle) }
        while try step(), try wantsMore(Row(statement: handle)) {}
    }

    /// Inserts one row by binds. It is the baseline that `BatchTable` is measured against.
    package func run(_ integers: [Int64], id: [UInt64], text: [UInt8]) throws {
        for (i, value) in integers.enumerated() { sqlite3_bind_int64(handle, Int32(i + 1), value) }
        let next = Int32(integers.count + 1)
        try id.withUnsafeBytes { id in
            try text.withUnsafeBytes { raw in
                signalbox_bind_blob_borrowed(handle, next, id.baseAddress, Int32(clamping: id.count))
                let start = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
                signalbox_bind_text_borrowed(handle, next + 1, start, Int32(clamping: raw.count))
                defer { sqlite3_reset(handle) }
                while try step() {}
            }
        }
    }

    /// Binds values and starts before the first row; `next` iterates.
    package func start(_ values: [Value]) throws(SQLiteError) {
        sqlite3_reset(handle)
        try bind(values)
    }

    /// Returns the next row, valid until the following call; `nil` after the last.
    package func next() throws(SQLiteError) -> Row? {
        try step() ? Row(statement: handle) : nil
    }

    /// The column names.
    package var columnNames: [String] {
        (0..<sqlite3_column_count(handle)).map { sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? "" }
    }

    /// The number of parameters.
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// Whether the statement only reads, and is not an EXPLAIN.
    package var isPlainRead: Bool { sqlite3_stmt_readonly(handle) != 0 && sqlite3_stmt_isexplain(handle) == 0 }

    private func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw connection.error(code, String(cString: sqlite3_sql(handle)))
    }

    private func bind(_ values: [Value]) throws(SQLiteError) {
        for (i, value) in values.enumerated() {
            try check(bind(value, at: Int32(i + 1)))
        }
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let n): sqlite3_bind_int64(handle, index, n)
        case .real(let x): sqlite3_bind_double(handle, index, x)
        case .text(let s): bind(utf8: Array(s.utf8), at: index)
        case .utf8(let bytes): bind(utf8: bytes, at: index)
        case .words(let words): words.withUnsafeBytes { signalbox_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count)) }
        case .blob(let bytes): bytes.withUnsafeBytes { signalbox_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count)) }
        }
    }

    private func bind(utf8 bytes: [UInt8], at index: Int32) -> Int32 {
        // An empty array may have no address, and a null pointer would bind NULL instead of "".
        if bytes.isEmpty { return signalbox_bind_text(handle, index, "", 0) }
        return bytes.withUnsafeBytes { raw in
            signalbox_bind_text(handle, index, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: raw.count))
        }
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        try connection.check(code, nil)
    }
}

/// The current row of a statement, valid only inside the closure that receives it.
package struct Row {
    let statement: OpaquePointer

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    package func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
    package func key(_ column: Int32) -> UInt64 { UInt64(bitPattern: sqlite3_column_int64(statement, column)) }
    package func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    package func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_BLOB }
    package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// Returns the value with its stored type.
    package func value(_ column: Int32) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .utf8(bytes(column))
        case SQLITE_BLOB: .blob(bytes(column))
        default: .null
        }
    }

    /// Reads a blob of words in native byte order.
    package func words(_ column: Int32) -> [UInt64] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        let raw = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }

    /// Calls a closure with a text's or blob's bytes, which are valid only inside it.
    package func withBytes<R>(_ column: Int32, _ body: (Span<UInt8>) throws -> R) rethrows -> R {
        let start = sqlite3_column_blob(statement, column)?.assumingMemoryBound(to: UInt8.self)
        return try body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column))).span)
    }

    /// Returns a copy of a text's or blob's bytes.
    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
