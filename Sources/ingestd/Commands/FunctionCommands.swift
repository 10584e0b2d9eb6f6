// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON
import Platform

/// `ingestd function …`.
enum FunctionCommands {
    static let all = [list, set, remove, runs, logs, redrive]

    private static let common = [Option.app.required, .data, .config, .json]
    private static let pollInterval = Duration.seconds(1)

    private static let list = Command("function ls", "Lists the functions of an app, with the number of their runs by state.", options: common) {
        arguments in
        let found = try await DataFolder(arguments).perform { try await pages("/v1/functions", arguments, $0) }
        if arguments.has(.json) { return try Console.printItems(found) { json, item in json.raw(item.json) } }
        if found.isEmpty { return try Console.print("No functions.") }
        let rows = found.map { function in
            let definition = function["definition"]
            let target = ["url", "topic"].compactMap { definition?[$0]?.text }.first ?? "worker"
            let runs = (function["runs"]?.fields ?? []).map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
            return [function.text("name"), target, runs]
        }
        try Console.print(TextTable.lines(["NAME", "TARGET", "RUNS"], rows))
    }

    private static let set = Command(
        "function set", "Creates or replaces a function.", operands: ["NAME", "FILE"], options: common,
        details: """
            The file has the definition as JSON: {"url": "https://api.example/receipt", "timeout": 30}. The function's secret verifies its \
            requests, as in Standard Webhooks; it stays the same when the definition is replaced.
            """
    ) { arguments in
        let body = try file(arguments.operand(1))
        let target = "/v1/functions/\(arguments.operand(0).percentEncoded)?app=\(app(arguments))"
        let made = try await DataFolder(arguments).perform { try await $0.send("PUT", target, body, type: "application/json", timeout: .seconds(60)) }
        if arguments.has(.json) { return try Console.print(made) }
        try Console.print("Set \(made.text("name")).\nSecret: \(made.text("secret"))")
    }

    private static let remove = Command("function rm", "Deletes a function, its runs and its log.", operands: ["NAME"], options: common) {
        arguments in
        try await DataFolder(arguments).perform { try await $0.delete("/v1/functions/\(arguments.operand(0).percentEncoded)?app=\(app(arguments))") }
        if arguments.has(.json) { return try Console.printJSON { $0.field("deleted", arguments.operand(0)) } }
        try Console.print("Deleted \(arguments.operand(0)).")
    }

    private static let runs = Command(
        "function runs", "Lists runs of a function, newest first.", operands: ["NAME"],
        options: [
            Option("--state", .text("STATE"), "Only runs in this state: \(RunState.names)."),
            Option("--limit", .number("N", 1...1_000), "The most runs; 100 by default."),
        ] + common
    ) { arguments in
        let filter = ["state", "limit"].compactMap { name in arguments.one("--\(name)").map { "&\(name)=\($0.percentEncoded)" } }.joined()
        let target = "/v1/functions/\(arguments.operand(0).percentEncoded)/runs?app=\(app(arguments))\(filter)"
        let page = try await DataFolder(arguments).perform { try await $0.get(target) }
        if arguments.has(.json) { return try Console.print(page) }
        let rows = (page["items"]?.elements ?? []).map { run in
            [run.text("id"), run.text("created_at"), run.text("type"), run.text("subject"), run.text("state"), run.text("tries")]
        }
        try Console.print(rows.isEmpty ? "No runs." : TextTable.lines(["RUN", "CREATED", "TYPE", "SUBJECT", "STATE", "TRIES"], rows))
    }

    private static let follow = Option("--follow", .none, "Goes on with new lines until it is interrupted.")

    private static let logs = Command(
        "function logs", "Shows the newest lines of a function's log.", operands: ["NAME"],
        options: [follow, Option("--limit", .number("N", 1...1_000), "The most lines; 100 by default.")] + common
    ) { arguments in
        let folder = try DataFolder(arguments)
        let target = "/v1/functions/\(arguments.operand(0).percentEncoded)/logs?app=\(app(arguments))&limit=\(arguments.one("--limit") ?? "100")"
        var after: String?
        repeat {
            let cursor = after.map { "&after=\($0)" } ?? ""
            let page = try await folder.perform { try await $0.get(target + cursor) }
            for line in page["items"]?.elements ?? [] {
                try Console.print(arguments.has(.json) ? String(decoding: line.json, as: UTF8.self) : text(of: line))
            }
            after = page["next"]?.text ?? after ?? (arguments.has(follow) ? "0" : nil)
            if arguments.has(follow) { try await Task.sleep(for: pollInterval) }
        } while arguments.has(follow)
    }

    private static func text(of line: ControlReply) -> String {
        "\(line.text("at"))  \(line.text("level"))  \(line.text("line"))" + (line["run"].map { "  \($0.text)" } ?? "")
    }

    private static let redrive = Command(
        "function redrive", "Carries all dead runs of a function out again.", operands: ["NAME"], options: common
    ) { arguments in
        let target = "/v1/functions/\(arguments.operand(0).percentEncoded)/redrive?app=\(app(arguments))"
        let reply = try await DataFolder(arguments).perform { try await $0.send("POST", target, timeout: .seconds(3_600)) { _ in } }
        if arguments.has(.json) { return try Console.print(reply) }
        try Console.print("\(reply.text("redriven")) runs are carried out again.")
    }

    // MARK: Parts

    private static func app(_ arguments: Arguments) -> String { arguments.required(.app).percentEncoded }

    private static func pages(_ path: String, _ arguments: Arguments, _ socket: ControlSocket) async throws -> [ControlReply] {
        var (items, after): ([ControlReply], String?) = ([], nil)
        repeat {
            let page = try await socket.get("\(path)?app=\(app(arguments))&limit=1000" + (after.map { "&after=\($0.percentEncoded)" } ?? ""))
            items += page["items"]?.elements ?? []
            after = page["next"]?.text
        } while after != nil
        return items
    }

    private static func file(_ name: String) throws -> [UInt8] {
        let file = try File(name, .read)
        let size = try file.size
        guard size <= FunctionDefinition.maximumBytes else {
            throw Failure("\(name) is too large.", hint: "A definition has at most \(FunctionDefinition.maximumBytes >> 10) KiB.")
        }
        return try file.read(at: 0, count: Int(size))
    }
}
