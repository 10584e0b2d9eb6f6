// SPDX-License-Identifier: Apache-2.0

/// A parsed command line.
package enum Invocation {
    case help(String)
    case run(Command, Arguments)

    package init(_ words: [String], of table: CommandTable) throws(UsageError) {
        switch try Invocation.command(in: Invocation.unaliased(words), table) {
        case .overview: self = .help(Help(table).overview)
        case .group(let name): self = .help(Help(table).group(name))
        case .command(let command, let rest):
            var parser = ArgumentParser(command, of: table.program)
            try parser.read(rest)
            if parser.wantsHelp {
                self = .help(Help(table).of(command))
            } else {
                self = .run(command, try parser.arguments())
            }
        }
    }

    private enum Found {
        case overview
        case group(String)
        case command(Command, rest: ArraySlice<String>)
    }

    /// Rewrites `help app create` to `app create --help`, and version flags to the version command.
    private static func unaliased(_ words: [String]) -> [String] {
        let remaining = words.drop { ["help", "--help", "-h"].contains($0) }
        if remaining.count < words.count { return remaining + ["--help"] }
        return ["--version", "-V"].contains(words.first) ? ["version"] + words.dropFirst() : words
    }

    /// Returns the number of leading words that are options of a command.
    private static func leadingOptions(_ words: [String], of command: Command) -> Int {
        var rest = words[...]
        while let option = command.options.first(where: { $0.name == rest.first.map(optionName) }), let word = rest.popFirst() {
            let isComplete = word.contains("=") || !option.takesNextWord
            if !isComplete, option.standIn == nil || rest.first.flatMap({ Int64($0) }) != nil { rest = rest.dropFirst() }
        }
        return words.count - rest.count
    }

    private static func optionName(_ word: String) -> String {
        String(word.prefix { $0 != "=" })
    }

    /// Moves options before a command's words behind them; without a command they belong to the default command.
    private static func command(in words: [String], behind leading: Int, _ table: CommandTable) throws(UsageError) -> Found {
        guard words.count > leading, !words[leading].hasPrefix("-") else { return .command(table.standard, rest: words[...]) }
        let found = try command(in: Array(words[leading...]), table)
        guard case .command(let command, let rest) = found else { return found }
        return .command(command, rest: words[..<leading] + rest)
    }

    private static func command(in words: [String], _ table: CommandTable) throws(UsageError) -> Found {
        if words.first == "--help" { return .overview }
        let leading = leadingOptions(words, of: table.standard)
        guard leading == 0 else { return try command(in: words, behind: leading, table) }
        guard let first = words.first, !first.hasPrefix("-") else { return .command(table.standard, rest: words[...]) }
        let candidates = table.commands.filter { $0.path.first == first }
        guard !candidates.isEmpty else {
            throw UsageError(unknown: "command", first, known: table.commands.compactMap(\.path.first), help: "\(table.program) --help")
        }
        // `backup verify` is a command of its own beside `backup`.
        if let command = candidates.first(where: { $0.path.count > 1 && $0.path[1] == words.dropFirst().first }) {
            return .command(command, rest: words.dropFirst(2))
        }
        if let command = candidates.first(where: { $0.path.count == 1 }) { return .command(command, rest: words.dropFirst()) }
        guard words.count > 1, !words[1].hasPrefix("-") else {
            if words.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) { return .group(first) }
            let list = candidates.map { $0.path[1] }.joined(separator: ", ")
            throw UsageError(what: "`\(table.program) \(first)` needs one of \(list).", hint: "See `\(table.program) \(first) --help`.")
        }
        throw UsageError(unknown: "command", "\(first) \(words[1])", known: candidates.map(\.name), help: "\(table.program) \(first) --help")
    }
}

/// Parses the arguments after a command's words.
private struct ArgumentParser {
    private let command: Command
    private let program: String
    private var found = Arguments()
    private(set) var wantsHelp = false

    init(_ command: Command, of program: String) {
        self.command = command
        self.program = program
    }

    mutating func read(_ words: ArraySlice<String>) throws(UsageError) {
        // Help is shown even if other arguments are invalid.
        wantsHelp = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
        if wantsHelp { return }
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                found.operands += rest
                return
            }
            if word.hasPrefix("-"), word != "-" {
                try readOption(word, &rest)
            } else {
                found.operands.append(word)
            }
        }
    }

    private mutating func readOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = command.options.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
            throw UsageError(unknown: "option", parts[0], known: command.allOptions.map(\.name), help: "\(program) \(command.name) --help")
        }
        guard option.isRepeatable || found.values[option.name] == nil else { throw wrong("\(option.name) is given twice.") }
        let attached = parts.count > 1 ? parts[1] : nil
        if case .none = option.value {
            guard attached == nil else { throw wrong("\(option.name) takes no value.") }
            found.values[option.name] = []
            return
        }
        if attached == nil, let standIn = option.standIn, rest.first.flatMap({ Int64($0) }) == nil {
            found.values[option.name] = [String(standIn)]
            return
        }
        // The next option is not taken as a missing value; a value that begins with dashes is written after `=`.
        let next = rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
        guard let value = attached ?? next, !value.isEmpty else { throw wrong("\(option.name) needs a value: \(option.form).") }
        if attached == nil { rest = rest.dropFirst() }
        try check(value, for: option)
        found.values[option.name, default: []].append(value)
    }

    private func check(_ value: String, for option: Option) throws(UsageError) {
        switch option.value {
        case .none, .text: return
        case .number(_, let range):
            guard let number = Int64(value), range.contains(number) else {
                throw wrong("\(option.name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
            }
        case .choice(let words):
            guard words.contains(value) else { throw wrong("\(option.name) must be one of \(words.joined(separator: ", ")).") }
        }
    }

    func arguments() throws(UsageError) -> Arguments {
        let expected = command.operands
        let takesMore = expected.last?.hasSuffix("…") ?? false
        if found.operands.count < expected.count, !expected[found.operands.count].hasPrefix("[") {
            throw wrong("\(expected[found.operands.count]) is missing.")
        }
        if found.operands.count > expected.count, !takesMore { throw wrong("Unexpected argument «\(found.operands[expected.count])».") }
        if let empty = zip(expected, found.operands).first(where: \.1.isEmpty) { throw wrong("\(empty.0) is empty.") }
        for (name, word) in zip(expected, found.operands) where name.contains("|") {
            let words = name.split(separator: "|").map(String.init)
            guard words.contains(word) else { throw wrong("«\(word)» must be one of \(words.joined(separator: ", ")).") }
        }
        if let missing = command.options.first(where: { $0.isRequired && !found.values.keys.contains($0.name) }) {
            throw wrong("\(missing.form) is missing.")
        }
        return found
    }

    private func wrong(_ what: String) -> UsageError {
        UsageError(what: what, hint: "See `\(program) \(command.name) --help`.")
    }
}

extension UsageError {
    fileprivate init(unknown kind: String, _ word: String, known: [String], help: String) {
        let nearest = Spelling.nearest(to: word, among: known)
        what = "There is no \(kind) «\(word)»." + (nearest.map { " Did you mean \($0)?" } ?? "")
        hint = "See `\(help)`."
    }
}
