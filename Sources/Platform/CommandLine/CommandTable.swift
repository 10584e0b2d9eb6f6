// SPDX-License-Identifier: Apache-2.0

/// All commands of a program. Parsing, usage, help, completions and the manual are derived from this table.
package struct CommandTable: Sendable {
    package let program: String
    /// The program's description in one sentence.
    package let about: String
    package let groups: [CommandGroup]
    /// The default command. Its options may also precede the words of a command that accepts them.
    package let standard: Command
    /// The meanings of exit codes.
    package let exitCodes: String
    /// Options that many commands take; the manual tells of them once.
    package let shared: [Option]
    /// Environment variables, for the manual.
    package let environment: [Term]
    package let files: [Term]

    package init(
        program: String, about: String, groups: [CommandGroup], standard: Command, exitCodes: String = "0 done, 1 failed, 2 wrong usage",
        shared: [Option] = [], environment: [Term] = [], files: [Term] = []
    ) {
        self.program = program
        self.about = about
        self.groups = groups
        self.standard = standard
        self.exitCodes = exitCodes
        self.shared = shared
        self.environment = environment
        self.files = files
    }

    package var commands: [Command] { groups.flatMap(\.commands) }
}

/// Commands that belong together, as help shows them.
package struct CommandGroup: Sendable {
    let title: String
    let commands: [Command]

    package init(_ title: String, _ commands: [Command]) {
        (self.title, self.commands) = (title, commands)
    }
}

/// A word and what it means.
package struct Term: Sendable {
    let word: String
    let meaning: String

    package init(_ word: String, _ meaning: String) {
        (self.word, self.meaning) = (word, meaning)
    }
}
