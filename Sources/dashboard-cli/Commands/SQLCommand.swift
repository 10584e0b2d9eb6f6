// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform

/// `query sql`, if the daemon allows SQL.
enum SQLCommand {
    private static let file = Option("--file", .text("FILE"), "Reads the statement from a file; - is standard input.")
    private static let from = Option("--from", .text("TIME"), "Start of the events; default: -7d.")
    private static let to = Option("--to", .text("TIME"), "End of the events; default: now.")
    private static let limit = Option("--limit", .number("N", 1...10_000), "Maximum number of rows; default: 10000.")

    static let command = Command(
        "query sql", "Runs a SQL query; needs an admin key and a daemon with sql.enabled.", operands: ["[SELECT]"],
        options: [file, from, to, limit] + QueryCommands.output,
        details: """
            One SELECT over the tables events and users of the app, in SQLite's dialect:
              dashboard-cli query sql 'SELECT name, count(*) FROM events GROUP BY name ORDER BY 2 DESC'
            """
    ) { arguments in
        let json = json(try statement(arguments), arguments)
        try await QueryCommands.run(CommandQuery("sql", .post("/v1/query/sql", json), hint: "No rows."), arguments)
    }

    private static func statement(_ arguments: Arguments) throws -> String {
        guard let file = arguments.one(file.name) else {
            guard let typed = arguments.operands.first else {
                throw UsageError(what: "The statement is missing.", hint: "Put it in quotes, or name a file with \(file.name).")
            }
            return typed
        }
        guard arguments.operands.isEmpty else {
            throw UsageError(what: "There are two statements.", hint: "Omit \(Self.file.name) or the operand.")
        }
        return String(decoding: try InputFile.read(file), as: UTF8.self)
    }

    private static func json(_ statement: String, _ arguments: Arguments) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("sql", statement)
        for option in [from, to] { arguments.one(option.name).map { json.field(String(option.name.dropFirst(2)), $0) } }
        if let limit = arguments.one(limit.name).flatMap({ Int($0) }) { json.field("limit", limit) }
        json.endObject()
        return json.bytes
    }
}
