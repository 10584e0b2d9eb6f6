// SPDX-License-Identifier: Apache-2.0

/// A command: its words, arguments, options, help and action.
package struct Command: Sendable {
    /// The command's words, such as `app create`.
    package let path: [String]
    package let summary: String
    /// Positional arguments in order. A last one ending in `…` may repeat, one in brackets is optional, and `a|b` accepts one of the words.
    package let operands: [String]
    package let options: [Option]
    /// Additional help text.
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

    /// The options of help, completions and manual.
    var shownOptions: [Option] { options.filter { !$0.isHidden } }

    /// The shown options, including the common ones.
    var allOptions: [Option] { shownOptions + [.help] }
}

/// An option such as `--config FILE`.
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
    private(set) var isRequired = false
    private(set) var isRepeatable = false
    /// Whether help leaves the option out, because the command only says where it applies.
    private(set) var isHidden = false
    /// The short form, such as `-f`.
    private(set) var short: String?
    /// The default of a numeric option.
    private(set) var standIn: Int64?

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

    package var hidden: Option {
        var option = self
        option.isHidden = true
        return option
    }

    package func orShort(_ name: String) -> Option {
        var option = self
        option.short = name
        return option
    }

    package func standingAlone(for number: Int64) -> Option {
        var option = self
        option.standIn = number
        return option
    }

    /// Whether the option takes a value, as the next word or after `=`.
    var takesNextWord: Bool {
        if case .none = value { return false }
        return true
    }

    /// The form in usage and help.
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

/// The validated arguments of a command.
package struct Arguments: Sendable {
    package var operands: [String] = []
    package var values: [String: [String]] = [:]

    package init() {}

    package func has(_ option: Option) -> Bool { values[option.name] != nil }
    package func all(_ name: String) -> [String] { values[name] ?? [] }
    package func one(_ name: String) -> String? { values[name]?.first }

    /// Returns a required value, whose presence the parser has checked.
    package func required(_ option: Option) -> String { one(option.name) ?? "" }
    package func operand(_ index: Int) -> String { operands.indices.contains(index) ? operands[index] : "" }
}

/// A usage error.
package struct UsageError: Error {
    package let what: String
    package let hint: String

    package init(what: String, hint: String) {
        self.what = what
        self.hint = hint
    }
}
