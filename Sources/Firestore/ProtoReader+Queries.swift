// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
package import SignalboxDocumentModel

extension DocumentQuery {
    /// Whether the result depends on fields, and not on names only.
    fileprivate var usesFields: Bool {
        var fields = orders.map(\.field)
        filter?.eachCondition { condition in
            switch condition {
            case .compare(let field, _, _), .unary(let field, _): fields.append(field)
            case .and, .or: break
            }
        }
        return fields.contains { !$0.isName }
    }
}

/// Structured queries.
extension ProtoReader {
    private static let maximumConditions = 100

    /// Reads and validates a query.
    ///
    /// - Parameter parent: The document that the request's URL names; nil for the database.
    package func query(_ index: Int, below parent: DocumentPath?) throws(FirestoreFault) -> DocumentQuery {
        let known = ["select", "from", "where", "orderBy", "startAt", "endAt", "offset", "limit", "findNearest"]
        let members = try message(index, "StructuredQuery", known)
        if members["findNearest"] != nil { throw FirestoreFault(.unimplemented, "Vector search is not supported.") }
        var query = try source(members["from"], below: parent)
        if let filter = members["where"] { query.filter = try ofBounds.conditions(filter) }
        query.orders = try orders(members["orderBy"])
        (query.start, query.end) = (try cursor(members["startAt"], query.orders), try cursor(members["endAt"], query.orders))
        query.offset = try count(members["offset"]) ?? 0
        query.limit = try count(members["limit"])
        query.select = try projection(members["select"])
        if query.everyDepth, query.collection != nil, parent != nil, query.usesFields {
            throw .invalid("collection group queries are only allowed at the root parent")
        }
        do throws(QueryFault) { try query.validate() } catch { throw FirestoreFault(error) }
        return query
    }

    /// Reads a filter of at most 100 conditions. Implied orders are searched pairwise, so the limit comes before the query's rules.
    private func conditions(_ index: Int) throws(FirestoreFault) -> Filter {
        let filter = try filter(index, depth: 1)
        var count = 0
        filter.eachCondition { _ in count += 1 }
        if count > ProtoReader.maximumConditions { throw FirestoreFault(QueryFault.tooManyConditions) }
        return filter
    }

    private func source(_ index: Int?, below parent: DocumentPath?) throws(FirestoreFault) -> DocumentQuery {
        let sources = try elements(index)
        if sources.count > 1 { throw .invalid("StructuredQuery.from cannot have more than one collection selector.") }
        // Without a collection, a query finds documents of all collections of the parent.
        guard let source = sources.first else { return DocumentQuery(collection: nil, below: parent, everyDepth: false) }
        let members = try message(source, "CollectionSelector", ["collectionId", "allDescendants"])
        let isGroup = try flag(members["allDescendants"])
        let id = try text(members["collectionId"]) ?? ""
        if id.isEmpty { return DocumentQuery(collection: nil, below: parent, everyDepth: isGroup) }
        guard let collection = PathSegment(id) else { throw .invalid("The collection ID is invalid.") }
        return DocumentQuery(collection: collection, below: parent, everyDepth: isGroup)
    }

    /// Reads a 32-bit number; negative ones are refused by the query's rules.
    func count(_ index: Int?) throws(FirestoreFault) -> Int? {
        guard let index else { return nil }
        guard let number = Int32(exactly: try integer(index)) else { throw .invalid("A whole number of 32 bits is expected.") }
        return Int(number)
    }

    /// The fields that the result has; none for the names of the documents alone.
    private func projection(_ index: Int?) throws(FirestoreFault) -> [FieldPath]? {
        guard let index else { return nil }
        var fields: [FieldPath] = []
        for place in try elements(message(index, "Projection", ["fields"])["fields"]) { fields.append(try reference(place)) }
        try ProtoReader.check(fields, "structuredQuery.select")
        return fields.filter { !$0.isName }
    }

    /// Reads `{"fieldPath": "a.b"}`.
    func reference(_ index: Int?) throws(FirestoreFault) -> FieldPath {
        guard let index else { throw .invalid("A field reference is missing.") }
        return try field(message(index, "FieldReference", ["fieldPath"])["fieldPath"])
    }

    private func orders(_ index: Int?) throws(FirestoreFault) -> [DocumentQuery.Order] {
        let directions = [("DIRECTION_UNSPECIFIED", Int64(0), false), ("ASCENDING", 1, false), ("DESCENDING", 2, true)]
        var orders: [DocumentQuery.Order] = []
        for place in try elements(index) {
            let members = try message(place, "Order", ["field", "direction"])
            var isDescending = false
            if let direction = members["direction"] { isDescending = try word(direction, directions, "direction") }
            orders.append(.init(try reference(members["field"]), descending: isDescending))
            if orders.count > ProtoReader.maximumConditions { throw FirestoreFault(QueryFault.tooManyConditions) }
        }
        return orders
    }

    /// Reads a cursor of a query. It has no values for orders that are implied.
    private func cursor(_ index: Int?, _ orders: [DocumentQuery.Order]) throws(FirestoreFault) -> DocumentQuery.Cursor? {
        guard let cursor = try ofBounds.cursor(index) else { return nil }
        if cursor.values.count > orders.count { throw FirestoreFault(QueryFault.cursorTooLong) }
        for (order, value) in zip(orders, cursor.values) where order.field.isName {
            guard case .reference = value else { throw .invalid("Cursor __key__ value is not a document reference.") }
        }
        return cursor
    }

    /// Reads a position in the order of a query; nil without one.
    package func cursor(_ index: Int?) throws(FirestoreFault) -> DocumentQuery.Cursor? {
        guard let index else { return nil }
        let members = try message(index, "Cursor", ["values", "before"])
        var values: [DocumentValue] = []
        for place in try elements(members["values"]) { values.append(try value(place)) }
        return .init(values, isBefore: try flag(members["before"]))
    }
}
