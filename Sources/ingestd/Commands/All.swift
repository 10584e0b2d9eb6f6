extension Command {
    /// Every command there is; parsing, usage and help all come from this table.
    static let all: [Command] =
        [Serve.command, Check.command] + AppCommands.all + KeyCommands.all + [BackupCommands.backup, BackupCommands.restore]
        + [ExportCommand.command, VersionCommand.command]

    /// What is done where no command is named.
    static let standard = Serve.command
}

enum VersionCommand {
    static let command = Command("version", "Says which version this is.") { _ in
        try Terminal.print("ingestd \(Version.current)")
    }
}
