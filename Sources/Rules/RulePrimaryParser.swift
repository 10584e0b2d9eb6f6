// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Literals, lists, maps, paths, names and calls.
extension RuleParser {
    mutating func primary(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let place = token.place
        switch token.kind {
        case .text(let text): return literal(.text(text), place)
        case .bytes(let bytes): return literal(.bytes(bytes), place)
        case .integer(let number): return try numeral(.integer(number), place)
        case .float(let number): return literal(.float(number), place)
        case .symbol("("):
            advance()
            let value = try expression(scope)
            try expect(")")
            return value
        case .symbol("["): return try list(scope)
        case .symbol("{"): return try map(scope)
        case .symbol("/"): return try path(scope)
        case .name: return try named(scope)
        default: throw fault("An expression is expected here.")
        }
    }

    private mutating func literal(_ value: RuleValue, _ place: RulePlace) -> NodeID {
        advance()
        return add(.literal(value), place)
    }

    /// Reads an integer. It has no methods.
    private mutating func numeral(_ value: RuleValue, _ place: RulePlace) throws(RuleFault) -> NodeID {
        let id = literal(value, place)
        if isAt(".") { throw fault("An integer has no methods.") }
        return id
    }

    private mutating func list(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let place = token.place
        advance()
        var values: [NodeID] = []
        try elements(until: "]") { parser throws(RuleFault) in values.append(try parser.expression(scope)) }
        return add(.list(values), place)
    }

    private mutating func map(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let place = token.place
        advance()
        var pairs: [(key: NodeID, value: NodeID)] = []
        try elements(until: "}") { parser throws(RuleFault) in
            let key = try parser.expression(scope)
            try parser.expect(":")
            pairs.append((key, try parser.expression(scope)))
        }
        return add(.map(pairs), place)
    }

    /// Reads `/users/$(uid)`. A segment ends at white space or at a symbol that cannot be in it.
    private mutating func path(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let place = token.place
        var parts: [RuleNode.PathPart] = []
        while isAt("/"), parts.isEmpty || !token.isApart {
            advance()
            if take("$") {
                try expect("(")
                parts.append(.value(try expression(scope)))
                try expect(")")
            } else if isAt("(") {
                parts.append(.text(try databaseName()))
            } else {
                parts.append(.text(try literalSegment()))
            }
        }
        return add(.path(parts), place)
    }

    /// Reads `(default)`.
    private mutating func databaseName() throws(RuleFault) -> String {
        try expect("(")
        let name = try name()
        try expect(")")
        return "(\(name))"
    }

    private mutating func named(_ scope: RuleScope) throws(RuleFault) -> NodeID {
        let place = token.place
        let name = try name()
        if take("(") { return try call(name, place, scope) }
        if let index = scope.locals.lastIndex(of: name) { return add(.local(index), place) }
        if let index = scope.captures.lastIndex(of: name) { return add(.capture(index), place) }
        switch name {
        case "true": return add(.literal(.bool(true)), place)
        case "false": return add(.literal(.bool(false)), place)
        case "null": return add(.literal(.null), place)
        case "request": return add(.request, place)
        case "resource": return add(.resource, place)
        default: break
        }
        guard RuleFunction.namespaces.contains(name), isAt("."), case .name(let member) = following.kind else {
            return addUnresolved("The name `\(name)` is unknown.", place)
        }
        advance()
        advance()
        try expect("(")
        return try builtin("\(name).\(member)", place, scope)
    }

    private mutating func call(_ name: String, _ place: RulePlace, _ scope: RuleScope) throws(RuleFault) -> NodeID {
        if let number = scope.functions[name] {
            let arguments = try arguments(scope)
            guard arguments.count == functions[number].parameters else {
                return addUnresolved("`\(name)` takes another number of arguments.", place)
            }
            return add(.call(function: number, arguments), place)
        }
        return try builtin(name, place, scope)
    }

    private mutating func builtin(_ name: String, _ place: RulePlace, _ scope: RuleScope) throws(RuleFault) -> NodeID {
        let arguments = try arguments(scope)
        guard let function = RuleFunction(rawValue: name) else { return addUnresolved("The function `\(name)` is unknown.", place) }
        if service == wanted, let owner = RuleService.allCases.first(where: { $0.ownFunctions.contains(function) }), owner != wanted {
            return addUnresolved("Only rules of `service \(owner.rawValue)` have `\(name)`.", place)
        }
        guard function.argumentCounts.contains(arguments.count) else {
            return addUnresolved("`\(name)` takes another number of arguments.", place)
        }
        return add(.builtin(function, arguments), place)
    }
}
