// SPDX-License-Identifier: Apache-2.0

/// Shell completion scripts, derived from the command table.
package struct Completions {
    package enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    package func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    // MARK: What there is

    /// A completion with its description.
    struct Candidate {
        let word: String
        let meaning: String
    }

    /// The completions after command words, of which there may be none.
    struct Place {
        let words: String
        let candidates: [Candidate]
    }

    /// The completions of an option's value.
    struct Value {
        enum Kind {
            case choice([String])
            case file
            case free
        }

        let words: String
        let option: String
        let kind: Kind
    }

    var places: [Place] {
        let groups = Set(table.commands.filter { $0.path.count > 1 }.map { $0.path[0] }).sorted()
        return [Place(words: "", candidates: firstWords + Completions.candidates(of: table.standard))]
            + groups.map { group in Place(words: group, candidates: secondWords(of: group)) }
            + table.commands.map { Place(words: $0.name, candidates: Completions.candidates(of: $0)) }
    }

    private var firstWords: [Candidate] {
        var seen: Set<String> = []
        return table.commands.filter { seen.insert($0.path[0]).inserted }.map { command in
            command.path.count == 1
                ? Candidate(word: command.name, meaning: command.summary)
                : Candidate(word: command.path[0], meaning: secondWords(of: command.path[0]).map(\.word).joined(separator: ", "))
        }
    }

    private func secondWords(of group: String) -> [Candidate] {
        table.commands.filter { $0.path.count > 1 && $0.path[0] == group }.map { Candidate(word: $0.path[1], meaning: $0.summary) }
    }

    private static func candidates(of command: Command) -> [Candidate] {
        let words = command.operands.filter { $0.contains("|") }.flatMap { $0.split(separator: "|") }
        return words.map { Candidate(word: String($0), meaning: "") }
            + command.allOptions.map { Candidate(word: $0.name, meaning: $0.meaning) }
    }

    /// The options with values, after command words; without words those of the default command.
    var values: [Value] {
        ([("", table.standard)] + table.commands.map { ($0.name, $0) }).flatMap { words, command in
            command.options.filter { $0.takesNextWord && $0.standIn == nil }.map { Value(words: words, option: $0.name, kind: $0.completion) }
        }
    }

    /// Options whose next word is a value and not a command.
    var optionsWithValue: [String] { Set(values.map(\.option)).sorted() }

    /// All prefixes of a command's words.
    var commandWords: [String] { Set(table.commands.flatMap { [$0.path[0], $0.name] }).sorted() }

    /// The name of a shell function.
    var function: String { "_" + String(table.program.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }

    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension Option {
    fileprivate var completion: Completions.Value.Kind {
        switch value {
        case .choice(let words): .choice(words)
        case .text("FILE"), .text("DIR"): .file
        case .none, .number, .text: .free
        }
    }
}
