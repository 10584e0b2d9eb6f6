import Events
import JSON
import Platform
import Terminal

/// A command for each question there is, made from the list of questions.
enum QueryCommands {
    static let all = QueryName.allCases.map { command(for: $0) }

    private static let watch = Option("--watch", .number("SECONDS", 1...86_400), "Asks again and again; every 2 seconds without a number.")
        .standingAlone(for: 2)

    private static func command(for name: QueryName) -> Command {
        Command(
            "query \(name.rawValue)", name.summary, options: name.fields.map(option) + [.json, .csv, .plain, watch, .profile],
            details: "On a terminal the answer is drawn; --plain prints it in columns, --csv its first table, --json as it came."
        ) { arguments in
            let asked = name.fields.flatMap { field in arguments.all("--\(field.name)").map { (field.name, $0) } }
            let format = try QueryFormat(arguments)
            let session = QuerySession(Connection(try Profiles.chosen(arguments)), name, asked, format)
            guard let seconds = arguments.one(watch.name).flatMap({ Int64($0) }) else { return try await session.printOnce() }
            try await session.watch(every: seconds)
        }
    }

    private static func option(for field: QueryField) -> Option {
        let fallback = field.fallback.map { " Without it: \($0)." } ?? ""
        let option = Option("--\(field.name)", value(of: field), field.help + fallback)
        return [.filters, .steps].contains(field.kind) ? option.repeatable : option
    }

    private static func value(of field: QueryField) -> Option.Value {
        switch field.kind {
        case .moment: .text("TIME")
        case .zone: .text("ZONE")
        case .choice(let words): .choice(words)
        case .number(let range): .number("N", Int64(range.lowerBound)...Int64(range.upperBound))
        case .text: .text("TEXT")
        case .path: .text("FIELD")
        case .filters: .text("CONDITION")
        case .steps: .text("STEP")
        case .span: .text("SPAN")
        }
    }
}

/// How an answer is shown.
enum QueryFormat: Sendable {
    case drawn, plain, csv, json

    init(_ arguments: Arguments) throws(WrongUsage) {
        let chosen = [(Option.json, QueryFormat.json), (.csv, .csv), (.plain, .plain)].filter { arguments.has($0.0) }
        guard chosen.count <= 1 else {
            throw WrongUsage(what: "\(chosen.map(\.0.name).joined(separator: " and ")) do not go together.", hint: "Choose one.")
        }
        self = chosen.first?.1 ?? (TerminalStream.isTerminal(TerminalStream.output) ? .drawn : .plain)
    }
}
