import JSON
import Platform

/// Keys, for the operator at the command line.
enum KeyCommands {
    private static let app = Command.Option(name: "app", value: "ID", help: "The app, by id or name.")

    static let all: [Command] = [
        Command(
            words: ["key", "create"],
            options: [
                app, .init(name: "role", value: "ROLE", help: "ingest, read, send or admin."),
                .init(name: "label", value: "TEXT", help: "What it is for."),
                .init(name: "bundle-id", value: "ID", help: "Only for this app id; may be repeated."),
                .init(name: "origin", value: "ORIGIN", help: "Only for pages of this origin; may be repeated."),
                .init(name: "events-per-minute", value: "N", help: "At most so many events a minute."),
            ] + Configuration.options + [AppCommands.json], summary: "Makes a key.", run: create),
        Command(
            words: ["key", "list"], options: [app] + Configuration.options + [AppCommands.json],
            summary: "Lists the keys of an app; ingest keys in full with their Sentry DSN.", run: list),
        Command(
            words: ["key", "revoke"], positionals: [.init(name: "KEY")], options: [app] + Configuration.options + [AppCommands.json],
            summary: "Ends a key at once.", run: revoke),
    ]

    @Sendable private static func create(_ arguments: Arguments) async throws {
        let path = try path(arguments, "key create")
        let body = try JSONWriter.object { json throws in
            json.field("role", try arguments.required("role", of: "key create"))
            if let label = arguments["label"] { json.field("label", label) }
            json.list("bundle_ids", arguments.all("bundle-id"))
            json.list("origins", arguments.all("origin"))
            if let text = arguments["events-per-minute"] {
                guard let number = Int(text) else {
                    throw UsageError(message: "--events-per-minute takes a number.", usage: "ingestd key create --help")
                }
                json.field("events_per_minute", number)
            }
        }
        let bytes = try await Control.run(try Configuration(arguments)) { try await $0.ask("POST", path, body) }
        print(arguments.has("json") ? bytes.text : try Body(bytes).text("key"))
    }

    @Sendable private static func list(_ arguments: Arguments) async throws {
        let configuration = try Configuration(arguments)
        let path = try path(arguments, "key list")
        let bytes = try await Control.run(configuration) { try await $0.ask("GET", path + "?limit=1000") }
        if arguments.has("json") { return print(bytes.text) }
        let rows = try Body(bytes).objects("items").map { key in
            let secret = try key.optionalText("key")
            let dsn = try secret.map { "http://\($0)@\(configuration.server.listen)/\(try key.number("app", 1...Int.max) ?? 0)" }
            let shown = try secret ?? key.text("hint")
            return ["\(try key.number("id", 1...Int.max) ?? 0)", try key.text("role"), shown, try key.text("label"), dsn ?? ""]
        }
        Table.print(["ID", "ROLE", "KEY", "LABEL", "SENTRY DSN"], rows)
    }

    @Sendable private static func revoke(_ arguments: Arguments) async throws {
        let path = try path(arguments, "key revoke") + "/" + PercentEncoding.encode(arguments.positionals[0])
        _ = try await Control.run(try Configuration(arguments)) { try await $0.ask("DELETE", path) }
        print(arguments.has("json") ? "{}" : "revoked")
    }

    private static func path(_ arguments: Arguments, _ command: String) throws -> String {
        "/v1/apps/\(PercentEncoding.encode(try arguments.required("app", of: command)))/keys"
    }
}

extension JSONWriter {
    fileprivate mutating func list(_ name: String, _ texts: [String]) {
        if texts.isEmpty { return }
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
