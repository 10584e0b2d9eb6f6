// SPDX-License-Identifier: Apache-2.0

extension Filter {
    /// The most disjunctions a query may have in its normal form.
    package static let maximumDisjunctions = 30

    /// The filter as a disjunction of conjunctions; nil if there would be more than 30.
    ///
    ///     a == 1 and (b == 2 or c in [3, 4])   →   a == 1, b == 2   |   a == 1, c == 3   |   a == 1, c == 4
    package var disjunctions: [[Filter]]? { terms(expandsLists: true) }

    /// The same with conditions of lists as they are.
    ///
    ///     a == 1 or b in [2, 3]   →   a == 1   |   b in [2, 3]
    var unexpandedDisjunctions: [[Filter]]? { terms(expandsLists: false) }

    private func terms(expandsLists: Bool) -> [[Filter]]? {
        switch self {
        case .and(let filters):
            var product: [[Filter]] = [[]]
            var known: Set<Filter> = []
            // A condition that stands there twice counts once.
            for filter in filters where known.insert(filter.withOrderedList).inserted {
                guard let factor = filter.terms(expandsLists: expandsLists), product.count * factor.count <= Filter.maximumDisjunctions else {
                    return nil
                }
                product = product.flatMap { left in factor.map { left + $0 } }
            }
            return product
        case .or(let filters):
            var sum: [[Filter]] = []
            for filter in filters {
                guard let terms = filter.terms(expandsLists: expandsLists), sum.count + terms.count <= Filter.maximumDisjunctions else { return nil }
                sum += terms
            }
            return sum
        case .compare(let path, .isIn, let operand) where expandsLists: return Filter.each(operand) { .compare(path, .equal, $0) }
        case .compare(let path, .containsAny, let operand) where expandsLists: return Filter.each(operand) { .compare(path, .contains, $0) }
        case .compare, .unary: return [[self]]
        }
    }

    /// The condition with its list in an order that all lists of the same values have.
    private var withOrderedList: Filter {
        guard case .compare(let path, let comparison, .array(let values)) = self, [.isIn, .notIn, .containsAny].contains(comparison) else {
            return self
        }
        return .compare(path, comparison, .array(Set(values).sorted { $0.order($1) == .before }))
    }

    /// Whether the condition asks for elements of an array.
    var asksForElements: Bool {
        switch self {
        case .compare(_, .contains, _), .compare(_, .containsAny, _): true
        case .compare, .unary, .and, .or: false
        }
    }

    private static func each(_ operand: DocumentValue, _ filter: (DocumentValue) -> Filter) -> [[Filter]]? {
        operand.elements.count <= maximumDisjunctions ? operand.elements.map { [filter($0)] } : nil
    }
}
