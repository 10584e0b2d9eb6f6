// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Rules that were read and checked: `firestore.rules` or `storage.rules` of version 1 or 2.
package struct Ruleset: Sendable {
    let nodes: [RuleNode]
    let places: [RulePlace]
    let functions: [RuleFunctionBody]
    let matches: [MatchBlock]
    let patterns: RulePatterns
    /// The first block of another service.
    private let other: RuleFault?
    private let hasService: Bool
    /// Warnings about names that do not exist, in the order of the text.
    let unresolved: [RuleFault]
    /// Whether a query is proved only where Google's emulator takes its conditions for a proof.
    private(set) var isStrict = false

    /// Reads rules. Functions that call themselves are refused. Unknown names are errors when they are evaluated, as in Firestore.
    /// Blocks of other services have no effect.
    package init(_ text: String, for service: RuleService = .documents) throws(RuleFault) {
        var parser = try RuleParser(text, for: service)
        matches = try parser.file()
        (nodes, places, functions) = (parser.nodes, parser.places, parser.functions)
        patterns = RulePatterns(nodes, functions)
        (other, unresolved, hasService) = (parser.other, parser.unresolved, parser.hasService)
        try checkRecursion()
    }

    /// Reads rules that somebody sets or tests: blocks of another service are refused, since they would protect nothing, and so is a text
    /// without any, which would lock out all users.
    package init(new text: String, for service: RuleService = .documents) throws(RuleFault) {
        try self.init(text, for: service)
        if let other { throw other }
        if !hasService {
            throw RuleFault(
                place: RulePlace(line: 1, column: 1),
                message:
                    "`service \(service.rawValue) { … }` is expected. Without matches, as `service \(service.rawValue) { }`, it denies everything.")
        }
    }

    /// Whether a condition may read a document.
    package var readsDocuments: Bool {
        nodes.contains { node in
            if case .builtin(let function, _) = node { RuleService.allCases.contains { $0.ownFunctions.contains(function) } } else { false }
        }
    }

    /// Whether a condition may look at the MD5 of a file.
    package var readsMD5: Bool {
        nodes.contains { node in
            switch node {
            case .field(_, "md5Hash"), .literal(.text("md5Hash")): true
            default: false
            }
        }
    }

    /// Returns the same rules, which prove queries strictly or not.
    package func proving(strictly isStrict: Bool) -> Ruleset {
        var rules = self
        rules.isStrict = isStrict
        return rules
    }

    /// Throws if a function calls itself, directly or through others.
    private func checkRecursion() throws(RuleFault) {
        let calls = functions.map { function in (function.lets + [function.result]).flatMap(calls(from:)) }
        var states = Array(repeating: 0, count: functions.count)
        for start in functions.indices where isRecursive(start, calls, &states) {
            let place = places.isEmpty ? RulePlace(line: 1, column: 1) : places[functions[start].result.index]
            throw RuleFault(place: place, message: "The function `\(functions[start].name)` calls itself.")
        }
    }

    private func isRecursive(_ function: Int, _ calls: [[Int]], _ states: inout [Int]) -> Bool {
        if states[function] == 1 { return true }
        if states[function] == 2 { return false }
        states[function] = 1
        for called in calls[function] where isRecursive(called, calls, &states) { return true }
        states[function] = 2
        return false
    }

    /// The functions that an expression calls.
    private func calls(from root: NodeID) -> [Int] {
        var (open, found) = ([root], [Int]())
        while let id = open.popLast() {
            if case .call(let function, _) = nodes[id.index] { found.append(function) }
            open += nodes[id.index].children
        }
        return found
    }

    /// An `allow` statement that concerns a path, with the values of the wildcards around it.
    struct Candidate {
        let allow: AllowStatement
        let captures: [RuleValue]
    }

    /// The `allow` statements for a method on a path. The path begins with `databases` or `b`.
    func candidates(_ method: RuleMethodName, _ path: [String]) -> [Candidate] {
        var found: [Candidate] = []
        for match in matches { collect(match, method, path[...], [], &found) }
        return found
    }

    private func collect(
        _ match: MatchBlock, _ method: RuleMethodName, _ path: ArraySlice<String>, _ captures: [RuleValue], _ found: inout [Candidate]
    ) {
        for (rest, captures) in match.matchings(path, captures) {
            if rest.isEmpty { found += match.allows.filter { $0.methods.contains(method) }.map { Candidate(allow: $0, captures: captures) } }
            for inner in match.inner { collect(inner, method, rest, captures, &found) }
        }
    }
}

extension MatchBlock {
    /// The ways in which the beginning of a path fits, with what is left of it. Only `=**` has more than one.
    func matchings(_ path: ArraySlice<String>, _ captures: [RuleValue]) -> [(rest: ArraySlice<String>, captures: [RuleValue])] {
        var (rest, captures) = (path, captures)
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .text(let text):
                guard let first = rest.popFirst(), first.utf8.elementsEqual(text.bytes) else { return [] }
            case .one:
                guard let first = rest.popFirst(), first != RuleRequest.anyDepth else { return [] }
                captures.append(first == RuleRequest.anyID ? .unknown([]) : .text(first))
            case .rest(let least):
                let behind = segments.count - index - 1
                guard rest.count >= least + behind else { return [] }
                let lengths = inner.isEmpty ? (rest.count - behind)...(rest.count - behind) : least...(rest.count - behind)
                return lengths.flatMap { length in
                    let tail = MatchBlock(segments: Array(segments[(index + 1)...]), inner: inner)
                    return tail.matchings(rest.dropFirst(length), captures + [MatchBlock.captured(rest.prefix(length))])
                }
            }
        }
        return [(rest, captures)]
    }

    /// The value of `=**`.
    private static func captured(_ path: ArraySlice<String>) -> RuleValue {
        path.contains { $0 == RuleRequest.anyID || $0 == RuleRequest.anyDepth } ? .unknown([]) : .path(Array(path))
    }
}

extension RuleNode {
    var children: [NodeID] {
        switch self {
        case .literal, .request, .resource, .capture, .local, .unresolved: []
        case .list(let values), .all(let values), .any(let values): values
        case .map(let pairs): pairs.flatMap { [$0.key, $0.value] }
        case .path(let parts): parts.compactMap { if case .value(let id) = $0 { id } else { nil } }
        case .field(let value, _), .not(let value), .negative(let value), .hasType(let value, _): [value]
        case .index(let a, let b), .binary(_, let a, let b): [a, b]
        case .choice(let a, let b, let c): [a, b, c]
        case .slice(let a, let b, let c): [a, b, c].compactMap(\.self)
        case .call(_, let arguments), .builtin(_, let arguments): arguments
        case .method(let value, _, let arguments): [value] + arguments
        }
    }
}
