// SPDX-License-Identifier: Apache-2.0

import Platform

extension CommandTable {
    static let ingestd: CommandTable = CommandTable(
        program: "ingestd", about: "Signalbox takes in what apps report and keeps it; ingestd is its daemon.",
        groups: [
            CommandGroup("Running", [Serve.command, Check.command]),
            CommandGroup("Apps and keys", AppCommands.all + KeyCommands.all),
            CommandGroup("Data", [BackupCommands.backup, BackupCommands.restore, ExportCommand.command] + PersonCommands.all),
            CommandGroup("Others", [DemangleCommand.command] + TableCommands.all(of: "ingestd") { .ingestd }),
        ],
        standard: Serve.command,
        environment: [Term("INGESTD_…", "Settings in capital letters, such as INGESTD_SERVER_LISTEN; they override the configuration file.")])
}

extension Option {
    static let config = Option("--config", .text("FILE"), "The configuration, as JSON5.")
    static let data = Option("--data", .text("DIR"), "The data folder, instead of the configuration's.")
    static let app = Option("--app", .text("ID"), "The app, by id or name.")
}
