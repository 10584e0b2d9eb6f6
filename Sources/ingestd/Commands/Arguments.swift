import Platform

/// A command's words, taken apart by its declaration.
struct Arguments: Sendable {
    private(set) var positionals: [String] = []
    private var values: [(name: String, value: String)] = []

    init(_ words: some Sequence<String>, for command: Command) throws {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                positionals.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = command.options.first(where: { $0.name == parts[0] }) else { throw Arguments.unknown(parts[0], command) }
            guard option.value != nil else {
                guard parts.count == 1 else { throw UsageError(message: "--\(option.name) takes no value.", usage: command.usage) }
                values.append((option.name, ""))
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageError(message: "--\(option.name) needs a value.", usage: command.usage)
            }
            values.append((option.name, value))
        }
        try checkCount(command)
    }

    private func checkCount(_ command: Command) throws {
        let needed = command.positionals.count
        if positionals.count < needed {
            throw UsageError(message: "\(command.positionals[positionals.count].name) is missing.", usage: command.usage)
        }
        if positionals.count > needed && command.positionals.last?.repeats != true {
            throw UsageError(message: "«\(positionals[needed])» is one word too many.", usage: command.usage)
        }
    }

    private static func unknown(_ name: String, _ command: Command) -> UsageError {
        let nearest = Spelling.nearest(to: name, among: command.options.map(\.name)).map { " Did you mean --\($0)?" } ?? ""
        return UsageError(message: "There is no option --\(name).\(nearest)", usage: command.usage)
    }

    func has(_ name: String) -> Bool {
        values.contains { $0.name == name }
    }

    /// The last value given, which wins.
    subscript(name: String) -> String? {
        values.last { $0.name == name }?.value
    }

    func all(_ name: String) -> [String] {
        values.filter { $0.name == name }.map(\.value)
    }

    func required(_ name: String, of command: String) throws -> String {
        guard let value = self[name] else { throw UsageError(message: "--\(name) is needed.", usage: "see ingestd \(command) --help") }
        return value
    }
}
