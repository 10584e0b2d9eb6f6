// SPDX-License-Identifier: Apache-2.0

import CSignalboxSQLite
import Foundation

/// A parameter of a statement.
enum SQLValue {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null
}

/// The current row of a statement.
struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }

    func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}

/// A connection to a database file that no other connection uses.
///
/// Not `Sendable`: SQLite is opened without mutexes, so only the owner may use the connection.
final class Database {
    private let handle: OpaquePointer
    private var isClosed = false
    private var statements: [String: OpaquePointer] = [:]

    /// Opens or creates a file; `:memory:` is none.
    init(_ path: String) throws(DocumentError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle, code == SQLITE_OK else {
            sqlite3_close_v2(handle)
            throw DocumentError(.dataLoss, "The local store cannot be opened (SQLite error \(code)). Check the folder's permissions and free space.")
        }
        self.handle = handle
        // Another process that has the file is an error at once, not a wait.
        try execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF")
    }

    deinit {
        close()
    }

    func close() {
        if isClosed { return }
        isClosed = true
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
    }

    var changes: Int { Int(sqlite3_changes64(handle)) }

    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs statements without parameters and rows.
    func execute(_ sql: String) throws(DocumentError) {
        if isClosed { throw Database.closed }
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code) }
    }

    /// Runs a cached statement and ignores its rows.
    func run(_ sql: String, _ values: SQLValue...) throws(DocumentError) {
        try each(sql, values) { _ in false }
    }

    /// Returns the first row, transformed; nil without rows.
    func first<T>(_ sql: String, _ values: SQLValue..., row: (Row) -> T) throws(DocumentError) -> T? {
        var found: T?
        try each(sql, values) { current in
            found = row(current)
            return false
        }
        return found
    }

    /// Returns all rows, transformed.
    func all<T>(_ sql: String, _ values: SQLValue..., row: (Row) -> T) throws(DocumentError) -> [T] {
        var found: [T] = []
        try each(sql, values) { current in
            found.append(row(current))
            return true
        }
        return found
    }

    /// Calls a function with each row until it returns false.
    func each(_ sql: String, _ values: [SQLValue], _ body: (Row) throws(DocumentError) -> Bool) throws(DocumentError) {
        let statement = try prepared(sql)
        defer { sqlite3_reset(statement) }
        for (index, value) in values.enumerated() { try bind(value, statement, Int32(index + 1)) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: if try !body(Row(statement: statement)) { return }
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    /// Makes changes, all or none.
    ///
    /// - Parameter isDurable: Whether the changes survive a loss of power as soon as this returns.
    func transaction<T>(isDurable: Bool = false, _ body: () throws(DocumentError) -> T) throws(DocumentError) -> T {
        if isDurable { try execute("PRAGMA synchronous = FULL") }
        defer { if isDurable { sqlite3_exec(handle, "PRAGMA synchronous = NORMAL", nil, nil, nil) } }
        try execute("BEGIN IMMEDIATE")
        do throws(DocumentError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            throw error
        }
    }

    private static let closed = DocumentError(.cancelled, "The documents are closed.")

    private func prepared(_ sql: String) throws(DocumentError) -> OpaquePointer {
        if isClosed { throw Database.closed }
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard let statement, code == SQLITE_OK else { throw failure(code) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLValue, _ statement: OpaquePointer, _ index: Int32) throws(DocumentError) {
        let code: Int32 =
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .blob(let bytes): bytes.withUnsafeBytes { sbd_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count)) }
            case .text(let text): sbd_bind_text(statement, index, text, Int32(clamping: text.utf8.count))
            }
        if code != SQLITE_OK { throw failure(code) }
    }

    private func failure(_ code: Int32) -> DocumentError {
        let hint = code == SQLITE_BUSY ? "Another process or another Documents uses it." : "Check free space."
        var error = DocumentError(.dataLoss, "The local store cannot be used: \(String(cString: sqlite3_errmsg(handle))). \(hint)")
        error.isOfDamagedFile = code == SQLITE_CORRUPT || code == SQLITE_NOTADB
        return error
    }
}
