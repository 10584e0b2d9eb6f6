import Platform

extension CommandTable {
    static let dashboard = CommandTable(
        program: "dashboard-cli", about: "The operator's terminal of Signalbox: shows what apps report to a daemon.",
        commands: [OverviewCommand.command, TailCommand.command] + QueryCommands.all + LoginCommands.all + [
            ReportCommand.command, SendCommand.command, DemoCommand.command, VersionCommand.command,
        ],
        standard: OverviewCommand.command, exitCodes: ExitCode.words)
}

extension Option {
    static let profile = Option("--profile", .text("NAME"), "The login to use, where there are more than one.")
    static let plain = Option("--plain", .none, "Prints plain text, also on a terminal.")
    static let csv = Option("--csv", .none, "Prints comma-separated values.")
}

enum VersionCommand {
    static let command = Command("version", "Says which version this is.") { _ in
        try Console.print("dashboard-cli \(Version.current)")
    }
}
