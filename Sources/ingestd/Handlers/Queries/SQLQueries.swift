// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Analytics
import Events
import HTTPServer
import Platform

/// Answers read-only SQL queries, if the operator enabled them.
struct SQLQueries: Sendable {
    let store: Stores
    let configuration: LiveConfiguration
    let clock: WallClock

    static let routes = [Route(.post, "/v1/query/sql", .role(.admin), .task(\.sqlQueries, SQLQueries.run))]

    func run(_ call: Call) async throws -> HandlerResponse {
        let settings = configuration.now.sql
        guard settings.enabled else {
            throw Refusal(.notFound, "SQL queries are disabled.", hint: "The operator can set sql.enabled to true.")
        }
        let app = try call.onlyApp(in: store)
        let query = try SQLQueries.query(Body(call.json()), now: clock.now(), seconds: settings.timeout / .seconds(1))
        let result = try await store.analytics.result(of: query, app: app.id)
        return try .json(
            SQLResponse(columns: result.columns, rows: result.rows.map { $0.map(SQLResponse.Value.init) }, truncated: result.isCut))
    }

    private static func query(_ body: Body, now: Timestamp, seconds: Double) throws(Refusal) -> SQLQuery {
        try body.allow("sql", "params", "from", "to", "limit")
        let from = try body.moment("from", now: now) ?? now - .days(7)
        let to = try body.moment("to", now: now) ?? now
        guard from <= to, to - from <= .days(Int64(SQLQuery.days)) else {
            throw .field("from", "bad_range", "must be at most \(SQLQuery.days) days before to")
        }
        return SQLQuery(
            sql: try body.text("sql"), values: try body.scalars("params"), from: from, to: to,
            limit: try body.number("limit", 1...SQLQuery.rows) ?? SQLQuery.rows, seconds: seconds)
    }
}

extension SQLResponse.Value {
    fileprivate init(_ value: SQLValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .real(let number): self = number.isFinite ? .real(number) : .null
        case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): self = .text(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        case .null: self = .null
        }
    }
}
