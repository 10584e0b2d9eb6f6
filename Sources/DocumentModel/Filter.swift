// SPDX-License-Identifier: Apache-2.0

/// A condition on the fields of a document.
package indirect enum Filter: Hashable, Sendable {
    case compare(FieldPath, Comparison, DocumentValue)
    case unary(FieldPath, UnaryCondition)
    case and([Filter])
    case or([Filter])
}

package enum Comparison: String, Sendable, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case isIn = "in"
    case notIn = "not-in"
    case contains = "contains"
    case containsAny = "contains-any"

    /// Whether the field becomes part of the order of results.
    package var isInequality: Bool {
        switch self {
        case .unequal, .less, .atMost, .greater, .atLeast, .notIn: true
        case .equal, .isIn, .contains, .containsAny: false
        }
    }
}

package enum UnaryCondition: String, Sendable, CaseIterable {
    case isNull, isNotNull, isNaN, isNotNaN

    package var isInequality: Bool { self == .isNotNull || self == .isNotNaN }
}

extension Filter {
    /// Whether a document matches. A document without the field matches no condition on it.
    package func matches(_ document: some QueriedDocument) -> Bool {
        switch self {
        case .and(let filters): filters.allSatisfy { $0.matches(document) }
        case .or(let filters): filters.contains { $0.matches(document) }
        case .compare(let path, let comparison, let operand):
            document.value(at: path).map { comparison.holds($0, operand) } ?? false
        case .unary(let path, let condition):
            document.value(at: path).map(condition.holds) ?? false
        }
    }

    /// Calls a function with each condition on a field.
    package func eachCondition(_ body: (Filter) throws -> Void) rethrows {
        switch self {
        case .and(let filters), .or(let filters): for filter in filters { try filter.eachCondition(body) }
        case .compare, .unary: try body(self)
        }
    }

    /// The field, if this is a condition that makes it part of the order. A comparison that holds for no value asks for no field.
    var inequalityField: FieldPath? {
        switch self {
        case .compare(let path, let comparison, let operand) where comparison.isInequality && !comparison.isImpossible(operand): path
        case .unary(let path, let condition) where condition.isInequality: path
        default: nil
        }
    }
}

extension Comparison {
    /// Whether no value fulfils the comparison: a range that ends at null or NaN, and `!= null`, which is written `isNotNull`.
    func isImpossible(_ operand: DocumentValue) -> Bool {
        switch self {
        case .less, .atMost, .greater, .atLeast: operand == .null || operand.isNaN
        case .unequal: operand == .null
        case .equal, .isIn, .notIn, .contains, .containsAny: false
        }
    }

    /// Whether a value of a field fulfils a comparison.
    ///
    ///     1 < 2          true
    ///     1 < "a"        false: another type
    ///     null == null   false: `isNull` finds nulls
    ///     NaN != NaN     true
    package func holds(_ value: DocumentValue, _ operand: DocumentValue) -> Bool {
        switch self {
        case .equal: value.equals(operand)
        case .unequal: value != .null && operand != .null && !value.equals(operand)
        case .less: value.isComparable(to: operand) && value.order(operand) == .before
        case .atMost: value.isComparable(to: operand) && value.order(operand) != .after
        case .greater: value.isComparable(to: operand) && value.order(operand) == .after
        case .atLeast: value.isComparable(to: operand) && value.order(operand) != .before
        case .isIn: operand.elements.contains(where: value.equals)
        case .notIn: value != .null && !operand.elements.contains { $0 == .null || value.equals($0) }
        case .contains: value.elements.contains { $0.equals(operand) }
        case .containsAny: value.elements.contains { element in operand.elements.contains(where: element.equals) }
        }
    }
}

extension UnaryCondition {
    package func holds(_ value: DocumentValue) -> Bool {
        switch self {
        case .isNull: value == .null
        case .isNotNull: value != .null
        case .isNaN: value.isNaN
        case .isNotNaN: value != .null && !value.isNaN
        }
    }
}

extension DocumentValue {
    /// The elements of an array; none of other values.
    package var elements: [DocumentValue] { if case .array(let values) = self { values } else { [] } }

    func isSame(_ other: DocumentValue) -> Bool { order(other) == .same }

    /// Whether a comparison for equality holds. It never does with null and NaN themselves.
    func equals(_ operand: DocumentValue) -> Bool { operand != .null && !operand.isNaN && isSame(operand) }

    /// Whether a range may hold: both are of one type, and neither is null or NaN.
    func isComparable(to operand: DocumentValue) -> Bool { rank == operand.rank && self != .null && !isNaN && !operand.isNaN }
}
