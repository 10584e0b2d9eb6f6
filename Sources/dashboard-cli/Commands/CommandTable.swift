// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

extension CommandTable {
    static let dashboard: CommandTable = CommandTable(
        program: "dashboard-cli", about: "The terminal of Signalbox: dashboard, queries, reports and checks for a daemon.",
        groups: [
            CommandGroup("Panes", PaneCommands.all),
            CommandGroup("Queries", QueryCommands.all + [TailCommand.command, CheckCommand.command, ReportCommand.command]),
            CommandGroup("Sending", [SendCommand.command, DemoCommand.command]),
            CommandGroup("Logins", LoginCommands.all + [InfoCommand.command]),
            CommandGroup("Others", TableCommands.all(of: "dashboard-cli") { .dashboard }),
        ],
        standard: PaneCommands.overview, exitCodes: ExitCode.words, shared: Option.connection,
        environment: Option.connectionEnvironment + [
            Term("NO_COLOR", "Disables colors."), Term("TERM", "With dumb, prints a snapshot instead of the live dashboard."),
        ],
        files: [Term("~/.config/signalbox/profiles.json", "The stored logins with their keys; readable only by you.")])
}
