// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Expressions, from the weakest operator to the strongest.
extension RuleParser {
    /// Binary operators from the weakest to the strongest; `is` has the level of `in`.
    private static let levels: [[BinaryOperator]] = [
        [.isIn], [.equal, .unequal], [.less, .atMost, .greater, .atLeast], [.add, .subtract], [.multiply, .divide, .remainder],
    ]
    private static let typeNames: Set<String> = [
        "bool", "bytes", "float", "int", "list", "latlng", "number", "path", "map", "string", "timestamp", "duration", "set", "map_diff",
        "vector", "constraint",
    ]

    mutating func expression(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        try nested { parser throws(RuleFault) in try parser.choice(scope) }
    }

    private mutating func choice(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let condition = try disjunction(scope)
        let place = token.place
        guard take("?") else { return condition }
        let first = try expression(scope)
        try expect(":")
        let second = try expression(scope)
        return add(.choice(condition, first, second), place)
    }

    private mutating func disjunction(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let place = token.place
        var conditions = [try conjunction(scope)]
        while take("||") { conditions.append(try conjunction(scope)) }
        return conditions.count == 1 ? conditions[0] : add(.any(conditions), place)
    }

    private mutating func conjunction(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let place = token.place
        var conditions = [try binary(scope, level: 0)]
        while take("&&") { conditions.append(try binary(scope, level: 0)) }
        return conditions.count == 1 ? conditions[0] : add(.all(conditions), place)
    }

    /// Reads operators of a level and of stronger ones.
    private mutating func binary(_ scope: RuleScope, level: Int) throws(RuleFault) -> NodeID {
        var left = try unary(scope)
        for _ in 0..<RuleParser.maximumNesting {
            let place = token.place
            if level == 0, takeWord("is") {
                left = add(.hasType(left, try typeName()), place)
            } else if let (operation, found) = takeOperator(from: level) {
                left = add(.binary(operation, left, try binary(scope, level: found + 1)), place)
            } else {
                return left
            }
        }
        throw fault("An expression has too many operators.")
    }

    private mutating func takeOperator(from level: Int) -> (BinaryOperator, level: Int)? {
        let text: String
        switch token.kind {
        case .symbol(let symbol): text = symbol
        case .name("in"): text = "in"
        default: return nil
        }
        for found in RuleParser.levels.indices.dropFirst(level) {
            guard let operation = RuleParser.levels[found].first(where: { $0.rawValue == text }) else { continue }
            advance()
            return (operation, found)
        }
        return nil
    }

    private mutating func typeName() throws(RuleFault) -> String {
        let place = token.place
        let name = try name()
        guard RuleParser.typeNames.contains(name) else { throw RuleFault(place: place, message: "`\(name)` is not a type.") }
        return name
    }

    private mutating func unary(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let place = token.place
        if take("!") { return add(.not(try nested { parser throws(RuleFault) in try parser.unary(scope) }), place) }
        if take("-") { return add(.negative(try nested { parser throws(RuleFault) in try parser.unary(scope) }), place) }
        return try postfix(scope)
    }

    private mutating func postfix(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        var value = try primary(scope)
        for _ in 0..<RuleParser.maximumNesting {
            let place = token.place
            if take(".") {
                let name = try name()
                value = take("(") ? try method(value, name, place, scope) : add(.field(value, ExactName(name)), place)
            } else if take("[") {
                value = try element(value, place, scope)
            } else {
                return value
            }
        }
        throw fault("An expression has too many fields.")
    }

    /// Reads `0]`, `0:2]`, `:2]` or `0:]`.
    private mutating func element(_ value: NodeID, _ place: RulePlace, _ scope: RuleScope) throws(RuleFault) -> NodeID {
        let first = isAt(":") ? nil : try expression(scope)
        if let first, !isAt(":") {
            try expect("]")
            return add(.index(value, first), place)
        }
        try expect(":")
        let last = isAt("]") ? nil : try expression(scope)
        try expect("]")
        return add(.slice(value, first, last), place)
    }

    private mutating func method(_ value: NodeID, _ name: String, _ place: RulePlace, _ scope: RuleScope) throws(RuleFault) -> NodeID {
        let arguments = try arguments(scope)
        guard let method = RuleMethod(rawValue: name) else { return addUnresolved("There is no method `\(name)`.", place) }
        guard method.argumentCounts.contains(arguments.count) else {
            return addUnresolved("`\(name)` takes another number of arguments.", place)
        }
        return add(.method(value, method, arguments), place)
    }

    /// Reads arguments to the closing parenthesis.
    mutating func arguments(_ scope: RuleScope) throws(RuleFault) -> [NodeID] {
        var arguments: [NodeID] = []
        try elements(until: ")") { parser throws(RuleFault) in arguments.append(try parser.expression(scope)) }
        return arguments
    }
}
