// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
package import Platform
import SQLite

/// A user's SQL query over one app.
package struct SQLQuery: Sendable {
    package var sql: String
    package var values: [SQLValue]
    /// The range of event times in the table `events`, without the end.
    package var from: Timestamp
    package var to: Timestamp
    package var limit: Int
    package var seconds: Double

    package static let rows = 10_000
    package static let bytes = 8 << 20
    package static let days = 31

    package init(sql: String, values: [SQLValue], from: Timestamp, to: Timestamp, limit: Int, seconds: Double) {
        self.sql = sql
        self.values = values
        self.from = from
        self.to = to
        self.limit = limit
        self.seconds = seconds
    }
}

package enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}

package struct SQLResult: Sendable {
    package var columns: [String]
    package var rows: [[SQLValue]] = []
    /// Whether the result was cut at the limit of rows or bytes.
    package var isCut = false
}

extension Analytics {
    /// Runs a user's SQL query.
    ///
    /// The connection has no file. It can read nothing but two virtual tables with the app's own rows, so a query cannot reach other apps
    /// or columns, whatever its text:
    ///
    ///     SELECT name, count(*) FROM events GROUP BY name     rows of the app
    ///     SELECT * FROM main.sqlite_schema, ATTACH, PRAGMA    rejected by `Confinement`
    package func result(of query: SQLQuery, app: AppID) async throws -> SQLResult {
        try sqlGate.enter()
        defer { sqlGate.leave() }
        return try await readers.read(.large, seconds: query.seconds) { session in
            let connection = try Connection(":memory:", .read)
            try connection.execute("PRAGMA temp_store = MEMORY")
            try connection.serve(
                EventsTable(self.context(session, app), from: query.from, to: query.to), as: "events")
            try connection.serve(UsersTable(try session.main(), app: app, self.events.hash), as: "users")
            let confinement = try Confinement(connection, .query(seconds: query.seconds))
            do {
                return try connection.result(of: query)
            } catch let error as SQLiteError {
                throw Refusal.sql(error, confinement.excess)
            }
        }
    }
}

extension Connection {
    fileprivate func result(of query: SQLQuery) throws -> SQLResult {
        let statement = try only(query.sql)
        guard statement.isPlainRead, !statement.columnNames.isEmpty else { throw Refusal(.invalid, "Only SELECT statements are supported.") }
        guard statement.parameterCount == query.values.count else {
            throw Refusal.field("params", "wrong_count", "must have as many values as the statement has parameters: \(statement.parameterCount)")
        }
        var result = SQLResult(columns: statement.columnNames)
        var bytes = 0
        try statement.start(query.values.map(Value.init))
        while let row = try statement.next() {
            let values = result.columns.indices.map { SQLValue(row.value(Int32($0))) }
            bytes += values.reduce(16) { $0 + $1.resultBytes }
            guard result.rows.count < query.limit, bytes <= SQLQuery.bytes else {
                result.isCut = true
                break
            }
            result.rows.append(values)
        }
        return result
    }
}

extension SQLValue {
    fileprivate init(_ value: Value) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .utf8(let bytes): self = .text(bytes)
        case .blob(let bytes): self = .blob(bytes)
        case .text, .words, .null: self = .null
        }
    }

    /// The approximate length in the JSON result.
    fileprivate var resultBytes: Int {
        switch self {
        case .text(let bytes): bytes.count + 3
        case .blob(let bytes): 2 * bytes.count + 3
        default: 12
        }
    }
}

extension Value {
    fileprivate init(_ value: SQLValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let bytes): self = .utf8(bytes)
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}

extension SQLBounds {
    fileprivate static func query(seconds: Double) -> SQLBounds {
        SQLBounds(
            tables: ["events", "users", "json_each", "json_tree"], functions: functions, seconds: seconds, memory: 128 << 20,
            valueBytes: EventsTable.longestValue, statementBytes: 64 << 10)
    }

    /// The allowed functions: they access only their arguments, and none serves only to make large values.
    private static let functions: Set<String> = [
        "abs", "avg", "ceil", "ceiling", "char", "coalesce", "count", "cume_dist", "date", "datetime", "dense_rank", "exp", "first_value", "floor",
        "glob", "group_concat", "hex", "ifnull", "iif", "instr", "json", "json_array", "json_array_length", "json_each", "json_extract",
        "json_group_array", "json_group_object", "json_object", "json_quote", "json_tree", "json_type", "json_valid", "julianday", "lag",
        "last_value", "lead", "length", "like", "ln", "log", "log10", "log2", "lower", "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif",
        "percent_rank", "pow", "power", "quote", "rank", "replace", "round", "row_number", "rtrim", "sign", "sqrt", "strftime", "substr",
        "substring", "sum", "time", "total", "trim", "trunc", "typeof", "unicode", "unixepoch", "upper", "->", "->>",
    ]
}

extension Refusal {
    /// The rejection of a query that failed.
    ///
    /// It contains SQLite's message about the text that the client sent. The query has no access to paths and names of the store, so the
    /// message has none.
    fileprivate static func sql(_ error: SQLiteError, _ excess: Confinement.Excess?) -> Refusal {
        let hint = "Use a shorter range, fewer columns or fewer rows."
        if excess == .memory { return Refusal(.invalid, "The query exceeded its memory limit and was cancelled.", hint: hint) }
        if excess == .time || error.code.primary == .interrupted {
            return Refusal(.invalid, "The query exceeded its time limit and was cancelled.", hint: hint)
        }
        return field("sql", "bad_sql", "failed: \(error.message)")
    }
}
