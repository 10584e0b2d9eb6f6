// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import AcrossStores

/// `ingestd user-data`, `erase`, `anonymise` and `unblock`.
enum PersonCommands {
    static let all = [userData, erase, anonymise, unblock]

    private static let person = [
        Option.app.required, Option("--user", .text("ID"), "The user ID."),
        Option("--installation", .text("ID"), "The installation ID."),
    ]
    private static let folder = [Option.data, Option.config]
    private static let dryRun = Option("--dry-run", .none, "Counts the data that would be removed, and removes nothing.")
    private static let block = Option("--block", .none, "Also blocks further data of this user until `unblock`.")
    /// Every file is searched, which may take long.
    private static let patience = Duration.seconds(86_400)

    private static let userData = Command(
        "user-data", "Writes all data of a user to standard output, as one JSON document.", options: person + folder
    ) {
        arguments in
        let target = try target(arguments, "/export")
        try await DataFolder(arguments).perform { try await $0.stream(target) { try Console.put($0) } }
    }

    private static let erase = Command(
        "erase", "Removes all data of a user and recounts the affected figures.",
        options: person + [dryRun, block] + folder + [.json],
        details: "Installations that belong to no other user are erased too. Data that arrives meanwhile may remain, unless --block is given."
    ) { arguments in
        let flags = [(dryRun, "dry_run"), (block, "block")].filter { arguments.has($0.0) }.map { "&\($0.1)=true" }.joined()
        let target = try target(arguments, "") + flags
        let report = try await DataFolder(arguments).perform { try await $0.send("DELETE", target, timeout: patience) { _ in } }
        try print(report, arguments.has(dryRun) ? "Would remove" : "Removed", arguments)
        if !arguments.has(.json) { try await warnOfDocuments(report, arguments) }
    }

    private static let anonymise = Command(
        "anonymise", "Removes the identifiers from all data of a user; no count changes.", options: person + [dryRun] + folder + [.json]
    ) { arguments in
        let target = try target(arguments, "/anonymise") + (arguments.has(dryRun) ? "&dry_run=true" : "")
        let report = try await DataFolder(arguments).perform { try await $0.send("POST", target, timeout: patience) { _ in } }
        try print(report, arguments.has(dryRun) ? "Would anonymise" : "Anonymised", arguments)
        if !arguments.has(.json) { try await warnOfDocuments(report, arguments) }
    }

    private static let unblock = Command("unblock", "Accepts data again of a user erased with --block.", options: person + folder) {
        arguments in
        let target = try target(arguments, "/block")
        try await DataFolder(arguments).perform { try await $0.delete(target) }
        try Console.print("Unblocked.")
    }

    private static func target(_ arguments: Arguments, _ rest: String) throws -> String {
        let named = ["user", "installation"].compactMap { kind in arguments.one("--\(kind)").map { (kind, $0) } }
        guard named.count == 1, let (kind, id) = named.first else {
            throw UsageError(what: "Give either --user or --installation.", hint: "See --help.")
        }
        return "/v1/users/\(id.percentEncoded)\(rest)?app=\(arguments.required(.app).percentEncoded)&by=\(kind)"
    }

    /// Warns if the app has documents, and nothing says which of them belong to persons.
    private static func warnOfDocuments(_ report: ControlReply, _ arguments: Arguments) async throws {
        if report.text("documents") != "0" { return }
        let target = "/v1/documents:statistics?app=\(arguments.required(.app).percentEncoded)"
        let found = try await DataFolder(arguments).perform { try await $0.get(target) }
        if found.text("documents") == "0" || found.text("person_patterns") != "0" { return }
        try Console.print(
            "warning: no patterns say which documents belong to persons, so all \(found.text("documents")) stay; set some with "
                + "`ingestd documents persons FILE`")
    }

    private static func print(_ report: ControlReply, _ verb: String, _ arguments: Arguments) throws {
        if arguments.has(.json) { return try Console.print(report) }
        let names = [
            "events", "purchases", "quarantined", "properties", "pairs", "days", "installations", "registrations", "deliveries", "crashes",
            "accounts", "documents", "files", "runs",
        ]
        try Console.print("\(verb):\n\(TextTable.lines(names.map { [$0, report.text($0)] }))")
    }
}
