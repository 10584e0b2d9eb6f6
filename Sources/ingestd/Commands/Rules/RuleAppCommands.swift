// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Rules

/// `ingestd rules …` for the rules of an app in the data folder.
enum RuleAppCommands {
    static let all = [set, history, explain, denials, RuleShadowCommand.command]

    private static let common = [Option.app.required, .data, .config, .json]

    private static let set = Command(
        "rules set", "Makes a file of security rules (firestore.rules) those of an app.", operands: ["FILE"],
        options: [Option("--cases", .text("FILE"), "Test cases that must pass.")] + common,
        details: "They hold from the next request on; every revision is kept."
    ) { arguments in
        let name = arguments.operand(0)
        let source = try RuleCommands.text(name)
        for warning in try RuleCommands.rules(name, source).warnings { try Console.print("warning: \(name):\(warning)") }
        let cases = try arguments.one("--cases").map { try RuleCommands.caseList($0) }
        let made = try await DataFolder(arguments).perform { socket in
            try await socket.send("PUT", "/v1/documents:rules?app=\(app(arguments))") { json in
                json.field("source", source)
                guard let cases else { return }
                json.key("testCases")
                json.write(cases)
            }
        }
        if arguments.has(.json) { return try Console.print(String(decoding: made.json, as: UTF8.self)) }
        try Console.print("Set revision \(made.text("revision")).")
    }

    private static let history = Command(
        "rules history", "Lists the revisions of an app's security rules, newest first.",
        options: [Option("--revision", .number("N", 1...Int64.max), "Prints the rules of this revision.")] + common
    ) { arguments in
        let found = try await DataFolder(arguments).perform { try await $0.ruleRevisions("/v1/documents:rules?app=\(app(arguments))") }
        try RuleCommands.show(found, arguments, "ingestd rules history")
    }

    private static let explain = Command(
        "rules explain", "Shows what the rules of an app decide about a request, and the value of each expression.",
        operands: ["KIND", "REQUEST"],
        options: [
            Option("--as", .text("UID"), "The user; without it the request has none."),
            Option("--token", .text("JSON"), "The claims of the user's ID token, such as {\"admin\": true}."),
            Option("--rules", .text("FILE"), "Other rules than those of the app."),
        ] + common,
        details: """
            KIND is get with the path of a document, query with a query as JSON, or write with a write of a commit as JSON. Documents are those of \
            the app; nothing is written.
            """
    ) { arguments in
        let (kind, request) = (arguments.operand(0), arguments.operand(1))
        guard ["get", "query", "write"].contains(kind) else {
            throw UsageError(what: "\(kind) is no kind of request.", hint: "Use get, query or write.")
        }
        guard arguments.one("--token") == nil || arguments.one("--as") != nil else {
            throw UsageError(what: "--token needs a user.", hint: "Name the user with --as UID.")
        }
        for (name, text) in [("REQUEST", kind == "get" ? nil : request), ("--token", arguments.one("--token"))] {
            guard let text else { continue }
            _ = try JSONValue(Array(text.utf8), named: name, hint: "Write an object such as '{\"admin\": true}'.", exitCode: 2)
        }
        let source = try arguments.one("--rules").map(RuleCommands.text)
        let reply = try await DataFolder(arguments).perform { socket in
            try await socket.send("POST", "/v1/documents:rules/explain?app=\(app(arguments))") { json in
                if kind == "get" { json.field("get", request) } else { json.field(kind, raw: request) }
                if let source { json.field("source", source) }
                guard let uid = arguments.one("--as") else { return }
                json.key("as")
                json.beginObject()
                json.field("uid", uid)
                if let token = arguments.one("--token") { json.field("token", raw: token) }
                json.endObject()
            }
        }
        if arguments.has(.json) { return try Console.print(String(decoding: reply.json, as: UTF8.self)) }
        try show(reply)
    }

    private static func show(_ reply: ControlReply) throws {
        for step in reply["steps"]?.elements ?? [] { try Console.print("  \(step.text("line")):\(step.text("column"))  \(step.text("value"))") }
        for error in reply["errors"]?.elements ?? [] { try Console.print("  error \(error.text)") }
        let refused = (reply["refused_by"]?.elements ?? []).map { $0.text }
        if reply.text("allowed") == "true" { return try Console.print("ALLOW by \(reply.text("allowed_by"))") }
        try Console.print(refused.isEmpty ? "DENY: no statement is about it" : "DENY by \(refused.joined(separator: ", "))")
    }

    private static let denials = Command(
        "rules denials", "Counts what the statements of an app's rules allowed and denied since the daemon started, also by collection.",
        options: common
    ) { arguments in
        let reply = try await DataFolder(arguments).perform { try await $0.get("/v1/documents:denials?app=\(app(arguments))") }
        if arguments.has(.json) { return try Console.print(String(decoding: reply.json, as: UTF8.self)) }
        let statements = reply["statements"]?.elements ?? []
        try Console.print(TextTable.lines(["STATEMENT", "ALLOWED"], statements.map { [RuleCommands.place($0), $0.text("allowed")] }))
        let collections = reply["collections"]?.elements ?? []
        if !collections.isEmpty {
            let rows = collections.map { [$0.text("collection"), $0.text("allowed"), $0.text("denied")] }
            try Console.print(TextTable.lines(["COLLECTION", "ALLOWED", "DENIED"], rows))
        }
        let items = reply["items"]?.elements ?? []
        if items.isEmpty { return try Console.print("No denials.") }
        let rows = items.map { item in
            [
                item.text("last"), item.text("count"), item.text("method"), item.text("collection"), RuleCommands.place(item),
                RuleCommands.reason(item),
            ]
        }
        try Console.print(TextTable.lines(["LAST", "COUNT", "METHOD", "COLLECTION", "STATEMENT", "REASON"], rows))
    }

    private static func app(_ arguments: Arguments) -> String { arguments.required(.app).percentEncoded }
}

extension JSONWriter {
    /// Writes a member whose value is JSON that the daemon checks.
    fileprivate mutating func field(_ name: String, raw text: String) {
        key(name)
        raw(Array(text.utf8)[...])
    }

    /// Writes a value that was read as JSON5, which has numbers that JSON does not have.
    ///
    ///     Infinity   {$double: NaN}   →   {"$double": "Infinity"}   {"$double": "NaN"}
    mutating func write(_ value: JSON5Value) {
        switch value.kind {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let number) where !number.isFinite:
            beginObject()
            field("$double", JSONWriter.text(ofInfinite: number))
            endObject()
        case .number(let number):
            if let whole = Int64(exactly: number) { integer(whole) } else { real(number) }
        case .string(let text): string(text)
        case .array(let values):
            beginArray()
            for value in values { write(value) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(member.name)
                if member.name == "$double", case .number(let number) = member.value.kind, !number.isFinite {
                    string(JSONWriter.text(ofInfinite: number))
                } else {
                    write(member.value)
                }
            }
            endObject()
        }
    }

    private static func text(ofInfinite number: Double) -> String { number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity" }
}
