// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The limits of untrusted SQL.
package struct SQLBounds: Sendable {
    package var tables: Set<String>
    /// Names in lower case.
    package var functions: Set<String>
    package var seconds: Double
    /// The limit of SQLite's memory allocated minus freed by the thread.
    package var memory: Int
    /// The limits of a text or blob and of a statement.
    package var valueBytes: Int
    package var statementBytes: Int

    package init(tables: Set<String>, functions: Set<String>, seconds: Double, memory: Int, valueBytes: Int, statementBytes: Int) {
        self.tables = tables
        self.functions = functions
        self.seconds = seconds
        self.memory = memory
        self.valueBytes = valueBytes
        self.statementBytes = statementBytes
    }
}

/// Enforces limits on a connection and on the thread that creates it. SQLite holds its address, so it must live as long as the connection is
/// used, on that thread.
package final class Confinement {
    static let longestPattern = 256
    let bounds: SQLBounds
    let connection: Connection
    private let end: ContinuousClock.Instant
    /// The memory allocated by this thread since creation.
    private var taken = 0
    /// The reason why a statement was aborted.
    package private(set) var excess: Excess?

    package enum Excess: Sendable {
        case time, memory
    }

    package init(_ connection: Connection, _ bounds: SQLBounds) throws(SQLiteError) {
        self.connection = connection
        self.bounds = bounds
        end = ContinuousClock.now + .seconds(bounds.seconds)
        // A virtual table declares itself on first use, which SQLite reports as a schema write.
        for table in bounds.tables { _ = try connection.uncached("SELECT 1 FROM \(table)") }
        limit()
        try defineFunctions()
        let own = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            connection.handle,
            { own, action, first, second, _, _ in
                guard let own else { return SQLITE_DENY }
                return Unmanaged<Confinement>.fromOpaque(own).takeUnretainedValue().allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
            }, own)
        // Frequent, because each step may be slow and create a value of the largest size.
        sqlite3_progress_handler(
            connection.handle, 100,
            { own in
                guard let own else { return 1 }
                return Unmanaged<Confinement>.fromOpaque(own).takeUnretainedValue().goesOn() ? 0 : 1
            }, own)
        watchThread()
    }

    deinit {
        leaveThread()
        sqlite3_set_authorizer(connection.handle, nil, nil)
        sqlite3_progress_handler(connection.handle, 0, nil, nil)
    }

    private func limit() {
        let limits: [(Int32, Int)] = [
            (SQLITE_LIMIT_LENGTH, bounds.valueBytes), (SQLITE_LIMIT_SQL_LENGTH, bounds.statementBytes), (SQLITE_LIMIT_COLUMN, 200),
            (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 20), (SQLITE_LIMIT_VDBE_OP, 50_000), (SQLITE_LIMIT_FUNCTION_ARG, 50),
            (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, Confinement.longestPattern), (SQLITE_LIMIT_VARIABLE_NUMBER, 100),
            (SQLITE_LIMIT_TRIGGER_DEPTH, 0), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, value) in limits { sqlite3_limit(connection.handle, limit, Int32(clamping: value)) }
    }

    private func allows(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: true
        // Without a column nothing is read; the name may be defined by the statement itself.
        case SQLITE_READ: first.map { bounds.tables.contains(String(cString: $0)) } ?? false || second?.pointee == 0
        case SQLITE_FUNCTION: second.map { bounds.functions.contains(String(cString: $0).lowercased()) } ?? false
        default: false
        }
    }

    func goesOn() -> Bool {
        if excess == nil, ContinuousClock.now > end { excess = .time }
        return excess == nil
    }

    /// Whether more memory may be allocated. Other threads' memory does not count, so that a query is not rejected because of ingest.
    func mayTake(_ bytes: Int32) -> Bool {
        if excess == nil, taken + Int(bytes) > bounds.memory { excess = .memory }
        guard goesOn() else { return false }
        taken += Int(bytes)
        return true
    }

    func gaveBack(_ bytes: Int32) {
        taken -= Int(bytes)
    }
}
