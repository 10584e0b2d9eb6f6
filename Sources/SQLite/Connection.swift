// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A connection to a database file.
///
/// Not `Sendable`: SQLite is opened without mutexes (`NOMUTEX`), so only the owner may use the connection.
package final class Connection {
    package enum Access: Sendable {
        /// The only writer of the file, which also runs every checkpoint.
        case write
        /// Can neither commit nor checkpoint, whatever SQL it runs.
        case read
    }

    let handle: OpaquePointer
    package let path: String
    /// Cached statements, finalized with the connection, so that a statement may retain the connection without a cycle.
    private var cached: [String: OpaquePointer] = [:]
    private let wal = WALGauge()
    private var interruption: Interruption?

    package init(_ path: String, _ access: Access) throws(SQLiteError) {
        precondition(ConfinedMemory.isInPlace, "the allocator must be installed before any other call of SQLite")
        precondition(CleanFiles.areRegistered, "SQLite must know the files before it opens one")
        let flags: Int32 =
            switch access {
            case .write: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .read: SQLITE_OPEN_READONLY
            }
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, CleanFiles.name)
        guard let handle, code == SQLITE_OK else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(handle)
            throw SQLiteError(code: .init(rawValue: code), message: message, sql: nil, path: path)
        }
        self.handle = handle
        self.path = path
        signalbox_defensive(handle)
        signalbox_no_checkpoint_on_close(handle)
        // The first connection to a file recovers its log, and others wait. A writer does not wait later: its checkpoints copy only pages that no
        // reader needs.
        sqlite3_busy_timeout(handle, 5_000)
        if access == .write {
            try check(sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", nil, nil, nil), nil)
            sqlite3_busy_timeout(handle, 0)
        }
        // The writer starts checkpoints explicitly. Set before the hook, because autocheckpoint uses the same one.
        sqlite3_wal_autocheckpoint(handle, 0)
        sqlite3_wal_hook(
            handle,
            { gauge, _, _, pages in
                guard let gauge else { return SQLITE_OK }
                Unmanaged<WALGauge>.fromOpaque(gauge).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(wal).toOpaque())
    }

    deinit {
        for statement in cached.values { sqlite3_finalize(statement) }
        // Statements retain the connection, so none are left.
        sqlite3_close_v2(handle)
    }

    /// Pages in the write-ahead log after the last commit.
    package var walPages: Int { wal.pages }

    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Rows changed since the connection was opened.
    package var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

    package var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Whether a transaction is open. SQLite rolls back by itself after some errors.
    package var inTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs statements without parameters and rows.
    package func execute(_ sql: String) throws(SQLiteError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
    }

    /// Returns a cached statement, prepared once for each connection.
    package func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let known = cached[sql] { return Statement(known, on: self, isOwner: false) }
        let made = try prepare(sql)
        cached[sql] = made
        return Statement(made, on: self, isOwner: false)
    }

    /// The cached statements, for tests of query plans.
    package var preparedTexts: [String] { Array(cached.keys) }

    /// Prepares a statement that is not cached.
    package func uncached(_ sql: String) throws(SQLiteError) -> Statement {
        Statement(try prepare(sql), on: self, isOwner: true)
    }

    /// Prepares an untrusted text, which must contain exactly one statement.
    package func only(_ sql: String) throws(SQLiteError) -> Statement {
        var handle: OpaquePointer?
        // SQLite ends the text at a zero byte and would ignore the rest.
        let text = sql.utf8.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
        // The text's storage lives for the duration of the closure; SQLite's tail pointer is inside it.
        let (code, rest) = text.withUnsafeBufferPointer { text -> (Int32, Int) in
            var rest = text.baseAddress
            let code = sqlite3_prepare_v3(self.handle, text.baseAddress, Int32(clamping: text.count), 0, &handle, &rest)
            guard let start = text.baseAddress, let rest else { return (code, 0) }
            return (code, rest - start)
        }
        try check(code, sql)
        guard let handle else { throw SQLiteError(code: .error, message: "the text contains no statement", sql: sql, path: path) }
        let statement = Statement(handle, on: self, isOwner: true)
        let behind = sql.utf8.dropFirst(rest)
        guard behind.allSatisfy({ " \t\r\n;".utf8.contains($0) }) else {
            throw SQLiteError(code: .error, message: "the text continues after the statement", sql: sql, path: path)
        }
        return statement
    }

    private func prepare(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil), sql)
        guard let statement else { throw SQLiteError(code: .error, message: "the text contains no statement", sql: sql, path: path) }
        return statement
    }

    package func begin() throws(SQLiteError) {
        try statement("BEGIN IMMEDIATE").run()
    }

    package func commit() throws(SQLiteError) {
        try statement("COMMIT").run()
    }

    /// Rolls back; does nothing if SQLite has already done so.
    package func rollback() {
        if inTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Empties the page cache.
    package func releaseMemory() {
        sqlite3_db_release_memory(handle)
    }

    package enum Checkpoint: Sendable {
        /// Copies the pages that no reader needs.
        case passive
        /// Truncates the log file afterwards.
        case truncate
    }

    /// Copies the log into the database; returns its pages and the number of copied ones.
    @discardableResult
    package func checkpoint(_ kind: Checkpoint) throws(SQLiteError) -> (log: Int, copied: Int) {
        var log: Int32 = 0
        var copied: Int32 = 0
        let mode =
            switch kind {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &log, &copied)
        if code != SQLITE_BUSY { try check(code, nil) }
        return (Int(log), Int(copied))
    }

    /// Sets a time limit for statements in seconds from now; `nil` removes it.
    package func limit(seconds: Double?) {
        guard let seconds else { return interrupt(when: nil) }
        let end = ContinuousClock.now + .seconds(seconds)
        interrupt { ContinuousClock.now > end }
    }

    /// Sets a closure that is called every thousand steps and interrupts statements by returning true; `nil` removes it.
    package func interrupt(when isOver: (@Sendable () -> Bool)?) {
        interruption = isOver.map(Interruption.init)
        guard let interruption else { return sqlite3_progress_handler(handle, 0, nil, nil) }
        sqlite3_progress_handler(
            handle, 1_000,
            { interruption in
                guard let interruption else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(interruption).takeUnretainedValue().isOver() ? 1 : 0
            }, Unmanaged.passUnretained(interruption).toOpaque())
    }

    func check(_ code: Int32, _ sql: String?) throws(SQLiteError) {
        if code != SQLITE_OK { throw error(code, sql) }
    }

    func error(_ code: Int32, _ sql: String?) -> SQLiteError {
        SQLiteError(code: .init(rawValue: code), message: String(cString: sqlite3_errmsg(handle)), sql: sql, path: path)
    }
}

/// The log size set by the log hook. SQLite holds its address; the connection owns it.
private final class WALGauge {
    var pages = 0
}

/// The state of the progress handler. SQLite holds its address; the connection owns it.
private final class Interruption {
    let isOver: @Sendable () -> Bool

    init(_ isOver: @escaping @Sendable () -> Bool) {
        self.isOver = isOver
    }
}
