// SPDX-License-Identifier: Apache-2.0

/// A document as queries see it.
package protocol QueriedDocument {
    var path: DocumentPath { get }
    func value(at path: FieldPath) -> DocumentValue?
}

/// A query over a collection, or over all collections of an ID (`everyDepth`) below a document.
package struct DocumentQuery: Hashable, Sendable {
    package struct Order: Hashable, Sendable {
        package let field: FieldPath
        package let descending: Bool

        package init(_ field: FieldPath, descending: Bool = false) {
            (self.field, self.descending) = (field, descending)
        }
    }

    /// A position in the order of results. It may have fewer values than the query has orders.
    package struct Cursor: Hashable, Sendable {
        package let values: [DocumentValue]
        /// Whether the position is before the documents with these values, else behind them.
        package let isBefore: Bool

        package init(_ values: [DocumentValue], isBefore: Bool) {
            (self.values, self.isBefore) = (values, isBefore)
        }
    }

    /// The document that the collections are below; nil for the top.
    package var parent: DocumentPath?
    /// The collection's ID; nil for collections of any ID.
    package var collection: PathSegment?
    package var everyDepth = false
    package var filter: Filter?
    package var orders: [Order] = []
    package var start: Cursor?
    package var end: Cursor?
    package var offset = 0
    package var limit: Int?
    package var select: [FieldPath]?
    /// The fields of aggregates over the result. Documents without one of them do not count, and the fields are part of the implied order.
    package var aggregated: [FieldPath] = []

    package init(collection: PathSegment?, below parent: DocumentPath? = nil, everyDepth: Bool = false) {
        (self.collection, self.parent, self.everyDepth) = (collection, parent, everyDepth)
    }

    /// The orders with those that are implied: fields of inequalities and aggregates in the order of their names, then the document's name.
    ///
    ///     where b > 1, a != 2, order by c descending   →   c descending, a descending, b descending, __name__ descending
    package var completeOrders: [Order] {
        var all = orders
        let isDescending = orders.last?.descending ?? false
        for field in impliedFields where !all.contains(where: { $0.field == field }) { all.append(Order(field, descending: isDescending)) }
        if !all.contains(where: \.field.isName) { all.append(Order(.name, descending: isDescending)) }
        return all
    }

    private var impliedFields: [FieldPath] {
        var fields = Set(aggregated)
        filter?.eachCondition { if let field = $0.inequalityField, !field.isName { fields.insert(field) } }
        return fields.sorted { $0.names.lexicographicallyPrecedes($1.names) }
    }

    /// Whether a document is in the collections of the query.
    package func covers(_ path: DocumentPath) -> Bool {
        guard path.isDocument else { return false }
        let above = parent?.segments ?? []
        guard path.segments.count >= above.count + 2, path.segments.starts(with: above) else { return false }
        if !everyDepth, path.segments.count != above.count + 2 { return false }
        return collection.map { $0 == path.segments[path.segments.count - 2] } ?? true
    }

    /// Whether a document belongs to the result, apart from offset and limit.
    package func matches(_ document: some QueriedDocument) -> Bool { matches(document, ordered: completeOrders) }

    /// - Parameter orders: The complete orders, for callers that match many documents.
    package func matches(_ document: some QueriedDocument, ordered orders: [Order]) -> Bool {
        covers(document.path) && selects(document, ordered: orders)
    }

    /// Whether a document of the query's collections belongs to the result, apart from offset and limit.
    package func selects(_ document: some QueriedDocument, ordered orders: [Order]) -> Bool {
        guard filter?.matches(document) ?? true else { return false }
        guard orders.allSatisfy({ $0.field.isName || document.value(at: $0.field) != nil }) else { return false }
        return isBetweenCursors(document, orders)
    }

    /// The fields that decide which documents belong to the result, and their order; without the name.
    package var comparedFields: [FieldPath] {
        var fields: [FieldPath] = []
        func add(_ field: FieldPath) { if !field.isName, !fields.contains(field) { fields.append(field) } }
        filter?.eachCondition { if let field = $0.field { add(field) } }
        for order in completeOrders { add(order.field) }
        return fields
    }

    private func isBetweenCursors(_ document: some QueriedDocument, _ orders: [Order]) -> Bool {
        if let start {
            let ordering = DocumentQuery.order(document, start, orders)
            if ordering == .before || ordering == .same && !start.isBefore { return false }
        }
        if let end {
            let ordering = DocumentQuery.order(document, end, orders)
            if ordering == .after || ordering == .same && end.isBefore { return false }
        }
        return true
    }

    private static func order(_ document: some QueriedDocument, _ cursor: Cursor, _ orders: [Order]) -> Ordering {
        for (order, bound) in zip(orders, cursor.values) {
            guard let value = document.value(at: order.field) else { return .before }
            let ordering = value.order(bound)
            if ordering != .same { return order.descending ? ordering.reversed : ordering }
        }
        return .same
    }

    /// Compares two documents of the result.
    package static func order(_ a: some QueriedDocument, _ b: some QueriedDocument, by orders: [Order]) -> Ordering {
        for order in orders {
            guard let x = a.value(at: order.field), let y = b.value(at: order.field) else { continue }
            let ordering = x.order(y)
            if ordering != .same { return order.descending ? ordering.reversed : ordering }
        }
        return .same
    }

    /// The result over all documents, computed without an index. It defines what every faster way must return.
    package func result<Document: QueriedDocument>(of documents: [Document]) -> [Document] {
        let orders = completeOrders
        let sorted = documents.filter(matches).sorted { DocumentQuery.order($0, $1, by: orders) == .before }
        return Array(sorted.dropFirst(offset).prefix(limit ?? .max))
    }
}
