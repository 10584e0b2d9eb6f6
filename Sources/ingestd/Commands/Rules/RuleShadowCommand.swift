// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Rules

/// `ingestd rules shadow` for candidate rules that decide beside those of an app.
enum RuleShadowCommand {
    private static let stop = Option("--stop", .none, "Ends the candidate and forgets the counts.")

    static let command = Command(
        "rules shadow", "Lets candidate rules decide beside those of an app for a while, without effect, and shows where they differ.",
        operands: ["[FILE]"],
        options: [
            Option("--hours", .number("N", 1...168), "The time for which the candidate decides; 24 without it."),
            stop, Option.app.required, .data, .config, .json,
        ],
        details: """
            With FILE it begins, without it the requests are counted on which both differ: the collection, the method and the statements, no \
            values. The daemon must run, and its end ends the candidate, too.
            """
    ) { arguments in
        let target = "/v1/documents:rules/shadow?app=\(arguments.required(.app).percentEncoded)"
        let (file, folder) = (arguments.operands.first, try DataFolder(arguments))
        if arguments.has(stop) {
            guard file == nil else { throw UsageError(what: "--stop takes no FILE.", hint: "A FILE begins a candidate.") }
            let last = try await folder.performBesideDaemon { try await $0.get(target) }
            try await folder.performBesideDaemon { try await $0.delete(target) }
            return try show(last, arguments, isStopped: true)
        }
        guard file != nil || arguments.one("--hours") == nil else {
            throw UsageError(what: "--hours needs a FILE with the candidate.", hint: "Begin it again to change its time.")
        }
        guard let file else { return try show(try await folder.performBesideDaemon { try await $0.get(target) }, arguments) }
        let source = try RuleCommands.text(file)
        for warning in try RuleCommands.rules(file, source).warnings { try Console.print("warning: \(file):\(warning)") }
        let begun = try await folder.performBesideDaemon { socket in
            try await socket.send("POST", target) { json in
                json.field("source", source)
                if let hours = arguments.one("--hours").flatMap({ Int($0) }) { json.field("hours", hours) }
            }
        }
        if arguments.has(.json) { return try Console.print(String(decoding: begun.json, as: UTF8.self)) }
        try Console.print("The candidate decides beside the rules until \(begun.text("until")).")
    }

    private static func show(_ reply: ControlReply, _ arguments: Arguments, isStopped: Bool = false) throws {
        if arguments.has(.json) { return try Console.print(String(decoding: reply.json, as: UTF8.self)) }
        guard reply["since"] != nil else { return try Console.print("No candidate.") }
        let (compared, skipped) = (reply.text("compared"), reply.text("skipped"))
        let time = isStopped ? "Stopped" : "\(reply.text("active") == "true" ? "Until" : "Ended at") \(reply.text("until"))"
        try Console.print("\(time): \(compared) compared, \(skipped) skipped.")
        try Console.print("Newly allowed: \(reply.text("newly_allowed")). Newly denied: \(reply.text("newly_denied")).")
        let items = reply["items"]?.elements ?? []
        if items.isEmpty { return try Console.print("No differences.") }
        let rows = items.map { item in
            [
                item.text("last"), item.text("count"), item.text("method"), item.text("collection"), item.text("signed_in") == "true" ? "yes" : "no",
                item.text("candidate") + (item.text("failed") == "true" ? " (error)" : ""), item["by"]?.text ?? "none",
                item["candidate_by"]?.text ?? "none",
            ]
        }
        try Console.print(TextTable.lines(["LAST", "COUNT", "METHOD", "COLLECTION", "USER", "CANDIDATE", "RULES BY", "CANDIDATE BY"], rows))
    }
}
