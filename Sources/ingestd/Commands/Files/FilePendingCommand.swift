// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd files pending`.
enum FilePendingCommand {
    private static let allow = Option("--allow", .text("PATH"), "Publishes the file of this path that waits.")
    private static let deny = Option("--deny", .text("PATH"), "Deletes the file of this path that waits.")

    static let command = Command(
        "files pending", "Lists files of an app that wait for a function, or decides about one.", options: [allow, deny] + FileCommands.common,
        details: """
            The state is waiting, no_function, dead (the run failed for good), no_answer (the function did not say whether to allow the file) or \
            too_deep (8 runs led to it, one by the other). Only waiting files are decided by their function.
            """
    ) { arguments in
        guard arguments.one(allow.name) == nil || arguments.one(deny.name) == nil else {
            throw UsageError(what: "--allow and --deny exclude each other.", hint: "Give one of them.")
        }
        let found = try await DataFolder(arguments).perform { try await items(arguments, $0) }
        if let path = arguments.one(allow.name) ?? arguments.one(deny.name) {
            return try await decide(path, arguments.one(allow.name) != nil, found, arguments)
        }
        if arguments.has(.json) { return try Console.printItems(found) { json, item in json.raw(item.json) } }
        if found.isEmpty { return try Console.print("No files wait.") }
        let rows = found.map { item in
            [item.text("state")] + ["pending_until", "size", "created_at", "path"].map { item["file"]?.text($0) ?? "" }
        }
        try Console.print(TextTable.lines(["STATE", "FUNCTION", "SIZE", "UPLOADED", "PATH"], rows))
    }

    private static func items(_ arguments: Arguments, _ socket: ControlSocket) async throws -> [ControlReply] {
        var (items, after): ([ControlReply], String?) = ([], nil)
        repeat {
            let cursor = after.map { "&after=\($0.percentEncoded)" } ?? ""
            let page = try await socket.get("/v1/files:pending?app=\(FileCommands.app(arguments))&limit=1000\(cursor)")
            items += page["items"]?.elements ?? []
            after = page["next"]?.text
        } while after != nil
        return items
    }

    private static func decide(_ path: String, _ allow: Bool, _ found: [ControlReply], _ arguments: Arguments) async throws {
        guard let generation = found.first(where: { $0["file"]?.text("path").hasSameBytes(as: path) == true })?["file"]?["generation"]?.integer else {
            throw Failure("No file waits at \(path).", hint: "`ingestd files pending` lists those that do.")
        }
        try await DataFolder(arguments).perform { socket in
            var json = JSONWriter()
            json.beginObject()
            json.field("path", path)
            json.field("generation", generation)
            json.field("allow", allow)
            json.endObject()
            _ = try await socket.exchange(
                "POST", "/v1/files:pending?app=\(FileCommands.app(arguments))", [("Content-Type", "application/json")], json.bytes)
        }
        if arguments.has(.json) { return try Console.printJSON { $0.field(allow ? "published" : "deleted", path) } }
        try Console.print(allow ? "Published \(path)." : "Deleted \(path).")
    }
}
