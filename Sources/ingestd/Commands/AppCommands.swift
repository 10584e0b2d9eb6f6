import JSON
import Platform
import Store

/// Apps, for the operator at the command line.
enum AppCommands {
    static let json = Command.Option(name: "json", value: nil, help: "Print JSON.")
    private static let options = Configuration.options + [json]
    private static let id = Command.Positional(name: "ID")

    static let all: [Command] = [
        Command(
            words: ["app", "create"], positionals: [.init(name: "NAME")], options: options, summary: "Makes an app, with a key for each role.",
            run: create),
        Command(words: ["app", "list"], options: options, summary: "Lists the apps.", run: list),
        Command(words: ["app", "show"], positionals: [id], options: options, summary: "Shows an app and its settings.", run: show),
        Command(
            words: ["app", "set"], positionals: [id, .init(name: "KEY=VALUE", repeats: true)], options: options,
            summary: "Changes settings of an app.",
            run: set),
        Command(words: ["app", "rename"], positionals: [id, .init(name: "NAME")], options: options, summary: "Renames an app.", run: rename),
        Command(
            words: ["app", "delete"], positionals: [id],
            options: options + [.init(name: "yes", value: nil, help: "Do not ask.")], summary: "Removes an app with everything it has.", run: delete),
    ]

    @Sendable private static func create(_ arguments: Arguments) async throws {
        let name = arguments.positionals[0]
        let answer = try await Control.run(try Configuration(arguments), create: true) { control in
            try Body(try await control.ask("POST", "/v1/apps", JSONWriter.object { $0.field("name", name) }))
        }
        let (app, keys) = (try answer.number("app", 1...Int.max) ?? 0, try answer.object("keys"))
        if arguments.has("json") {
            return try print(
                JSONWriter.object { json throws in
                    json.field("app", app)
                    json.field("name", try answer.text("name"))
                    json.key("keys")
                    json.beginObject()
                    for role in Role.ofKeys { json.field(role.rawValue, try keys.text(role.rawValue)) }
                    json.endObject()
                }.text)
        }
        print("app \(app)  \(name)")
        for role in Role.ofKeys { print("  \(role.rawValue.padded(to: 7)) \(try keys.text(role.rawValue))") }
        print("The keys of read, send and admin are shown only now.")
    }

    @Sendable private static func list(_ arguments: Arguments) async throws {
        let bytes = try await Control.run(try Configuration(arguments)) { try await $0.ask("GET", "/v1/apps?limit=1000") }
        if arguments.has("json") { return print(bytes.text) }
        let rows = try Body(bytes).objects("items").map { app in
            ["\(try app.number("app", 1...Int.max) ?? 0)", try app.text("name"), try app.text("created_at")]
        }
        Table.print(["ID", "NAME", "CREATED"], rows)
    }

    @Sendable private static func show(_ arguments: Arguments) async throws {
        let path = path(arguments)
        printApp(try await Control.run(try Configuration(arguments)) { try await $0.ask("GET", path) }, arguments)
    }

    @Sendable private static func set(_ arguments: Arguments) async throws {
        let path = path(arguments)
        let pairs = try arguments.positionals.dropFirst().map { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw UsageError(message: "«\(word)» is not KEY=VALUE.", usage: "ingestd app set ID KEY=VALUE…") }
            return (name: parts[0], value: parts[1])
        }
        let body = JSONWriter.object { json in
            for (name, value) in pairs { json.field(name, value) }
        }
        printApp(try await Control.run(try Configuration(arguments)) { try await $0.ask("PATCH", path, body) }, arguments)
    }

    @Sendable private static func rename(_ arguments: Arguments) async throws {
        let path = path(arguments)
        let body = JSONWriter.object { $0.field("name", arguments.positionals[1]) }
        printApp(try await Control.run(try Configuration(arguments)) { try await $0.ask("PATCH", path, body) }, arguments)
    }

    @Sendable private static func delete(_ arguments: Arguments) async throws {
        let path = path(arguments)
        guard arguments.has("yes") || Process.confirms("Delete app \(arguments.positionals[0]) with its keys, persons and events?") else {
            throw CommandFailure(message: "Nothing was deleted.", hint: "Answer yes, or say --yes.")
        }
        _ = try await Control.run(try Configuration(arguments)) { try await $0.ask("DELETE", path) }
        print(arguments.has("json") ? "{}" : "deleted")
    }

    private static func path(_ arguments: Arguments) -> String {
        "/v1/apps/" + PercentEncoding.encode(arguments.positionals[0])
    }

    private static func printApp(_ bytes: [UInt8], _ arguments: Arguments) {
        guard !arguments.has("json"), let app = try? Body(bytes), let settings = try? app.object("settings").plainTexts() else {
            return print(bytes.text)
        }
        print("app \((try? app.number("app", 1...Int.max)) ?? 0)  \((try? app.text("name")) ?? "")")
        for (name, value) in settings { print("  \(name.padded(to: 27)) \(value)") }
    }
}

/// Aligned columns for people.
enum Table {
    static func print(_ head: [String], _ rows: [[String]]) {
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        for row in [head] + rows {
            let line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
            Swift.print(line.trimmingTrailingSpaces)
        }
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: Substring {
        self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension JSONWriter {
    static func object(_ build: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        try build(&json)
        json.endObject()
        return json.bytes
    }
}
