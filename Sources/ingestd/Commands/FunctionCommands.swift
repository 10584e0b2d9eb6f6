// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON
import Platform
import Workers

/// `ingestd function …`.
enum FunctionCommands {
    static let all = [list, set, worker, remove, call, runs, logs, redrive] + FunctionTransferCommands.all

    private static let common = [Option.app.required, .data, .config, .json]
    private static let pollInterval = Duration.seconds(1)

    private static let list = Command("function ls", "Lists the functions of an app, with the number of their runs by state.", options: common) {
        arguments in
        let found = try await DataFolder(arguments).perform { try await pages("/v1/functions", arguments, $0) }
        if arguments.has(.json) { return try Console.printItems(found) { json, item in json.raw(item.json) } }
        if found.isEmpty { return try Console.print("No functions.") }
        let rows = found.map { function in
            let definition = function["definition"]
            let command = definition?["worker"]?["command"]?.elements.map(\.text).joined(separator: " ")
            let target = ["url", "topic"].compactMap { definition?[$0]?.text }.first ?? command ?? ""
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
        let body = try definition(arguments.operand(1))
        let target = "/v1/functions/\(arguments.operand(0).percentEncoded)?app=\(app(arguments))"
        let made = try await DataFolder(arguments).perform { try await $0.send("PUT", target, body, type: "application/json", timeout: .seconds(60)) }
        if arguments.has(.json) { return try Console.print(made) }
        try Console.print("Set \(made.text("name")).\nSecret: \(made.text("secret"))")
    }

    private static let transport = Option(
        "--protocol", .choice(WorkerProgram.Transport.allCases.map(\.rawValue)),
        "How calls reach the program: lines of JSON on its input and output, or AWS Lambda's Runtime API.")
    private static let workingFolder = Option(
        "--folder", .text("DIR"), "The folder in which the program runs, and which it may read; that of the program by default.")

    private static let worker = Command(
        "function worker", "Lets a program of this machine carry a function out.", operands: ["NAME", "PROGRAM", "[ARGUMENT]…"],
        options: [transport.required, workingFolder] + common,
        details: """
            PROGRAM is an absolute path; write -- before it. The function is created if there is none; an existing one keeps everything but its \
            target. The daemon starts the program with the first call if functions.workers is true, and confines it as `ingestd confined-worker` \
            does. No key can name a program. A program that cannot start is set with a warning.
            """
    ) { arguments in
        let name = arguments.operand(0)
        let data = try DataFolder(arguments)
        let made = try await data.perform { socket in
            let old = try await pages("/v1/functions", arguments, socket).first { $0.text("name") == name }
            let body = try definition(arguments, instead: old?["definition"])
            return try await socket.send(
                "PUT", "/v1/functions/\(name.percentEncoded)?app=\(app(arguments))", body, type: "application/json", timeout: .seconds(60))
        }
        for obstacle in program(of: made)?.obstacles(dataFolder: data.configuration.storage.directory) ?? [] {
            Console.complain("warning: the program will not start: \(obstacle)", of: "ingestd")
        }
        if arguments.has(.json) { return try Console.print(made) }
        try Console.print("Set \(made.text("name")).")
    }

    private static func program(of function: ControlReply) -> WorkerProgram? {
        guard let worker = function["definition"]?["worker"], let transport = WorkerProgram.Transport(rawValue: worker.text("protocol")) else {
            return nil
        }
        return WorkerProgram(transport, (worker["command"]?.elements ?? []).map(\.text), in: worker["folder"]?.string)
    }

    /// The definition with a worker, and with the other fields of an old one.
    private static func definition(_ arguments: Arguments, instead old: ControlReply?) throws -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in old?.fields ?? [] where !["url", "format", "topic", "worker"].contains(name) {
            json.key(name)
            json.raw(value.json)
        }
        json.key("worker")
        json.beginObject()
        json.field("protocol", arguments.one(transport.name) ?? "")
        json.field("command", Array(arguments.operands.dropFirst()))
        if let folder = arguments.one(workingFolder.name) { json.field("folder", try OwnProcess.absolutePath(of: folder)) }
        json.endObject()
        json.endObject()
        return json.bytes
    }

    private static let remove = Command("function rm", "Deletes a function, its runs and its log.", operands: ["NAME"], options: common) {
        arguments in
        try await DataFolder(arguments).perform { try await $0.delete("/v1/functions/\(arguments.operand(0).percentEncoded)?app=\(app(arguments))") }
        if arguments.has(.json) { return try Console.printJSON { $0.field("deleted", arguments.operand(0)) } }
        try Console.print("Deleted \(arguments.operand(0)).")
    }

    private static let fileOfData = Option("--file", .text("FILE"), "Reads the data from a file.")

    private static let call = Command(
        "function call", "Calls a function and prints its result.", operands: ["NAME"],
        options: [Option("--input", .text("JSON"), "The data of the call; null by default."), fileOfData] + common,
        details: "The call needs no token, whatever the function's `auth`. It ends with code 1 if the function answers with an error."
    ) { arguments in
        guard arguments.one("--input") == nil || !arguments.has(fileOfData) else {
            throw UsageError(what: "--input and --file exclude each other.", hint: "Give one of them.")
        }
        let data = try arguments.one("--file").map { try file($0, atMost: CallBody.maximumBytes) } ?? Array((arguments.one("--input") ?? "null").utf8)
        let target = "/v1/call/\(app(arguments))/\(arguments.operand(0).percentEncoded)"
        let body = Array("{\"data\":".utf8) + data + "}".utf8
        let (status, answer) = try await DataFolder(arguments).perform { try await $0.call(target, body, within: callTime) }
        guard (200..<300).contains(status), let result = answer["result"] else { throw failure(answer) }
        try Console.print(arguments.has(.json) ? String(decoding: answer.json, as: UTF8.self) : String(decoding: result.json, as: UTF8.self))
    }

    /// Longer than any call.
    private static let callTime = Duration.seconds(FunctionDefinition.maximumCallSeconds + 5)

    private static func failure(_ answer: ControlReply) -> Failure {
        let details = answer["error"]?["details"].map { "Details: \(String(decoding: $0.json, as: UTF8.self))" }
        return Failure("\(answer["error"]?.text("status") ?? "UNKNOWN"): \(answer["error"]?.text("message") ?? "no message")", hint: details)
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

    private static let follow = Option("--follow", .none, "Goes on with new lines until it is interrupted; also -f.").orShort("-f")

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
        let count = Int(reply["redriven"]?.integer ?? 0)
        try Console.print("\(count.of("run")) \(count == 1 ? "is" : "are") carried out again.")
    }

    // MARK: Parts

    private static func app(_ arguments: Arguments) -> String { arguments.required(.app).percentEncoded }

    static func pages(_ path: String, _ arguments: Arguments, _ socket: ControlSocket) async throws -> [ControlReply] {
        var (items, after): ([ControlReply], String?) = ([], nil)
        repeat {
            let page = try await socket.get("\(path)?app=\(app(arguments))&limit=1000" + (after.map { "&after=\($0.percentEncoded)" } ?? ""))
            items += page["items"]?.elements ?? []
            after = page["next"]?.text
        } while after != nil
        return items
    }

    private static func definition(_ name: String) throws -> [UInt8] {
        let bytes = try file(name, atMost: FunctionDefinition.maximumBytes)
        let hint = #"Use a JSON object: {"url": "https://api.example/receipt"}."#
        let value = try JSONValue(bytes, named: name, hint: hint)
        guard value.json.first == UInt8(ascii: "{") else { throw Failure("\(name) is not a JSON object.", hint: hint) }
        return bytes
    }

    private static func file(_ name: String, atMost limit: Int) throws -> [UInt8] {
        let file = try File(name, .read)
        let size = try file.size
        guard size <= limit else { throw Failure("\(name) is too large.", hint: "It may have \(limit >> 10) KiB.") }
        return try file.read(at: 0, count: Int(size))
    }
}
