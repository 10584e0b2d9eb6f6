// SPDX-License-Identifier: Apache-2.0

extension Filter {
    /// The most disjunctions a query may have in its normal form.
    package static let maximumDisjunctions = 30

    /// The filter as a disjunction of conjunctions; nil if there would be more than 30.
    ///
    ///     a == 1 and (b == 2 or c in [3, 4])   →   a == 1, b == 2   |   a == 1, c == 3   |   a == 1, c == 4
    package var disjunctions: [[Filter]]? {
        switch self {
        case .and(let filters):
            var product: [[Filter]] = [[]]
            for filter in filters {
                guard let factor = filter.disjunctions, product.count * factor.count <= Filter.maximumDisjunctions else { return nil }
                product = product.flatMap { left in factor.map { left + $0 } }
            }
            return product
        case .or(let filters):
            var sum: [[Filter]] = []
            for filter in filters {
                guard let terms = filter.disjunctions, sum.count + terms.count <= Filter.maximumDisjunctions else { return nil }
                sum += terms
            }
            return sum
        case .compare(let path, .isIn, let operand): return Filter.each(operand) { .compare(path, .equal, $0) }
        case .compare(let path, .containsAny, let operand): return Filter.each(operand) { .compare(path, .contains, $0) }
        case .compare, .unary: return [[self]]
        }
    }

    private static func each(_ operand: DocumentValue, _ filter: (DocumentValue) -> Filter) -> [[Filter]]? {
        operand.elements.count <= maximumDisjunctions ? operand.elements.map { [filter($0)] } : nil
    }
}
