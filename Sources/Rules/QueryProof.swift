// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A condition of a query, which holds for every document that it finds.
package struct KnownCondition: Hashable, Sendable {
    let comparison: Comparison
    let operand: DocumentValue
    /// Whether it says that a map has a field.
    var isKey = false

    /// Whether a comparison with an unknown value is sure to hold; nil if neither value is unknown.
    static func decide(_ operation: BinaryOperator, _ a: RuleValue, _ b: RuleValue, isStrict: Bool) -> Bool? {
        switch (a, b) {
        case (.unknown, .unknown): false
        case (.unknown(let conditions), _): conditions.contains { $0.implies(operation, b, isStrict) }
        case (_, .unknown(let conditions)):
            operation == .isIn
                ? conditions.contains { $0.impliesMember(a) }
                : conditions.contains { condition in
                    operation.mirrored.map { condition.implies($0, a, isStrict) } ?? false
                }
        default: nil
        }
    }

    /// Whether the condition makes `value operation bound` true, whatever the value is.
    private func implies(_ operation: BinaryOperator, _ bound: RuleValue, _ isStrict: Bool) -> Bool {
        if comparison == .equal { return holds(operation, bound) }
        if case .null = bound { return operation == .unequal }
        // Values without an order in rules, such as true, are excluded alike.
        if comparison == .unequal, operation == .unequal, RuleValue.stored(operand).isEqual(bound, .strict) { return true }
        // The emulator takes `i <= 1.0` for no proof of `i <= 2`, but `i <= 1` for one of `i <= 2.0`.
        if isStrict, case .double = operand, case .integer = bound { return false }
        guard let bound = bound.comparable, bound.rank == operand.rank, !operand.isNaN, !bound.isNaN else { return false }
        let ordering = operand.order(bound)
        switch (comparison, operation) {
        case (.greater, .greater), (.greater, .atLeast), (.greater, .unequal), (.atLeast, .atLeast): return ordering != .before
        case (.atLeast, .greater), (.atLeast, .unequal): return ordering == .after
        case (.less, .less), (.less, .atMost), (.less, .unequal), (.atMost, .atMost): return ordering != .after
        case (.atMost, .less), (.atMost, .unequal): return ordering == .before
        case (.unequal, .unequal): return ordering == .same
        default: return false
        }
    }

    /// Whether a comparison with the value that an equality names holds.
    private func holds(_ operation: BinaryOperator, _ bound: RuleValue) -> Bool {
        let value = RuleValue.stored(operand)
        switch operation {
        case .equal: return value.isEqual(bound)
        case .unequal: return !value.isEqual(bound)
        case .less, .atMost, .greater, .atLeast:
            guard let bound = bound.comparable, bound.rank == operand.rank, !operand.isNaN, !bound.isNaN else { return false }
            switch operand.order(bound) {
            case .before: return operation == .less || operation == .atMost
            case .same: return operation == .atMost || operation == .atLeast
            case .after: return operation == .greater || operation == .atLeast
            }
        // The emulator takes it for no proof of `i in [1, 2]`.
        case .isIn, .add, .subtract, .multiply, .divide, .remainder: return false
        }
    }

    /// Whether the elements that a list is known to have make `hasAny` or `hasAll` true. The emulator proves only `hasAny`.
    static func decide(_ method: RuleMethod, _ conditions: [KnownCondition], _ arguments: [RuleValue], isStrict: Bool) -> RuleValue? {
        guard case .list(let wanted)? = arguments.first, !wanted.isEmpty else { return nil }
        let isKnown: (RuleValue) -> Bool = { member in conditions.contains { $0.impliesMember(member) } }
        return switch method {
        case .hasAny where wanted.contains(where: isKnown): .bool(true)
        case .hasAll where (!isStrict || conditions.allSatisfy(\.isKey)) && wanted.allSatisfy(isKnown): .bool(true)
        default: nil
        }
    }

    private func impliesMember(_ member: RuleValue) -> Bool { comparison == .contains && RuleValue.stored(operand).isEqual(member, .strict) }
}

extension BinaryOperator {
    /// The operator with its sides exchanged: `1 < x` is `x > 1`.
    var mirrored: BinaryOperator? {
        switch self {
        case .less: .greater
        case .atMost: .atLeast
        case .greater: .less
        case .atLeast: .atMost
        case .equal, .unequal: self
        default: nil
        }
    }
}

extension Ruleset {
    /// Decides about a query: rules must allow every document that it can find, by what its conditions say alone.
    package func decide(
        _ query: DocumentQuery, as auth: RuleValue, at time: DocumentTime, explains: Bool = false,
        read: @escaping (DocumentPath, _ after: Bool) -> DocumentFields?
    ) -> RuleDecision {
        var decision = RuleDecision()
        guard let disjunctions = query.filter.map(\.disjunctions) ?? [[]] else { return decision }
        for conjunction in disjunctions {
            var request = RuleRequest(query, auth: auth, time: time)
            request.facts = facts(of: conjunction)
            let one = decide(request, explains: explains, read: read)
            decision.steps += one.steps
            decision.faults += one.faults
            decision.refusedBy += one.refusedBy
            decision.expressions += one.expressions
            decision.work += one.work
            guard let place = one.allowedBy else {
                decision.allowedBy = nil
                return decision
            }
            decision.allowedBy = place
        }
        return decision
    }

    /// The document that a query finds, as far as its conditions tell. Without strictness its fields are taken for all that it has, as Google's
    /// emulator takes them.
    private func facts(of conjunction: [Filter]) -> RuleMap {
        let facts = RuleMap.made(["data": .map(Ruleset.facts(conjunction))])
        return isStrict ? facts.partial : facts
    }

    private typealias Known = (path: FieldPath, comparison: Comparison, operand: DocumentValue)

    /// The fields that conditions name, with what is known of them.
    ///
    /// A field that must have two values has none of them: no document is found, and each of the equalities proves what it says.
    ///
    ///     i == 1, j > 2    i is 1, j is unknown and above 2
    ///     i == 1, i == 2   i is unknown, equal to 1 and equal to 2
    static func facts(_ conditions: [Filter]) -> RuleMap {
        let known = conditions.compactMap(known)
        var values: [FieldPath: [RuleValue]] = [:]
        for one in known where one.comparison == .equal {
            let value = RuleValue.stored(one.operand)
            if !(values[one.path]?.contains { $0.isEqual(value) } ?? false) { values[one.path, default: []].append(value) }
        }
        var facts: [ExactName: RuleValue] = [:]
        for one in known { note(one.comparison, one.operand, one.path.names[...], isOneValue: values[one.path]?.count == 1, in: &facts) }
        return .made(facts)
    }

    private static func known(_ condition: Filter) -> Known? {
        switch condition {
        // Nothing equals null or NaN, which `isNull` and `isNaN` find. The emulator takes such an equality for a proof of a value alone.
        case .compare(let path, .equal, let operand) where operand == .null || operand.isNaN: (path, .unequal, .null)
        case .compare(let path, let comparison, let operand): (path, comparison, operand)
        case .unary(let path, .isNull): (path, .equal, .null)
        case .unary(let path, .isNaN): (path, .equal, .double(.nan))
        case .unary(let path, .isNotNull): (path, .unequal, .null)
        case .unary(let path, .isNotNaN): (path, .unequal, .double(.nan))
        case .and, .or: nil
        }
    }

    /// - Parameter isOneValue: Whether equalities name one value for the field.
    private static func note(
        _ comparison: Comparison, _ operand: DocumentValue, _ names: ArraySlice<ExactName>, isOneValue: Bool, in facts: inout [ExactName: RuleValue]
    ) {
        guard let first = names.first else { return }
        if names.count > 1 {
            var inner: [ExactName: RuleValue] = [:]
            switch facts[first] {
            case .map(.made(let known))?: inner = known
            case nil: break
            default: return
            }
            note(comparison, operand, names.dropFirst(), isOneValue: isOneValue, in: &inner)
            facts[first] = .map(.made(inner))
        } else if comparison == .equal, isOneValue {
            facts[first] = .stored(operand)
        } else if comparison == .notIn {
            for value in operand.elements { note(.unequal, value, names, isOneValue: isOneValue, in: &facts) }
        } else if case .unknown(let known)? = facts[first] {
            facts[first] = .unknown(known + [KnownCondition(comparison: comparison, operand: operand)])
        } else if facts[first] == nil {
            facts[first] = .unknown([KnownCondition(comparison: comparison, operand: operand)])
        }
    }
}
