/// One command: how it is called, what it says of itself, and what it does. Parsing, usage and help all come from this.
struct Command: Sendable {
    struct Positional: Sendable {
        let name: String
        var repeats = false
    }

    struct Option: Sendable {
        let name: String
        /// What stands for its value in the help; nil for a switch.
        let value: String?
        let help: String
    }

    /// The words that choose it, as in `app create`.
    let words: [String]
    var positionals: [Positional] = []
    var options: [Option] = []
    let summary: String
    let run: @Sendable (Arguments) async throws -> Void

    var usage: String {
        let places = positionals.map { $0.repeats ? "\($0.name)…" : $0.name }
        let flags = options.map { option in option.value.map { "[--\(option.name) \($0)]" } ?? "[--\(option.name)]" }
        return (["ingestd"] + words + places + flags).joined(separator: " ")
    }

    var help: String {
        var lines = [summary, "", "Usage: \(usage)"]
        if !options.isEmpty { lines += ["", "Options:"] }
        let names = options.map { "--\($0.name)" + ($0.value.map { " \($0)" } ?? "") }
        let width = names.map(\.count).max() ?? 0
        for (option, name) in zip(options, names) {
            lines.append("  " + name.padded(to: width) + "  " + option.help)
        }
        return lines.joined(separator: "\n")
    }
}

/// A command line that does not fit; the process ends with 2.
struct UsageError: Error {
    let message: String
    let usage: String
}

/// Something that could not be done; the process ends with 1.
struct CommandFailure: Error {
    let message: String
    var hint: String?
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
