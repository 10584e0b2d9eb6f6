// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Rules

/// `ingestd files rules`, `set-rules` and `denials`: the storage rules of an app.
enum FileRuleCommands {
    static let all = [set, history, denials]

    private static let set = Command(
        "files set-rules", "Makes a file of storage rules (storage.rules) those of an app.", operands: ["FILE"], options: FileCommands.common,
        details: "They hold from the next request on; every revision is kept."
    ) { arguments in
        let source = try RuleCommands.text(arguments.operand(0))
        let made = try await DataFolder(arguments).perform { socket in
            try await socket.send("PUT", "/v1/files-rules?app=\(FileCommands.app(arguments))") { $0.field("source", source) }
        }
        if arguments.has(.json) { return try Console.print(made) }
        try Console.print("Set revision \(made.text("revision")).")
    }

    private static let history = Command(
        "files rules", "Lists the revisions of an app's storage rules, newest first.",
        options: [Option("--revision", .number("N", 1...Int64.max), "Prints the rules of this revision.")] + FileCommands.common
    ) { arguments in
        let found = try await DataFolder(arguments).perform {
            try await $0.ruleRevisions("/v1/files-rules?app=\(FileCommands.app(arguments))")
        }
        try RuleCommands.show(found, arguments, "ingestd files rules")
    }

    private static let denials = Command(
        "files denials", "Counts what the statements of an app's storage rules allowed and denied since the daemon started.",
        options: FileCommands.common
    ) { arguments in
        let reply = try await DataFolder(arguments).perform { try await $0.get("/v1/files:denials?app=\(FileCommands.app(arguments))") }
        if arguments.has(.json) { return try Console.print(reply) }
        let statements = reply["statements"]?.elements ?? []
        if !statements.isEmpty {
            try Console.print(TextTable.lines(["STATEMENT", "ALLOWED"], statements.map { [RuleCommands.place($0), $0.text("allowed")] }))
        }
        let items = reply["items"]?.elements ?? []
        if items.isEmpty { return try Console.print("No denials.") }
        let rows = items.map { [$0.text("last"), $0.text("count"), $0.text("method"), RuleCommands.place($0), RuleCommands.reason($0)] }
        try Console.print(TextTable.lines(["LAST", "COUNT", "METHOD", "STATEMENT", "REASON"], rows))
    }
}
