// SPDX-License-Identifier: Apache-2.0

import Analytics
import Events
import HTTPServer
import JSON
import Platform
import AcrossStores

/// Questions in SQL, where the operator allows them.
enum SQLQueries {
    @Sendable static func ask(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let settings = daemon.settings.sql
        guard settings.enabled else {
            throw Refusal(.notFound, "Questions in SQL are switched off here.", hint: "The operator can set sql.enabled to true.")
        }
        let app = try call.onlyApp(in: daemon.store)
        let question = try question(Body(call.json()), now: daemon.clock.now(), seconds: settings.timeout / .seconds(1))
        let answer = try await daemon.store.analytics.answer(question, app: app.id)
        return .response(
            .json { json in
                json.beginObject()
                json.key("columns")
                json.beginArray()
                for column in answer.columns { json.string(column) }
                json.endArray()
                json.key("rows")
                json.beginArray()
                for row in answer.rows { json.write(row) }
                json.endArray()
                json.field("truncated", answer.isCut)
                json.endObject()
            })
    }

    private static func question(_ body: Body, now: Timestamp, seconds: Double) throws(Refusal) -> SQLQuestion {
        try body.allow("sql", "params", "from", "to", "limit")
        let from = try body.moment("from", now: now) ?? now - .days(7)
        let to = try body.moment("to", now: now) ?? now
        guard from <= to, to - from <= .days(Int64(SQLQuestion.days)) else {
            throw .field("from", "bad_range", "must be at most \(SQLQuestion.days) days before to")
        }
        return SQLQuestion(
            sql: try body.text("sql"), values: try body.scalars("params"), from: from, to: to,
            limit: try body.number("limit", 1...SQLQuestion.rows) ?? SQLQuestion.rows, seconds: seconds)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ row: [SQLValue]) {
        beginArray()
        for value in row { write(value) }
        endArray()
    }

    /// Blobs as hexadecimal digits; what JSON has no word for, such as infinity, as null.
    private mutating func write(_ value: SQLValue) {
        switch value {
        case .integer(let number): integer(number)
        case .real(let number) where number.isFinite: raw(Array("\(number)".utf8)[...])
        case .text(let bytes): string(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): string(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        case .real, .null: null()
        }
    }
}
