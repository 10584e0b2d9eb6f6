// SPDX-License-Identifier: Apache-2.0

/// One line of the command table: what may be typed, what it means, and what is done.
package struct Command: Sendable {
    /// Its words, as in `app create`.
    package let path: [String]
    package let summary: String
    /// Names of what stands without a dash, in order; a last one that ends in `…` is given once or more, one in brackets may be left out,
    /// and of `a|b` it is one of the words.
    package let operands: [String]
    package let options: [Option]
    /// More for the help, where a sentence is not enough.
    package let details: String
    package let run: @Sendable (Arguments) async throws -> Void

    package init(
        _ words: String, _ summary: String, operands: [String] = [], options: [Option] = [], details: String = "",
        run: @escaping @Sendable (Arguments) async throws -> Void
    ) {
        path = words.split(separator: " ").map(String.init)
        self.summary = summary
        self.operands = operands
        self.options = options
        self.details = details
        self.run = run
    }

    package var name: String { path.joined(separator: " ") }

    /// All options it takes, with the one that every command has.
    package var allOptions: [Option] { options + [.help] }
}

/// Something that begins with two dashes.
package struct Option: Sendable {
    package enum Value: Sendable {
        case none
        case text(String)
        case number(String, ClosedRange<Int64>)
        case choice([String])
    }

    package let name: String
    package let value: Value
    package let meaning: String
    package private(set) var isRequired = false
    package private(set) var isRepeatable = false
    /// The number that is meant where none follows.
    package private(set) var standIn: Int64?

    package init(_ name: String, _ value: Value = .none, _ meaning: String) {
        self.name = name
        self.value = value
        self.meaning = meaning
    }

    package var required: Option {
        var option = self
        option.isRequired = true
        return option
    }

    package var repeatable: Option {
        var option = self
        option.isRepeatable = true
        return option
    }

    package func standingAlone(for number: Int64) -> Option {
        var option = self
        option.standIn = number
        return option
    }

    /// Whether a word follows that belongs to it, where it is not written behind `=`.
    var takesNextWord: Bool {
        if case .none = value { return false }
        return true
    }

    /// As it is typed, in usage and help.
    package var form: String {
        switch value {
        case .none: name
        case .text(let word), .number(let word, _): standIn == nil ? "\(name) \(word)" : "\(name) [\(word)]"
        case .choice(let words): "\(name) \(words.joined(separator: "|"))"
        }
    }
}

extension Option {
    package static let help = Option("--help", .none, "Shows this.")
    package static let json = Option("--json", .none, "Prints JSON.")
}

/// What was typed behind a command's words, checked against its line of the table.
package struct Arguments: Sendable {
    package var operands: [String] = []
    package var values: [String: [String]] = [:]

    package init() {}

    package func has(_ option: Option) -> Bool { values[option.name] != nil }
    package func all(_ name: String) -> [String] { values[name] ?? [] }
    package func one(_ name: String) -> String? { values[name]?.first }

    /// For what the parser has made sure of.
    package func required(_ option: Option) -> String { one(option.name) ?? "" }
    package func operand(_ index: Int) -> String { operands.indices.contains(index) ? operands[index] : "" }
}

/// Something was typed that has no meaning here.
package struct WrongUsage: Error {
    package let what: String
    package let hint: String

    package init(what: String, hint: String) {
        self.what = what
        self.hint = hint
    }
}
