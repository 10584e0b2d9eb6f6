// SPDX-License-Identifier: Apache-2.0

/// The commands for help, completions, manual and version.
package enum TableCommands {
    /// The table is passed lazily, because it contains these commands.
    package static func all(of program: String, _ table: @escaping @Sendable () -> CommandTable) -> [Command] {
        [completions(program, table), man(program, table), version(program)]
    }

    private static func completions(_ program: String, _ table: @escaping @Sendable () -> CommandTable) -> Command {
        Command(
            "completions", "Prints a shell completion script.",
            operands: [Completions.Shell.allCases.map(\.rawValue).joined(separator: "|")],
            details: """
                For bash, a line of ~/.bashrc: source <(\(program) completions bash)
                For zsh, a line of ~/.zshrc behind compinit: source <(\(program) completions zsh)
                For fish: \(program) completions fish >~/.config/fish/completions/\(program).fish
                """
        ) { arguments in
            guard let shell = Completions.Shell(rawValue: arguments.operand(0)) else { return }
            try Console.print(Completions(table()).script(for: shell))
        }
    }

    private static func man(_ program: String, _ table: @escaping @Sendable () -> CommandTable) -> Command {
        Command("man", "Prints the manual page.", details: "To read it: \(program) man | man -l -") { _ in
            try Console.print(ManPage(table()).text)
        }
    }

    private static func version(_ program: String) -> Command {
        Command("version", "Prints the version.") { _ in
            try Console.print("\(program) \(Version.current)")
        }
    }
}
