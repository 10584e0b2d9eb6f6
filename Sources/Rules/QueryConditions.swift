// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

extension Ruleset {
    /// Warnings about conditions of `list` that depend on fields which a query need not name. Without `strict_rules` they are decided as if
    /// documents had no other fields, as in Google's emulator.
    ///
    ///     resource.data.get('private', false) == false   !('secret' in resource.data)   resource.data.keys().hasOnly(['a'])
    func queryWarnings(_ statements: [AllowStatement]) -> [RuleFault] {
        var conditions = QueryConditions(rules: self)
        for allow in statements where allow.methods.contains(.list) {
            if let condition = allow.condition { conditions.visit(condition, [], isOpposed: false) }
        }
        return conditions.faults
    }
}

/// A search for expressions that a query does not prove.
private struct QueryConditions {
    /// Where a value comes from.
    enum Origin: Hashable {
        case resource
        /// All fields of the documents that are found, or a value within them.
        case data, inner
        case other

        var isOfData: Bool { self == .data || self == .inner }
    }

    private struct Visit: Hashable {
        let node: NodeID
        let locals: [Origin]
        let isOpposed: Bool
    }

    /// Beyond this bound nothing is looked at: functions may be called with many kinds of arguments.
    private static let mostVisits = 100_000

    let rules: Ruleset
    private(set) var faults: [RuleFault] = []
    private var visited: Set<Visit> = []
    private var warned: Set<NodeID> = []
    private var depth = 0

    init(rules: Ruleset) { self.rules = rules }

    /// - Parameter isOpposed: Whether the rule may hold because the expression is false.
    fileprivate mutating func visit(_ id: NodeID, _ locals: [Origin], isOpposed: Bool) {
        guard visited.count < QueryConditions.mostVisits, visited.insert(Visit(node: id, locals: locals, isOpposed: isOpposed)).inserted else {
            return
        }
        switch rules.nodes[id.index] {
        case .method(let base, let method, let arguments): visit(method, of: base, arguments, at: id, locals, isOpposed)
        case .binary(let operation, let a, let b): visit(operation, a, b, at: id, locals, isOpposed)
        case .not(let operand): visit(operand, locals, isOpposed: true)
        case .choice(let condition, let first, let second):
            visit(condition, locals, isOpposed: true)
            for value in [first, second] { visit(value, locals, isOpposed: isOpposed) }
        case .call(let function, let arguments): call(function, arguments, locals, isOpposed)
        default: for child in rules.nodes[id.index].children { visit(child, locals, isOpposed: isOpposed) }
        }
    }

    private mutating func visit(
        _ method: RuleMethod, of base: NodeID, _ arguments: [NodeID], at id: NodeID, _ locals: [Origin], _ isOpposed: Bool
    ) {
        let origin = origin(base, locals)
        switch method {
        case .get, .values, .diff: if origin.isOfData { warn("`\(method.rawValue)`", id) }
        case .keys: if origin.isOfData { warn("`keys`", id) }
        case .size: if origin == .data { warn("`size`", id) }
        default: break
        }
        for argument in arguments {
            if method == .diff, self.origin(argument, locals).isOfData { warn("`diff`", id) }
            visit(argument, locals, isOpposed: true)
        }
        // Fields that the query names are among the keys.
        if [.hasAll, .hasAny].contains(method), !isOpposed, let map = mapOfKeys(base) { return visit(map, locals, isOpposed: false) }
        visit(base, locals, isOpposed: isOpposed)
    }

    private func mapOfKeys(_ id: NodeID) -> NodeID? { if case .method(let map, .keys, _) = rules.nodes[id.index] { map } else { nil } }

    private mutating func visit(_ operation: BinaryOperator, _ a: NodeID, _ b: NodeID, at id: NodeID, _ locals: [Origin], _ isOpposed: Bool) {
        let isComparison = operation == .equal || operation == .unequal
        if isComparison, comparesMap(a, b, locals) || comparesMap(b, a, locals) { warn("`\(operation.rawValue)`", id) }
        if operation == .isIn {
            if isOpposed, origin(b, locals).isOfData { warn("`in`", id) }
            if !isOpposed, let map = mapOfKeys(b) {
                for operand in [a, map] { visit(operand, locals, isOpposed: false) }
                return
            }
        }
        for operand in [a, b] { visit(operand, locals, isOpposed: isOpposed || isComparison) }
    }

    /// Whether fields of the documents are compared with a map: all of them with anything, or a value within with a map of the text.
    private func comparesMap(_ value: NodeID, _ other: NodeID, _ locals: [Origin]) -> Bool {
        switch (origin(value, locals), rules.nodes[other.index]) {
        case (.data, .literal): false
        case (.data, _), (.inner, .map): true
        default: false
        }
    }

    private mutating func call(_ number: Int, _ arguments: [NodeID], _ locals: [Origin], _ isOpposed: Bool) {
        for argument in arguments { visit(argument, locals, isOpposed: isOpposed) }
        depth += 1
        defer { depth -= 1 }
        guard depth <= RuleBudget.calls else { return }
        let function = rules.functions[number]
        var own = arguments.map { origin($0, locals) }
        for id in function.lets {
            visit(id, own, isOpposed: true)
            own.append(origin(id, own))
        }
        visit(function.result, own, isOpposed: isOpposed)
    }

    private func origin(_ id: NodeID, _ locals: [Origin]) -> Origin {
        switch rules.nodes[id.index] {
        case .resource: return .resource
        case .local(let index): return locals.indices.contains(index) ? locals[index] : .other
        case .field(let base, let name):
            let origin = origin(base, locals)
            return origin == .resource && name == "data" ? .data : origin.isOfData ? .inner : .other
        case .index(let base, _): return origin(base, locals).isOfData ? .inner : .other
        default: return .other
        }
    }

    private mutating func warn(_ what: String, _ id: NodeID) {
        guard warned.insert(id).inserted else { return }
        let message =
            "\(what) depends on fields that a query need not name, so a query may find documents that this denies, unless strict_rules is set."
        faults.append(RuleFault(place: rules.places[id.index], message: message))
    }
}
