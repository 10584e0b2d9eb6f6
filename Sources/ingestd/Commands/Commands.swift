/// Every command there is, in the order of the help.
enum Commands {
    static let all: [Command] =
        [ServeCommand.command, CheckCommand.command] + AppCommands.all + KeyCommands.all + BackupCommands.all + [ExportCommand.command, version]

    private static let version = Command(words: ["version"], summary: "Prints the version.") { _ in print("ingestd \(Version.current)") }

    /// Finds the command of a command line and runs it.
    static func run(_ words: [String]) async throws {
        if words == ["--version"] { return print("ingestd \(Version.current)") }
        if words == ["--help"] || words == ["help"] { return print(help) }
        if let command = command(of: words) {
            let rest = words.dropFirst(words.first.map { $0.hasPrefix("-") } ?? true ? 0 : command.words.count)
            if rest.contains("--help") { return print(command.help) }
            return try await command.run(try Arguments(rest, for: command))
        }
        let group = all.filter { $0.words.first == words.first }
        if !group.isEmpty {
            let list = group.map { "  \($0.usage)" }.joined(separator: "\n")
            if words.dropFirst() == ["--help"] { return print(list) }
            throw UsageError(message: "«\(words[0])» needs one of its commands.", usage: "\n" + list)
        }
        throw UsageError(message: "There is no command «\(words.first ?? "")».", usage: "ingestd --help lists the commands")
    }

    /// Without a command's name, as in `ingestd --config FILE`, it is `serve`.
    private static func command(of words: [String]) -> Command? {
        if words.first?.hasPrefix("-") ?? true { return ServeCommand.command }
        return all.first { words.starts(with: $0.words) }
    }

    private static var help: String {
        let width = all.map { $0.words.joined(separator: " ").count }.max() ?? 0
        let list = all.map { "  " + $0.words.joined(separator: " ").padded(to: width) + "  " + $0.summary }
        return """
            Signalbox's daemon: takes in events, keeps them, and answers questions about them.

            Usage: ingestd [COMMAND] [OPTIONS]

            \(list.joined(separator: "\n"))

            Without a command it serves. `ingestd COMMAND --help` says more. Exit codes: 0 done, 1 failed, 2 wrong usage.
            """
    }
}
