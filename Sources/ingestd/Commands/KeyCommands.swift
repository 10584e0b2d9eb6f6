// SPDX-License-Identifier: Apache-2.0

import EventStore
import JSON
import Platform
import AcrossStores

/// `ingestd key …`: creates, lists, rotates and revokes keys.
enum KeyCommands {
    static let all = [create, list, rotate, revoke]

    private static let common = [Option.data, Option.config, Option.json]

    private static let expires = Option(
        "--expires", .text("TIME"), "The end of the key: a time such as 2027-01-31T00:00:00Z, or a span such as 90d; default: never.")

    private static let googleJSON = Option(
        "--google-json", .none, "Prints a service account file for Firebase server SDKs instead of a key; with the role send, accounts or data.")

    private static let create = Command(
        "key create", "Creates a key for an app, valid at once.",
        options: [
            .app.required,
            Option("--role", .choice(Role.ofKeys.map(\.rawValue)), "The role of the key.").required,
            Option("--label", .text("TEXT"), "A description."),
            Option("--bundle-id", .text("TEXT"), "A bundle ID that may use the key; default: any.").repeatable,
            Option("--origin", .text("URL"), "A web origin that may use the key; default: any.").repeatable,
            Option("--events-per-minute", .number("N", 0...100_000_000), "The rate limit; 0 uses the app's limit."),
            expires,
            googleJSON,
            Option("--url", .text("URL"), "With --google-json: the daemon's URL for clients, if it differs from the address it listens on."),
        ] + common
    ) { arguments in
        if arguments.has(googleJSON) { return try Console.print(try await ServiceAccountFile.make(arguments)) }
        if arguments.one("--url") != nil { throw Failure("--url is valid with --google-json only.", hint: "Add --google-json.") }
        let key = try await DataFolder(arguments).perform { socket in
            try await socket.send("POST", path(arguments)) { $0.writeKey(arguments) }
        }
        try show(key, arguments)
    }

    private static func show(_ key: ControlReply, _ arguments: Arguments) throws {
        if arguments.has(.json) { return try Console.print(key) }
        let rows = ["id", "app", "role", "label", "replaces", "expires_at", "key", "dsn"].map { [$0, key.text($0)] }
        try Console.print(TextTable.lines(rows.filter { !$0[1].isEmpty }))
        if key["dsn"] == nil { try Console.print("\nSave it now: it is shown only once.") }
    }

    private static let rotate = Command(
        "key rotate", "Creates the successor of a key; the old one stays valid for a while.", operands: ["ID"],
        options: [Option("--overlap", .text("TIME"), "The time for which the old key stays valid, such as 30m or 7d; default: 24h."), expires]
            + common,
        details: "The new key has the same role, label and restrictions. `key revoke` ends the old one earlier."
    ) { arguments in
        let key = try await DataFolder(arguments).perform { socket in
            try await socket.send("POST", "/v1/keys/\(arguments.operand(0).percentEncoded)/rotate") { json in
                if let overlap = arguments.one("--overlap") { json.field("overlap", overlap) }
                if let expires = arguments.one(expires.name) { json.field("expires_at", expires) }
            }
        }
        try show(key, arguments)
    }

    private static let list = Command(
        "key list", "Lists keys: ingest keys in full with their Sentry DSN, others masked.", options: [.app] + common
    ) { arguments in
        let keys = try await DataFolder(arguments).perform { socket in
            var keys: [ControlReply] = []
            for app in try await apps(arguments, socket) { keys += try await socket.items("/v1/apps/\(app)/keys") }
            return keys
        }
        if arguments.has(.json) { return try Console.printItems(keys) { json, key in json.raw(key.json) } }
        let rows = keys.map { key in
            let plain = ["id", "app", "role", "label"].map { key.text($0) }
            return plain + [key["key"]?.text ?? key.text("hint"), key.text("last_used_at"), key.text("expires_at"), limits(of: key), key.text("dsn")]
        }
        try Console.print(TextTable.lines(["ID", "APP", "ROLE", "LABEL", "KEY", "LAST USED", "EXPIRES", "ONLY FOR", "SENTRY DSN"], rows))
    }

    /// The named app, or all.
    private static func apps(_ arguments: Arguments, _ socket: ControlSocket) async throws -> [String] {
        if let app = arguments.one(Option.app.name) { return [app.percentEncoded] }
        return try await socket.items("/v1/apps").map { $0.text("app") }
    }

    private static let revoke = Command(
        "key revoke", "Revokes a key at once.", operands: ["ID"], options: [.app.required] + common
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

    static func path(_ arguments: Arguments) -> String {
        "/v1/apps/\(arguments.required(.app).percentEncoded)/keys"
    }

    private static func limits(of key: ControlReply) -> String {
        var parts = ["bundle_ids", "origins"].flatMap { key[$0]?.elements.map(\.text) ?? [] }
        if let rate = key["events_per_minute"]?.text, rate != "0" { parts.append("\(rate) events/min") }
        return parts.joined(separator: " ")
    }
}

extension JSONWriter {
    mutating func writeKey(_ arguments: Arguments) {
        field("role", arguments.one("--role") ?? "")
        if let label = arguments.one("--label") { field("label", label) }
        for (name, texts) in [("bundle_ids", arguments.all("--bundle-id")), ("origins", arguments.all("--origin"))] where !texts.isEmpty {
            field(name, texts)
        }
        if let rate = arguments.one("--events-per-minute").flatMap({ Int64($0) }) { field("events_per_minute", rate) }
        if let expires = arguments.one("--expires") { field("expires_at", expires) }
    }
}
