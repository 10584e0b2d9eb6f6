// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd audit`: prints the audit log, newest first.
enum AuditCommand {
    static let command = Command(
        "audit", "Lists administrative actions: who did what, when, from where, and with what result.",
        options: [
            .app,
            Option("--action", .text("ACTION"), "Only this action, such as person.erase."),
            Option("--key", .number("ID", 1...Int64.max), "Only actions with this key."),
            Option("--user", .text("ID"), "Only actions about this user; with --app."),
            Option("--installation", .text("ID"), "Only actions about this installation; with --app."),
            Option("--from", .text("TIME"), "Start of the times: 2026-11-21T00:00:00Z, or relative such as -7d."),
            Option("--to", .text("TIME"), "End of the times, exclusive."),
            Option("--limit", .number("N", 1...1_000_000), "The number of entries; default: 100."),
            .data, .config, .json,
        ],
        details: """
            Entries are kept for a year. Users and installations appear as hashes, so that an erasure stays one; --user finds them by their ID.
            Entries of deleted apps stay; name such an app by its number.
            """
    ) { arguments in
        let entries = try await DataFolder(arguments).perform { try await found(arguments, $0) }
        if arguments.has(.json) { return try Console.printItems(entries) { json, entry in json.raw(entry.json) } }
        if entries.isEmpty { return try Console.print("No entries.") }
        try Console.print(TextTable.lines(["TIME", "ACTION", "APP", "KEY", "ROLE", "ADDRESS", "RESULT", "DETAIL"], entries.map(row)))
    }

    private static let page = 1_000

    private static func found(_ arguments: Arguments, _ socket: ControlSocket) async throws -> [ControlReply] {
        let limit = arguments.one("--limit").flatMap { Int($0) } ?? 100
        let plain = ["app", "action", "user", "installation", "from", "to"].map { ($0, arguments.one("--\($0)")) }
        let filters = (plain + [("key_id", arguments.one("--key"))]).map { name, value in value.map { "&\(name)=\($0.percentEncoded)" } ?? "" }
            .joined()
        var (entries, after): ([ControlReply], String?) = ([], nil)
        repeat {
            let count = min(page, limit - entries.count)
            let next = try await socket.get("/v1/audit?limit=\(count)\(filters)" + (after.map { "&after=\($0.percentEncoded)" } ?? ""))
            entries += next["items"]?.elements ?? []
            after = next["next"]?.text
        } while after != nil && entries.count < limit
        return entries
    }

    private static func row(_ entry: ControlReply) -> [String] {
        let count = entry.text("count")
        let result = [entry.text("outcome"), entry.text("status"), count == "1" ? "" : "×\(count)"].filter { !$0.isEmpty }.joined(separator: " ")
        let object = [entry.text("detail"), entry["person"].map { "person \($0.text)" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        return ["at", "action", "app", "key", "role", "address"].map { entry.text($0) } + [result, object]
    }
}
