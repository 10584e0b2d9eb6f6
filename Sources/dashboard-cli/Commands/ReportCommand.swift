// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// `report`: an HTML page with charts.
enum ReportCommand {
    private static let html = Option("--html", .text("FILE"), "The file to write; - is standard output.").required
    private static let since = Option("--since", .text("SPAN"), "The period: 24h, 30d or 4w, at most a year; default: 7d.")
    private static let force = Option("--force", .none, "Replaces FILE even if it is not a report.")

    static let command = Command(
        "report", "Writes a self-contained HTML report with charts.", options: [html, since, force] + Option.connection,
        details: """
            The page is one file without scripts: it opens offline, prints well and can be sent by mail.
            All figures are compared with the previous period. Sections that the key may not read say so.
            An earlier report is replaced, any other file only with --force. A crontab for every Monday:
              0 7 * * 1  dashboard-cli report --html report.html
            """
    ) { arguments in
        let path = arguments.required(html)
        let span = try span(arguments)
        if path != "-" { try ReportFile.check(path, force: arguments.has(force)) }
        let report = try await Report.load(DaemonClient(try Profiles.chosen(arguments)), span, now: WallClock.system.now())
        try OutputFile.write(Array(report.page.source.utf8), to: path)
        if path != "-" { try Console.print("Wrote the last \(span.name) of «\(report.app)» to \(path).") }
    }

    private static func span(_ arguments: Arguments) throws(UsageError) -> ReportSpan {
        guard let text = arguments.one(since.name) else { return .usual }
        guard let span = ReportSpan(text) else {
            throw UsageError(what: "«\(text)» is not a period for a report.", hint: "Write 24h, 7d or 4w: up to 48 hours, or up to 365 days.")
        }
        return span
    }
}
