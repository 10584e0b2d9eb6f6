// SPDX-License-Identifier: Apache-2.0

package import Platform

extension Condition {
    package static let mostTopics = 5
    /// The maximum length. It covers five topics with names of maximum length.
    package static let mostBytes = 5_000

    package init(_ text: String) throws(Refusal) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Condition.mostBytes else {
            throw .field(
                "condition", "too_long", "may have at most \(Condition.mostBytes) bytes", hint: "Use one topic that replaces several.")
        }
        try self.init(bytes, mostDepth: ConditionParser.mostDepth)
    }

    /// Reads a condition written by `description`, which may exceed the length limit and has additional parentheses around a negated topic.
    package init(stored text: String) throws(Refusal) {
        try self.init(Array(text.utf8), mostDepth: ConditionParser.mostDepth + 1)
    }

    private init(_ bytes: [UInt8], mostDepth: Int) throws(Refusal) {
        var parser = ConditionParser(bytes, mostDepth: mostDepth)
        let term = try parser.parse()
        self.init(topics: parser.topics, term: term)
    }
}

/// A recursive-descent parser for conditions. All accepted characters are ASCII, so byte and character positions are equal.
///
///     'a' in topics && ('b' in topics || !('c' in topics))
///       terms(&&)
///         topic a
///         terms(||)
///           topic b
///           not topic c
///
/// `&&` and `||` may not be mixed without parentheses.
struct ConditionParser {
    /// The maximum nesting of parentheses, and thereby of recursion.
    static let mostDepth = 20

    let bytes: [UInt8]
    private let mostDepth: Int
    private(set) var at = 0
    private(set) var topics: [TopicName] = []

    init(_ bytes: [UInt8], mostDepth: Int) {
        self.bytes = bytes
        self.mostDepth = mostDepth
    }

    mutating func parse() throws(Refusal) -> Condition.Term {
        skipSpace()
        guard at < bytes.count else { throw fault("empty", at, "is empty", hint: "Example: \(Self.example).") }
        let term = try terms(depth: 0)
        guard at == bytes.count else { throw strayEnd() }
        return term
    }

    /// Reads terms joined by one operator, up to a closing parenthesis or the end.
    private mutating func terms(depth: Int) throws(Refusal) -> Condition.Term {
        let start = at
        var last = at
        var parts = [try term(depth: depth)]
        var op: Operator?
        while let next = nextOperator() {
            if let op, op != next { throw mixed(start, last, op, next) }
            op = next
            at += 2
            skipSpace()
            last = at
            parts.append(try term(depth: depth))
        }
        return op?.joined(parts) ?? parts[0]
    }

    /// Reads a topic or terms in parentheses, after any number of exclamation marks. Two of them cancel out.
    private mutating func term(depth: Int) throws(Refusal) -> Condition.Term {
        var isNegated = false
        while take("!") { isNegated.toggle() }
        let term = peek == UInt8(ascii: "(") ? try enclosed(depth: depth + 1) : .topic(try topic())
        guard isNegated else { return term }
        if case .not(let inner) = term { return inner }
        return .not(term)
    }

    private mutating func enclosed(depth: Int) throws(Refusal) -> Condition.Term {
        let opening = at
        guard depth <= mostDepth else {
            throw fault("too_deep", opening, "nests parentheses more than \(mostDepth) deep", hint: "Remove redundant parentheses.")
        }
        _ = take("(")
        let term = try terms(depth: depth)
        guard take(")") else {
            guard at == bytes.count else { throw strayEnd() }
            throw fault("unclosed_parenthesis", opening, "has a parenthesis that is never closed", hint: "Close it with ).")
        }
        return term
    }

    /// Reads `'name' in topics`.
    private mutating func topic() throws(Refusal) -> Int {
        let opening = at
        guard peek == UInt8(ascii: "'") else { throw expected("a topic in single quotes", hint: "Example: \(Self.example).") }
        at += 1
        let name = try nameToQuote(opening)
        try word("in")
        try word("topics")
        return try index(of: name, at: opening)
    }

    private mutating func nameToQuote(_ opening: Int) throws(Refusal) -> TopicName {
        let start = at
        if peek == UInt8(ascii: "$") {
            throw fault("reserved_topic", at, "names a reserved topic", hint: "Topics that begin with $ belong to the daemon.")
        }
        while let byte = peek, TopicName.isCharacter(byte) { at += 1 }
        guard let end = peek else { throw fault("unclosed_quote", opening, "has a quote that is never closed", hint: "Close it with '.") }
        guard end == UInt8(ascii: "'") else {
            throw fault("bad_topic", at, "has a character that is not allowed in a topic", hint: "Allowed characters: a-z A-Z 0-9 - _ . ~ %.")
        }
        guard let name = try? TopicName(String(decoding: bytes[start..<at], as: UTF8.self)) else {
            throw fault(
                "bad_topic", opening, "names a topic that is empty or longer than \(TopicName.longest) characters", hint: "Use an existing topic.")
        }
        at += 1
        skipSpace()
        return name
    }

    private mutating func index(of name: TopicName, at opening: Int) throws(Refusal) -> Int {
        if let index = topics.firstIndex(of: name) { return index }
        guard topics.count < Condition.mostTopics else {
            throw fault(
                "too_many_topics", opening, "names more than \(Condition.mostTopics) topics", hint: "Use one topic that replaces several.")
        }
        topics.append(name)
        return topics.count - 1
    }
}

// MARK: - Words and positions

extension ConditionParser {
    private static let example = "'news' in topics && !('sport' in topics)"

    var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0d).contains(byte) { at += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: sign) else { return false }
        at += 1
        skipSpace()
        return true
    }

    private mutating func word(_ word: String) throws(Refusal) {
        let end = at + word.utf8.count
        guard bytes[at...].starts(with: word.utf8), end == bytes.count || !TopicName.isCharacter(bytes[end]) else {
            throw expected("the words in topics after a topic", hint: "Example: \(Self.example).")
        }
        at = end
        skipSpace()
    }

    private func nextOperator() -> Operator? {
        Operator.allCases.first { bytes[at...].starts(with: $0.rawValue.utf8) }
    }
}

/// An operator that joins terms.
enum Operator: String, CaseIterable {
    case and = "&&"
    case or = "||"

    /// Returns the joined parts, flattened: `(a && b) && c` is `a && b && c`.
    func joined(_ parts: [Condition.Term]) -> Condition.Term {
        let flat = parts.flatMap { part in
            switch (self, part) {
            case (.and, .all(let inner)), (.or, .any(let inner)): inner
            default: [part]
            }
        }
        return self == .and ? .all(flat) : .any(flat)
    }
}
