// SPDX-License-Identifier: Apache-2.0

import API
import Panes
import Platform
import Terminal

/// `live`: the pane on a terminal, the lines of `tail` for programs.
enum LiveCommand {
    private static let watch = Option("--watch", .none, "With --since: continues with new events.")

    static let command = Command(
        "live", "Events, quarantined events and crashes as they arrive.",
        options: [.since] + Format.options + [watch] + PanePicture.options + Display.options + [Display.mouse] + Option.connection,
        details: """
            On a terminal it opens the live dashboard. Otherwise, or with --plain, --json, --csv or --since, it prints a line for each event, \
            as `dashboard-cli tail` does. With --since it first prints earlier events, and then ends unless --watch is set.
            """
    ) { arguments in
        let range = try arguments.since()
        let format = try Format(arguments)
        let client = DaemonClient(try Profiles.chosen(arguments))
        let (shell, options) = (DashboardShell(client, Display(arguments)), ViewOptions(range: range ?? .hour))
        if let picture = try PanePicture(arguments) {
            guard range == nil else {
                throw UsageError(what: "--since does not apply to a picture of the live pane.", hint: "It shows the newest events.")
            }
            return try await picture.write(shell, options, at: "live")
        }
        if format == nil, range == nil, !arguments.has(watch), PaneCommands.isLive { return try await PaneCommands.open(shell, options, at: "live") }
        let output = try await TailCommand.output(arguments, client)
        try await UntilInterrupted.run {
            // Read before the export, so that events during the export are not lost.
            output.goOn(behind: try await TailCommand.newest(client))
            if let range { try await printPast(range, client, output) }
            if range == nil || arguments.has(watch) { try await TailCommand.follow(ReadRequest("/v1/tail"), client, output) }
        }
    }

    private static let patience = Duration.seconds(60)

    private static func printPast(_ range: ViewRange, _ client: DaemonClient, _ output: TailOutput) async throws {
        let lines = EventLines()
        try await client.stream(ReadRequest("/v1/export", [("from", "-\(range.text)")]), patience: patience) { bytes in
            let events = try lines.take(bytes)
            if let last = events.last, let event = try? EventResponse(response: Array(last.data.utf8)) { output.goOn(behind: String(event.seq)) }
            try output.put(events)
        }
    }
}
