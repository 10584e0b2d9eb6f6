// SPDX-License-Identifier: Apache-2.0

/// Why Firestore refuses a query.
package enum QueryFault: Error, Hashable {
    case tooManyDisjunctions
    case tooManyConditions
    case emptyList(Comparison)
    case notAList(Comparison)
    case tooManyExcluded
    case severalExclusions
    case exclusionWithDisjunction
    case containsTwice
    case tooManyInequalityFields
    case cursorTooLong
    case orderTwice(FieldPath)
    case invalidOperand(FieldPath)
    /// The name is not a list.
    case elementsOfName(Comparison)
    case negative(String)
}

extension DocumentQuery {
    /// Throws if Firestore refuses the query.
    package func validate() throws(QueryFault) {
        let orders = completeOrders
        for (index, order) in self.orders.enumerated() where self.orders[..<index].contains(where: { $0.field == order.field }) {
            throw .orderTwice(order.field)
        }
        if offset < 0 { throw .negative("offset") }
        if let limit, limit < 0 { throw .negative("limit") }
        for cursor in [start, end] { if let cursor, cursor.values.count > orders.count { throw .cursorTooLong } }
        guard let filter else { return }
        var summary = ConditionSummary()
        var fault: QueryFault?
        filter.eachCondition { condition in
            do throws(QueryFault) { try summary.add(condition) } catch { fault = fault ?? error }
        }
        if let fault { throw fault }
        try summary.validate(with: filter, orders: self.orders.count)
    }
}

/// Counts of what a filter has.
private struct ConditionSummary {
    private static let maximumExcluded = 10
    private static let maximumInequalityFields = 10
    private static let maximumConditions = 100

    private var conditions = 0
    private var exclusions = 0
    private var hasNotIn = false
    private var hasListDisjunction = false
    private var inequalities: Set<FieldPath> = []

    mutating func add(_ condition: Filter) throws(QueryFault) {
        conditions += 1
        if let field = condition.inequalityField { inequalities.insert(field) }
        guard case .compare(let path, let comparison, let operand) = condition else {
            guard case .unary(let path, let unary) = condition else { return }
            if path.isName { throw .invalidOperand(path) }
            if unary.isInequality { exclusions += 1 }
            return
        }
        if path.isName { try ConditionSummary.validateName(path, comparison, operand) }
        switch comparison {
        case .isIn, .containsAny, .notIn:
            guard case .array(let values) = operand else { throw .notAList(comparison) }
            if values.isEmpty { throw .emptyList(comparison) }
            if comparison == .notIn {
                if values.count > ConditionSummary.maximumExcluded { throw .tooManyExcluded }
                (hasNotIn, exclusions) = (true, exclusions + 1)
            } else {
                hasListDisjunction = true
            }
        case .unequal: exclusions += 1
        case .equal, .less, .atMost, .greater, .atLeast, .contains: break
        }
    }

    private static func validateName(_ path: FieldPath, _ comparison: Comparison, _ operand: DocumentValue) throws(QueryFault) {
        if comparison == .contains || comparison == .containsAny { throw .elementsOfName(comparison) }
        let values = comparison == .isIn || comparison == .notIn ? operand.elements : [operand]
        for value in values { guard case .reference = value else { throw .invalidOperand(path) } }
    }

    func validate(with filter: Filter, orders: Int) throws(QueryFault) {
        if conditions + orders > ConditionSummary.maximumConditions { throw .tooManyConditions }
        if exclusions > 1 { throw .severalExclusions }
        if inequalities.count > ConditionSummary.maximumInequalityFields { throw .tooManyInequalityFields }
        guard let disjunctions = filter.disjunctions, let unexpanded = filter.unexpandedDisjunctions else { throw .tooManyDisjunctions }
        if hasNotIn, hasListDisjunction || disjunctions.count > 1 { throw .exclusionWithDisjunction }
        for conjunction in unexpanded where conjunction.count(where: \.asksForElements) > 1 { throw .containsTwice }
    }
}
