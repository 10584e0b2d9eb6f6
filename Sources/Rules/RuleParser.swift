// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Names that are known at a place of the rules.
struct RuleScope {
    /// Wildcards of the enclosing matches, from the outermost.
    var captures: [String] = []
    /// Whether an enclosing match has `=**`.
    var hasRest = false
    /// Parameters and `let` names of the function.
    var locals: [String] = []
    /// The functions that can be called, with their numbers. Inner ones hide outer ones.
    var functions: [String: Int] = [:]
}

/// Reads rules. Each token is read once.
struct RuleParser {
    static let maximumBytes = 262_144
    /// Expressions within expressions.
    static let maximumNesting = 100

    let tokens: [RuleToken]
    private(set) var position = 0
    private var nesting = 0
    var nodes: [RuleNode] = []
    var places: [RulePlace] = []
    var functions: [RuleFunctionBody] = []
    var version = 1
    /// The service whose rules are read, and that of the block at hand.
    let wanted: RuleService
    var service: RuleService?
    /// The first block of a service that is not wanted.
    var other: RuleFault?
    /// Whether there is a block of a service.
    var hasService = false
    /// Warnings about names that do not exist.
    private(set) var unresolved: [RuleFault] = []

    init(_ text: String, for wanted: RuleService) throws(RuleFault) {
        self.wanted = wanted
        guard text.utf8.count <= RuleParser.maximumBytes else {
            throw RuleFault(place: RulePlace(line: 1, column: 1), message: "Rules have at most \(RuleParser.maximumBytes) bytes.")
        }
        tokens = try RuleLexer.tokens(text)
    }

    var token: RuleToken { tokens[position] }
    var following: RuleToken { tokens[min(position + 1, tokens.count - 1)] }

    mutating func advance() { if position < tokens.count - 1 { position += 1 } }

    func fault(_ message: String) -> RuleFault { RuleFault(place: token.place, message: message) }

    func isAt(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    mutating func take(_ symbol: String) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: String) throws(RuleFault) {
        if !take(symbol) { throw fault("`\(symbol)` is expected here.") }
    }

    mutating func takeWord(_ word: String) -> Bool {
        guard token.kind == .name(word) else { return false }
        advance()
        return true
    }

    mutating func name() throws(RuleFault) -> String {
        guard case .name(let name) = token.kind, let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            throw fault("A name is expected here.")
        }
        advance()
        return name
    }

    mutating func add(_ node: RuleNode, _ place: RulePlace) -> NodeID {
        nodes.append(node)
        places.append(place)
        return NodeID(index: nodes.count - 1)
    }

    /// Notes a name that does not exist, and adds an expression that fails.
    mutating func addUnresolved(_ message: String, _ place: RulePlace) -> NodeID {
        warn(message, place)
        return add(.unresolved(message), place)
    }

    mutating func warn(_ message: String, _ place: RulePlace) { unresolved.append(RuleFault(place: place, message: message)) }

    /// Reads elements with commas between them, and perhaps one behind the last, to the closing symbol.
    mutating func elements(until end: String, _ element: (inout RuleParser) throws(RuleFault) -> Void) throws(RuleFault) {
        while !take(end) {
            try element(&self)
            if !take(",") { return try expect(end) }
        }
    }

    /// Runs a function one level deeper.
    mutating func nested<T>(_ body: (inout RuleParser) throws(RuleFault) -> T) throws(RuleFault) -> T {
        nesting += 1
        defer { nesting -= 1 }
        if nesting > RuleParser.maximumNesting { throw fault("Expressions are at most \(RuleParser.maximumNesting) deep.") }
        return try body(&self)
    }
}
