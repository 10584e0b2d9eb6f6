/// One line of the command table: what may be typed, what it means, and what is done.
struct Command: Sendable {
    /// Its words, as in `app create`.
    let path: [String]
    let summary: String
    /// Names of what stands without a dash, in order; a last one that ends in `…` is given once or more.
    let operands: [String]
    let options: [Option]
    /// More for the help, where a sentence is not enough.
    let details: String
    let run: @Sendable (Arguments) async throws -> Void

    init(
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

    var name: String { path.joined(separator: " ") }

    /// All options it takes, with the one that every command has.
    var allOptions: [Option] { options + [.help] }
}

/// Something that begins with two dashes.
struct Option: Sendable {
    enum Value: Sendable {
        case none
        case text(String)
        case number(String, ClosedRange<Int64>)
        case choice([String])
    }

    let name: String
    let value: Value
    let meaning: String
    var isRequired = false
    var isRepeatable = false

    init(_ name: String, _ value: Value = .none, _ meaning: String) {
        self.name = name
        self.value = value
        self.meaning = meaning
    }

    var required: Option {
        var option = self
        option.isRequired = true
        return option
    }

    var repeatable: Option {
        var option = self
        option.isRepeatable = true
        return option
    }

    /// As it is typed, in usage and help.
    var form: String {
        switch value {
        case .none: name
        case .text(let word), .number(let word, _): "\(name) \(word)"
        case .choice(let words): "\(name) \(words.joined(separator: "|"))"
        }
    }
}

extension Option {
    static let help = Option("--help", "Shows this.")
    static let json = Option("--json", "Prints JSON.")
    static let config = Option("--config", .text("FILE"), "The configuration, as JSON5.")
    static let data = Option("--data", .text("DIR"), "The data folder, instead of the configuration's.")
    static let app = Option("--app", .text("ID"), "The app, by id or name.")

    private init(_ name: String, _ meaning: String) {
        self.init(name, .none, meaning)
    }
}

/// What was typed behind a command's words, checked against its line of the table.
struct Arguments: Sendable {
    var operands: [String] = []
    var values: [String: [String]] = [:]

    func has(_ option: Option) -> Bool { values[option.name] != nil }
    func all(_ name: String) -> [String] { values[name] ?? [] }
    func one(_ name: String) -> String? { values[name]?.first }

    /// For what the parser has made sure of.
    func required(_ option: Option) -> String { one(option.name) ?? "" }
    func operand(_ index: Int) -> String { operands.indices.contains(index) ? operands[index] : "" }
}

/// Something was typed that has no meaning here.
struct WrongUsage: Error {
    let what: String
    let hint: String
}
