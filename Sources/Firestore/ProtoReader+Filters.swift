// SPDX-License-Identifier: Apache-2.0

import JSON
import SignalboxDocumentModel

extension Comparison {
    private static let words: [(name: String, number: Int64, value: Comparison)] = [
        ("LESS_THAN", 1, .less), ("LESS_THAN_OR_EQUAL", 2, .atMost), ("GREATER_THAN", 3, .greater), ("GREATER_THAN_OR_EQUAL", 4, .atLeast),
        ("EQUAL", 5, .equal), ("NOT_EQUAL", 6, .unequal), ("ARRAY_CONTAINS", 7, .contains), ("IN", 8, .isIn), ("ARRAY_CONTAINS_ANY", 9, .containsAny),
        ("NOT_IN", 10, .notIn),
    ]

    static var protoWords: [(name: String, number: Int64, value: Comparison)] { words }

    /// The operator's name in the Firestore API.
    var protoName: String { Comparison.words.first { $0.value == self }?.name ?? rawValue }
}

/// Conditions of queries.
extension ProtoReader {
    private static let maximumDepth = 20
    private static let unaryWords: [(name: String, number: Int64, value: UnaryCondition)] = [
        ("IS_NAN", 2, .isNaN), ("IS_NULL", 3, .isNull), ("IS_NOT_NAN", 4, .isNotNaN), ("IS_NOT_NULL", 5, .isNotNull),
    ]

    func filter(_ index: Int, depth: Int) throws(FirestoreFault) -> Filter {
        if depth > ProtoReader.maximumDepth { throw .invalid("Filters are at most \(ProtoReader.maximumDepth) deep.") }
        let members = try message(index, "Filter", ["compositeFilter", "fieldFilter", "unaryFilter"])
        guard members.count == 1, let (kind, content) = members.all.first else { throw .invalid("Unknown Filter type.") }
        switch kind {
        case "compositeFilter": return try composite(content, depth: depth)
        case "fieldFilter": return try comparison(content)
        default:
            let unary = try message(content, "UnaryFilter", ["field", "op"])
            guard let operation = unary["op"] else { throw .invalid("Unknown UnaryFilter operator.") }
            return .unary(try reference(unary["field"]), try word(operation, ProtoReader.unaryWords, "UnaryFilter operator"))
        }
    }

    private func composite(_ index: Int, depth: Int) throws(FirestoreFault) -> Filter {
        let members = try message(index, "CompositeFilter", ["op", "filters"])
        guard let operation = members["op"] else { throw .invalid("Unknown CompositeFilter operator.") }
        let isAnd = try word(operation, [("AND", 1, true), ("OR", 2, false)], "CompositeFilter operator")
        var filters: [Filter] = []
        for place in try elements(members["filters"]) { filters.append(try filter(place, depth: depth + 1)) }
        if filters.isEmpty, !isAnd { throw .invalid("Composite filter must have at least one sub-filter.") }
        return isAnd ? .and(filters) : .or(filters)
    }

    private func comparison(_ index: Int) throws(FirestoreFault) -> Filter {
        let members = try message(index, "FieldFilter", ["field", "op", "value"])
        let field = try reference(members["field"])
        guard let operation = members["op"] else { throw .invalid("Unknown FieldFilter operator.") }
        guard let operand = members["value"] else { throw .invalid("Cannot convert firestore.v1.Value with type unset.") }
        return .compare(field, try word(operation, Comparison.protoWords, "FieldFilter operator"), try value(operand))
    }
}
