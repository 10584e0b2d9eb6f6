// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

/// Queries as the daemon reads them.
///
///     {"from":"products","where":{"and":[["price",">=",10],["tags","contains","a"]]},"order":[["price","desc"]],"limit":20}
extension JSONText {
    mutating func query(_ query: DocumentQuery) {
        object { $0.queryMembers(query) }
    }

    /// Writes the members of a query into an object that has others too.
    mutating func queryMembers(_ query: DocumentQuery) {
        field("from", query.collection?.text.text ?? "")
        if let parent = query.parent { field("under", parent.description) }
        if query.everyDepth { field("group", true) }
        if let filter = query.filter {
            key("where")
            condition(filter)
        }
        if !query.orders.isEmpty {
            list("order", query.orders) { json, order in
                json.list([order.field.description, order.descending ? "desc" : "asc"]) { $0.string($1) }
            }
        }
        if let start = query.start { cursor(start.isBefore ? "startAt" : "startAfter", start) }
        if let end = query.end { cursor(end.isBefore ? "endBefore" : "endAt", end) }
        if query.offset > 0 { field("offset", Int64(query.offset)) }
        if let limit = query.limit { field("limit", Int64(limit)) }
    }

    private mutating func cursor(_ name: StaticString, _ cursor: DocumentQuery.Cursor) {
        list(name, cursor.values) { $0.value($1) }
    }

    private mutating func condition(_ filter: Filter) {
        switch filter {
        case .compare(let field, let comparison, let operand): condition(field, comparison.rawValue, operand)
        case .unary(let field, .isNull): condition(field, "==", .null)
        case .unary(let field, .isNotNull): condition(field, "!=", .null)
        case .unary(let field, .isNaN): condition(field, "==", .double(.nan))
        case .unary(let field, .isNotNaN): condition(field, "!=", .double(.nan))
        case .and(let filters): object { $0.list("and", filters) { $0.condition($1) } }
        case .or(let filters): object { $0.list("or", filters) { $0.condition($1) } }
        }
    }

    private mutating func condition(_ field: FieldPath, _ comparison: String, _ operand: DocumentValue) {
        list([0, 1, 2]) { json, part in
            switch part {
            case 0: json.string(field.description)
            case 1: json.string(comparison)
            default: json.value(operand)
            }
        }
    }
}
