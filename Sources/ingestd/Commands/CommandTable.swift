// SPDX-License-Identifier: Apache-2.0

import Platform

extension CommandTable {
    static let ingestd: CommandTable = CommandTable(
        program: "ingestd", about: "ingestd is the daemon of Signalbox: it stores events, crashes and messages of apps and answers queries.",
        groups: [
            CommandGroup("Running", [Serve.command, Check.command, StatusCommand.command]),
            CommandGroup("Apps and keys", AppCommands.all + KeyCommands.all + [AuditCommand.command]),
            CommandGroup("Accounts", AuthCommands.all),
            CommandGroup(
                "Data",
                [BackupCommands.backup, BackupCommands.verify, BackupCommands.restore, ExportCommand.command] + PersonCommands.all + IssueCommands.all
            ),
            CommandGroup("Documents", DocumentCommands.all + DocumentSettingCommands.all),
            CommandGroup("Files", FileCommands.all),
            CommandGroup("Functions", FunctionCommands.all),
            CommandGroup("Security rules", RuleCommands.all),
            CommandGroup(
                "Others",
                [DemangleCommand.command, ResolveCommand.command, MinidumpCommand.command, ConfinedCommand.command, ConfinedWorkerCommand.command]
                    + TableCommands.all(of: "ingestd") { .ingestd }),
        ],
        standard: Serve.command,
        environment: [Term("INGESTD_…", "A setting, such as INGESTD_SERVER_LISTEN; overrides the file.")])
}

extension Option {
    static let config = Option("--config", .text("FILE"), "The configuration file (JSON5).")
    static let data = Option("--data", .text("DIR"), "The data folder, instead of the configured one.")
    static let app = Option("--app", .text("ID"), "The app, by ID or name.")
}
