// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Services, matches, functions and `allow` statements.
extension RuleParser {
    private static let maximumMatchDepth = 10
    private static let maximumCaptures = 20
    private static let maximumSegments = 100
    private static let maximumParameters = 7
    private static let maximumLets = 10

    /// Reads a whole file and returns the matches of the wanted service.
    mutating func file() throws(RuleFault) -> [MatchBlock] {
        if takeWord("rules_version") {
            try expect("=")
            guard case .text(let text) = token.kind, text == "1" || text == "2" else { throw fault("The version is '1' or '2'.") }
            version = text == "2" ? 2 : 1
            advance()
            _ = take(";")
        }
        var matches: [MatchBlock] = []
        while token.kind != .end {
            if takeWord("import") { throw fault("`import` is not supported.") }
            let place = token.place
            service = try serviceName()
            hasService = true
            try expect("{")
            let block = try content(RuleScope(), depth: 0)
            if service == wanted { matches += block.inner } else { other = other ?? fault(of: service, place) }
        }
        return matches
    }

    /// Reads `service cloud.firestore`; nil for a service that does not exist here.
    private mutating func serviceName() throws(RuleFault) -> RuleService? {
        guard takeWord("service") else { throw fault("`service` is expected here.") }
        var words = try name()
        while take(".") { words += "." + (try name()) }
        return RuleService(rawValue: words)
    }

    private func fault(of service: RuleService?, _ place: RulePlace) -> RuleFault {
        let wanted = "Rules of `service \(wanted.rawValue)` are expected here"
        guard let service else { return RuleFault(place: place, message: "\(wanted).") }
        return RuleFault(place: place, message: "\(wanted); these are of `service \(service.rawValue)`.")
    }

    private struct Content {
        var allows: [AllowStatement] = []
        var inner: [MatchBlock] = []
    }

    /// Reads statements to the closing brace. Functions may be called before they are declared, so their names are collected first.
    private mutating func content(_ outer: RuleScope, depth: Int) throws(RuleFault) -> Content {
        var (scope, content) = (outer, Content())
        try declareFunctions(&scope)
        while !take("}") {
            switch token.kind {
            case .name("function"): try function(scope)
            case .name("match"): content.inner.append(try match(scope, depth: depth + 1))
            case .name("allow"): content.allows.append(try allow(scope, isInMatch: depth > 0))
            default: throw fault("`match`, `allow`, `function` or `}` is expected here.")
            }
        }
        return content
    }

    /// Finds the functions of this block and skips blocks within it.
    private mutating func declareFunctions(_ scope: inout RuleScope) throws(RuleFault) {
        var (depth, index) = (0, position)
        var own: Set<String> = []
        while index + 1 < tokens.count, depth >= 0 {
            switch tokens[index].kind {
            case .symbol("{"): depth += 1
            case .symbol("}"): depth -= 1
            case .name("function") where depth == 0:
                guard case .name(let name) = tokens[index + 1].kind else { break }
                let fault = RuleFault(place: tokens[index + 1].place, message: "The function `\(name)` is declared twice.")
                if !own.insert(name).inserted { throw fault }
                scope.functions[name] = functions.count
                functions.append(RuleFunctionBody(name: name, parameters: RuleParser.parameters(tokens[(index + 2)...])))
            default: break
            }
            index += 1
        }
    }

    /// Counts the parameters in `(a, b)`.
    private static func parameters(_ tokens: ArraySlice<RuleToken>) -> Int {
        var count = 0
        for token in tokens {
            if case .name = token.kind { count += 1 }
            if token.kind == .symbol(")") { break }
        }
        return count
    }

    private mutating func function(_ outer: RuleScope) throws(RuleFault) {
        advance()
        let start = token
        let name = try name()
        guard let number = outer.functions[name] else { throw RuleFault(place: start.place, message: "The function `\(name)` is unknown.") }
        var scope = outer
        scope.locals = try parameters()
        try expect("{")
        var lets: [NodeID] = []
        while takeWord("let") {
            let variable = try self.name()
            if scope.locals.contains(variable) { throw fault("`\(variable)` is declared twice.") }
            try expect("=")
            lets.append(try expression(scope))
            _ = take(";")
            scope.locals.append(variable)
            if lets.count > RuleParser.maximumLets { throw fault("A function has at most \(RuleParser.maximumLets) `let`.") }
        }
        guard takeWord("return") else { throw fault("`return` is expected here.") }
        functions[number].lets = lets
        functions[number].result = try expression(scope)
        _ = take(";")
        try expect("}")
    }

    private mutating func parameters() throws(RuleFault) -> [String] {
        try expect("(")
        var names: [String] = []
        while !take(")") {
            if !names.isEmpty { try expect(",") }
            let parameter = try name()
            if names.contains(parameter) { throw fault("The parameter `\(parameter)` is declared twice.") }
            names.append(parameter)
        }
        if names.count > RuleParser.maximumParameters { throw fault("A function has at most \(RuleParser.maximumParameters) parameters.") }
        return names
    }

    private mutating func match(_ outer: RuleScope, depth: Int) throws(RuleFault) -> MatchBlock {
        if depth > RuleParser.maximumMatchDepth { throw fault("Matches are at most \(RuleParser.maximumMatchDepth) deep.") }
        let start = token.place
        advance()
        var scope = outer
        var segments: [MatchBlock.Segment] = []
        while take("/") { segments.append(try segment(&scope)) }
        if segments.isEmpty { throw fault("A path that begins with `/` is expected here.") }
        if segments.count > RuleParser.maximumSegments { throw fault("A path has at most \(RuleParser.maximumSegments) segments.") }
        if scope.captures.count > RuleParser.maximumCaptures { throw fault("A match has at most \(RuleParser.maximumCaptures) wildcards.") }
        let rests = segments.indices.filter { if case .rest = segments[$0] { true } else { false } }
        try checkRests(rests, in: segments, outer)
        scope.hasRest = outer.hasRest || !rests.isEmpty
        try expect("{")
        let content = try content(scope, depth: depth)
        if content.allows.isEmpty, content.inner.isEmpty {
            throw RuleFault(place: start, message: "This match has neither `allow` nor `match`.")
        }
        // In version 1, nothing can follow `=**`.
        let isReachable = version == 2 || rests.isEmpty
        return MatchBlock(segments: segments, allows: content.allows, inner: isReachable ? content.inner : [])
    }

    private func checkRests(_ rests: [Int], in segments: [MatchBlock.Segment], _ outer: RuleScope) throws(RuleFault) {
        if rests.count > 1 || version == 2 && outer.hasRest && !rests.isEmpty {
            throw fault("A path has one `=**` at most, with those of the matches around it.")
        }
        if version == 1, let rest = rests.first, rest != segments.count - 1 { throw fault("In version 1, `=**` stands at the end of a path.") }
    }

    private mutating func segment(_ scope: inout RuleScope) throws(RuleFault) -> MatchBlock.Segment {
        guard take("{") else { return .text(ExactName(try literalSegment())) }
        scope.captures.append(try name())
        var segment = MatchBlock.Segment.one
        if take("=") {
            // `{x=*}` is `{x}`.
            if !take("*") {
                try expect("**")
                segment = .rest(atLeast: version == 1 ? 1 : 0)
            }
        }
        try expect("}")
        return segment
    }

    /// Reads `orders-2`: names, numbers and some symbols without white space between them.
    mutating func literalSegment() throws(RuleFault) -> String {
        var text = ""
        while text.isEmpty || !token.isApart {
            switch token.kind {
            case .name(let name): text += name
            case .integer(let number): text += String(number)
            case .float(let number): text += String(number)
            case .symbol("-"), .symbol("."), .symbol("+"), .symbol("%"): if case .symbol(let symbol) = token.kind { text += symbol }
            default:
                if text.isEmpty { throw fault("A segment of a path is expected here.") }
                return text
            }
            advance()
        }
        return text
    }

    private static let words: Set<String> = ["allow", "match", "function"]

    /// Reads an `allow` statement. Beside the matches of a service it concerns no document.
    private mutating func allow(_ scope: RuleScope, isInMatch: Bool) throws(RuleFault) -> AllowStatement {
        let place = token.place
        if !isInMatch { warn("An `allow` outside of a match allows nothing.", place) }
        advance()
        var methods: Set<RuleMethodName> = []
        repeat {
            guard case .name(let word) = token.kind else {
                throw fault("`read`, `write`, `get`, `list`, `create`, `update` or `delete` is expected here.")
            }
            let named = RuleMethodName.named(word)
            if named == nil { warn("`\(word)` is no method that rules allow.", token.place) }
            methods.formUnion(named ?? [])
            advance()
        } while take(",")
        var condition: NodeID?
        if take(":") {
            guard takeWord("if") else { throw fault("`if` is expected here.") }
            condition = try expression(scope)
        }
        // The semicolon may be missing before the next statement.
        let isNext = if case .name(let word) = token.kind { RuleParser.words.contains(word) } else { isAt("}") }
        if !take(";"), !isNext { throw fault("`;` is expected here.") }
        return AllowStatement(methods: methods, condition: condition, place: place)
    }
}
