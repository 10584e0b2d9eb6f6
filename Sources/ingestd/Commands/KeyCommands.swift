import JSON
import Platform
import Store

/// Keys, from the operator's side.
enum KeyCommands {
    static let all = [create, list, revoke]

    private static let common = [Option.data, Option.config, Option.json]

    private static let create = Command(
        "key create", "Makes a key for an app; it opens at once.",
        options: [
            .app.required,
            Option("--role", .choice(Role.ofKeys.map(\.rawValue)), "What the key may do.").required,
            Option("--label", .text("TEXT"), "Says what it is for."),
            Option("--bundle-id", .text("TEXT"), "The only app, by its bundle id, that may use it.").repeatable,
            Option("--origin", .text("URL"), "The only web origin that may use it.").repeatable,
            Option("--events-per-minute", .number("N", 0...100_000_000), "Events a minute that it may send; 0 is what the app may."),
        ] + common
    ) { arguments in
        let folder = try DataFolder(arguments)
        let key = try await folder.perform { socket in
            try await socket.send("POST", path(arguments)) { $0.writeKey(arguments) }
        }
        let link = dsn(of: key, folder.configuration)
        if arguments.has(.json) { return try Console.printJSON { $0.write(key, dsn: link) } }
        let rows = ["id", "app", "role", "label", "key"].map { [$0, key.text($0)] } + [["dsn", link ?? ""]]
        try Console.print(TextTable.lines(rows.filter { !$0[1].isEmpty }))
        if link == nil { try Console.print("\nKeep it: it is shown only now.") }
    }

    private static let list = Command(
        "key list", "Lists keys: those for ingest in full with their Sentry DSN, others by their ends.", options: [.app] + common
    ) { arguments in
        let folder = try DataFolder(arguments)
        let keys = try await folder.perform { socket in
            var keys: [ControlReply] = []
            for app in try await KeyCommands.apps(arguments, socket) { keys += try await socket.get("/v1/apps/\(app)/keys")["items"]?.elements ?? [] }
            return keys
        }
        if arguments.has(.json) {
            return try Console.printItems(keys) { json, key in
                json.beginObject()
                json.write(key, dsn: dsn(of: key, folder.configuration))
                json.endObject()
            }
        }
        let rows = keys.map { key in
            let plain = ["id", "app", "role", "label"].map { key.text($0) }
            return plain + [key["key"]?.text ?? key.text("hint"), limits(of: key), dsn(of: key, folder.configuration) ?? ""]
        }
        try Console.print(TextTable.lines(["ID", "APP", "ROLE", "LABEL", "KEY", "ONLY FOR", "SENTRY DSN"], rows))
    }

    /// The app that was named, or all.
    private static func apps(_ arguments: Arguments, _ socket: ControlSocket) async throws -> [String] {
        if let app = arguments.one(Option.app.name) { return [app.percentEncoded] }
        return try await AppCommands.apps(socket).map { $0.text("app") }
    }

    private static let revoke = Command(
        "key revoke", "Makes a key worthless, at once.", operands: ["ID"], options: [.app.required] + common
    ) { arguments in
        try await DataFolder(arguments).perform { try await $0.delete("\(path(arguments))/\(arguments.operand(0).percentEncoded)") }
        if arguments.has(.json) {
            try Console.printJSON { json in
                json.field("id", Int64(arguments.operand(0)) ?? 0)
                json.field("revoked", true)
            }
        } else {
            try Console.print("Revoked the key \(arguments.operand(0)).")
        }
    }

    private static func path(_ arguments: Arguments) -> String {
        "/v1/apps/\(arguments.required(.app).percentEncoded)/keys"
    }

    /// What a Sentry SDK is given; only ingest keys have one.
    private static func dsn(of key: ControlReply, _ configuration: Configuration) -> String? {
        guard key.text("role") == Role.ingest.rawValue, let secret = key["key"]?.text else { return nil }
        return "http://\(secret)@\(configuration.server.listen)/\(key.text("app"))"
    }

    private static func limits(of key: ControlReply) -> String {
        var parts = ["bundle_ids", "origins"].flatMap { key[$0]?.elements.map(\.text) ?? [] }
        if let rate = key["events_per_minute"]?.text, rate != "0" { parts.append("\(rate) events/min") }
        return parts.joined(separator: " ")
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ key: ControlReply, dsn: String?) {
        for (name, value) in key.fields { field(name, value) }
        if let dsn { field("dsn", dsn) }
    }

    fileprivate mutating func writeKey(_ arguments: Arguments) {
        field("role", arguments.one("--role") ?? "")
        if let label = arguments.one("--label") { field("label", label) }
        write("bundle_ids", arguments.all("--bundle-id"))
        write("origins", arguments.all("--origin"))
        if let rate = arguments.one("--events-per-minute").flatMap({ Int64($0) }) { field("events_per_minute", rate) }
    }

    private mutating func write(_ name: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
