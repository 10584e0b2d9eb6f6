// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd issues regroup`.
enum IssueCommands {
    static let all = [regroup]

    private static let dryRun = Option("--dry-run", .none, "Shows what would change, and changes nothing.")
    /// Up to two hundred issues with a thousand reports each.
    private static let patience = Duration.seconds(3_600)

    private static let regroup = Command(
        "issues regroup", "Divides the issues of an app by the newest grouping rule.",
        options: [.app.required, dryRun, .data, .config, .json],
        details: """
            Each issue is divided in one transaction. The largest part keeps the issue's ID, state, notes and older counts; others become issues \
            of their own or join the issue that has them already. Merges and splits by users remain. No alerts are sent. An interrupted run can \
            be repeated.
            """
    ) { arguments in
        var (items, after): ([ControlReply], String?) = ([], nil)
        repeat {
            let target = target(arguments, after)
            let page = try await DataFolder(arguments).perform { try await $0.send("POST", target, timeout: patience) { _ in } }
            items += page["items"]?.elements ?? []
            after = page["next"]?.text
        } while after != nil
        if arguments.has(.json) { return try Console.printItems(items) { json, item in json.raw(item.json) } }
        try Console.print(items.isEmpty ? "No issue changes." : items.flatMap(lines).joined(separator: "\n"))
        if arguments.has(dryRun), !items.isEmpty { try Console.print("\nNothing was changed; run without --dry-run to do it.") }
    }

    private static func target(_ arguments: Arguments, _ after: String?) -> String {
        "/v1/issues/regroup?app=\(arguments.required(.app).percentEncoded)" + (arguments.has(dryRun) ? "&dry_run=true" : "")
            + (after.map { "&after=\($0)" } ?? "")
    }

    private static func lines(_ issue: ControlReply) -> [String] {
        ["\(issue.text("id"))  \(issue.text("title"))"]
            + (issue["parts"]?.elements ?? []).map { part in
                let place = part["is_new"]?.text == "true" ? "new issue \(part.text("issue"))" : "moves to \(part.text("issue"))"
                return "    \(part.text("reports")) reports: \(part.text("title")) in \(part.text("culprit")) → \(place)"
            }
    }
}
