// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// A condition of a query. Fields are paths such as `address.city`; `__name__` is the document's ID, or its path in a group.
///
/// ```swift
/// query.where(.or([.equal("state", "new"), .and([.equal("state", "paid"), .less("total", 10)])]))
/// ```
public indirect enum QueryFilter: Sendable, Hashable {
    /// The field equals the value.
    case equal(String, FieldValue)
    /// The field is there, not null, and another value.
    case notEqual(String, FieldValue)
    /// The field is less than a value of the same type.
    case less(String, FieldValue)
    /// The field is a value of the same type or less.
    case lessOrEqual(String, FieldValue)
    /// The field is greater than a value of the same type.
    case greater(String, FieldValue)
    /// The field is a value of the same type or greater.
    case greaterOrEqual(String, FieldValue)
    /// The field equals one of the values, at most 30.
    case `in`(String, [FieldValue])
    /// The field is there, not null, and equals none of the values, at most 10.
    case notIn(String, [FieldValue])
    /// The field is a list with the value.
    case arrayContains(String, FieldValue)
    /// The field is a list with at least one of the values, at most 30.
    case arrayContainsAny(String, [FieldValue])
    /// All conditions hold.
    case and([QueryFilter])
    /// At least one condition holds.
    case or([QueryFilter])

    static func path(_ field: String) throws(DocumentError) -> FieldPath {
        if field == "__name__" { return .name }
        guard let path = PathCheck.field(field) else { throw .invalid("This is not the path of a field: \(field)") }
        return path
    }

    /// The name of a document by its ID in the query's collection, or by its path.
    static func name(_ text: String, in query: DocumentQuery) throws(DocumentError) -> DocumentValue {
        var path = DocumentPath(bound: text)
        if path?.isDocument != true, !query.everyDepth, let collection = query.collection {
            path = DocumentPath(bound: (query.parent.map { "\($0)/" } ?? "") + "\(collection.text)/\(text)")
        }
        guard let path, path.isDocument else { throw .invalid("This is not the ID or path of a document: \(text)") }
        return .reference(SignalboxDocumentModel.DocumentReference(path))
    }

    func model() throws(DocumentError) -> Filter {
        switch self {
        case .equal(let field, let value): return try QueryFilter.condition(field, .equal, value)
        case .notEqual(let field, let value): return try QueryFilter.condition(field, .unequal, value)
        case .less(let field, let value): return try QueryFilter.condition(field, .less, value)
        case .lessOrEqual(let field, let value): return try QueryFilter.condition(field, .atMost, value)
        case .greater(let field, let value): return try QueryFilter.condition(field, .greater, value)
        case .greaterOrEqual(let field, let value): return try QueryFilter.condition(field, .atLeast, value)
        case .in(let field, let values): return try QueryFilter.condition(field, .isIn, .array(values))
        case .notIn(let field, let values): return try QueryFilter.condition(field, .notIn, .array(values))
        case .arrayContains(let field, let value): return try QueryFilter.condition(field, .contains, value)
        case .arrayContainsAny(let field, let values): return try QueryFilter.condition(field, .containsAny, .array(values))
        case .and(let filters): return .and(try QueryFilter.models(filters))
        case .or(let filters): return .or(try QueryFilter.models(filters))
        }
    }

    private static func models(_ filters: [QueryFilter]) throws(DocumentError) -> [Filter] {
        if filters.isEmpty { throw .invalid("A condition of a query combines no others.") }
        var all: [Filter] = []
        for filter in filters { all.append(try filter.model()) }
        return all
    }

    /// A condition. Equality with null and NaN is what Firestore calls a unary filter.
    private static func condition(_ field: String, _ comparison: Comparison, _ value: FieldValue) throws(DocumentError) -> Filter {
        let (path, operand) = (try path(field), try value.stored())
        switch (comparison, operand) {
        case (.equal, .null): return .unary(path, .isNull)
        case (.unequal, .null): return .unary(path, .isNotNull)
        case (.equal, _) where operand.isNaN: return .unary(path, .isNaN)
        case (.unequal, _) where operand.isNaN: return .unary(path, .isNotNaN)
        default: return .compare(path, comparison, operand)
        }
    }
}
