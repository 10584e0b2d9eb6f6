// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// Output that commands for rules of documents and of files share.
extension RuleCommands {
    /// Prints a list of revisions, or the source of the one that `--revision` names.
    static func show(_ revisions: [ControlReply], _ arguments: Arguments, _ command: String) throws {
        if let number = arguments.one("--revision") {
            guard let revision = revisions.first(where: { $0.text("revision") == number }) else {
                throw Failure("There is no revision \(number).", hint: "`\(command)` lists all.")
            }
            return try Console.put(Array(revision.text("source").utf8))
        }
        if arguments.has(.json) { return try Console.printItems(revisions) { json, revision in json.raw(revision.json) } }
        if revisions.isEmpty { return try Console.print("No rules.") }
        let rows = revisions.map { [$0.text("revision"), $0.text("at"), author($0), "\($0.text("source").utf8.count) bytes"] }
        try Console.print(TextTable.lines(["REVISION", "SET", "BY", "SIZE"], rows))
    }

    /// The author of a revision; one of an earlier version of the daemon has none.
    ///
    ///     {"role": "admin", "key": 7}   →   admin key 7
    private static func author(_ revision: ControlReply) -> String {
        guard let author = revision["by"] else { return "unknown" }
        return author.text("role") + (author["key"].map { " key \($0.text)" } ?? "")
    }

    /// The place of the statement that decided.
    static func place(_ item: ControlReply) -> String { item["line"] == nil ? "none" : "\(item.text("line")):\(item.text("column"))" }

    /// The reason of a denial.
    static func reason(_ item: ControlReply) -> String {
        let user = item.text("signed_in") == "true" ? "" : ", not signed in"
        if item["limit"] != nil { return "limit \(item.text("limit"))" + user }
        return (item["line"] == nil ? "no statement" : item.text("failed") == "true" ? "error" : "false") + user
    }
}
