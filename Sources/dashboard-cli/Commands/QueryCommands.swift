// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Panes
import Platform
import Terminal

/// `query …`: a command for each query name, and one for SQL.
enum QueryCommands {
    static let all = QueryName.allCases.map { command(for: $0) } + [SQLCommand.command]

    /// The output options of every query.
    static let output: [Option] = [.json, .csv, .plain, .watch] + Option.connection
    private static let body = Option("--body", .text("FILE"), "Sends a JSON object by POST instead of options; - is standard input.")

    private static func command(for name: QueryName) -> Command {
        Command(
            "query \(name.rawValue)", name.summary, options: name.fields.map(option) + [body] + output,
            details: "Draws the result on a terminal; --plain prints columns, --csv the first table, --json the response."
        ) { arguments in
            try await run(query(name, arguments), arguments)
        }
    }

    private static func query(_ name: QueryName, _ arguments: Arguments) throws -> CommandQuery {
        let path = "/v1/query/\(name.rawValue)"
        let parameters = name.fields.flatMap { field in arguments.all("--\(field.name)").map { (field.name, $0) } }
        guard let file = arguments.one(body.name) else {
            return CommandQuery(name.rawValue, .get(ReadRequest(path, parameters)), hint: name.hintWhereEmpty)
        }
        guard parameters.isEmpty else {
            throw UsageError(what: "\(body.name) and --\(parameters[0].0) cannot be combined.", hint: "Write it into the JSON object.")
        }
        return CommandQuery(name.rawValue, .post(path, try InputFile.read(file)), hint: name.hintWhereEmpty)
    }

    /// Sends the query and prints the result.
    static func run(_ query: CommandQuery, _ arguments: Arguments) async throws {
        let format = try Format(arguments) ?? (TerminalStream.isTerminal(TerminalStream.output) ? .drawn : .plain)
        let session = QuerySession(DaemonClient(try Profiles.chosen(arguments)), query, format)
        guard let seconds = arguments.seconds(.watch) else { return try await session.printOnce() }
        try await session.watch(every: seconds)
    }

    private static func option(for field: QueryField) -> Option {
        let fallback = field.fallback.map { " Default: \($0)." } ?? ""
        let option = Option("--\(field.name)", value(of: field), field.help + fallback)
        return [.filters, .steps, .paths].contains(field.kind) ? option.repeatable : option
    }

    private static func value(of field: QueryField) -> Option.Value {
        switch field.kind {
        case .moment: .text("TIME")
        case .zone: .text("ZONE")
        case .choice(let words): .choice(words)
        case .number(let range): .number("N", Int64(range.lowerBound)...Int64(range.upperBound))
        case .text: .text("TEXT")
        case .path, .paths: .text("FIELD")
        case .metric: .text("METRIC")
        case .filters: .text("CONDITION")
        case .steps: .text("STEP")
        case .span: .text("SPAN")
        }
    }
}
