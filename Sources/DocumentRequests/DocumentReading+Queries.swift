// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import JSON
package import Platform
package import SignalboxDocumentModel

/// Reads queries.
///
///     {"from": "products", "where": {"and": [["price", ">=", 10], ["tags", "contains", "a"]]}, "order": [["price", "desc"]],
///      "startAfter": [20], "limit": 20, "offset": 0, "select": ["name"]}
///     {"from": "products", "order": ["price"], "startAfter": {"path": "products/p1"}}
///     {"from": "reviews", "group": true, "under": "products/p1"}
extension DocumentReading {
    private static let cursors = ["startAt", "startAfter", "endAt", "endBefore"]

    /// Refuses members that are neither a query's nor these.
    package func allowQuery(_ others: String...) throws(Refusal) {
        let known = ["from", "group", "under", "where", "order", "limit", "offset", "select"] + DocumentReading.cursors + others
        for member in memberNames where !known.contains(where: { $0.hasSameBytes(as: member) }) {
            throw .field(place(member), "unknown", "is not known here; known are \(known.joined(separator: ", "))")
        }
    }

    /// The documents that the query's cursors name.
    package func cursorDocuments() throws(Refusal) -> [DocumentPath] {
        var paths: [DocumentPath] = []
        for member in DocumentReading.cursors { if let path = try cursorDocument(member) { paths.append(path) } }
        return paths
    }

    /// - Parameter documents: The fields of the documents that cursors name; nil if cursors take values only.
    package func query(cursorsAt documents: [DocumentPath: DocumentFields]? = nil) throws(Refusal) -> DocumentQuery {
        var query = try source()
        query.everyDepth = try flag("group") ?? false
        if let place = self["where"] { query.filter = try filter(at: place, self.place("where")) }
        for (index, place) in (try elements("order", atMost: 100) ?? []).enumerated() {
            query.orders.append(try order(at: place, self.place("order[\(index)]")))
        }
        let orders = query.completeOrders
        query.start = try cursor(at: "startAt", after: "startAfter", orders, documents) { $0 ? .before : .behind }
        query.end = try cursor(at: "endAt", after: "endBefore", orders, documents) { $0 ? .behind : .before }
        query.limit = try number("limit", 0...Int64(Int32.max)).map { Int($0) }
        query.offset = Int(try number("offset", 0...Int64(Int32.max)) ?? 0)
        query.select = try elements("select", atMost: FieldSelection.maximumPaths)?.map { index throws(Refusal) in
            try fieldPath(at: index, self.place("select"))
        }
        do throws(QueryFault) { try query.validate() } catch { throw Refusal.invalidQuery(error) }
        return query
    }

    /// The collections: `"users"`, or `"users/u1/orders"`, or an ID and the document that they are below.
    private func source() throws(Refusal) -> DocumentQuery {
        guard let path = try path("from", isDocument: false) else { throw missing("from") }
        let under = try self.path("under", isDocument: true)
        if under != nil, path.parent != nil { throw refuse("from", "must be an ID beside under") }
        return DocumentQuery(collection: path.id, below: under ?? path.parent)
    }

    private func fieldPath(at index: Int, _ name: String) throws(Refusal) -> FieldPath {
        guard tape[index].isString, let text = tape.text(tape[index]), let path = FieldPath(text) else {
            throw DocumentReading.wrong(name, "must be the path of a field, such as address.city", code: code(at: index))
        }
        return path
    }

    private func order(at index: Int, _ name: String) throws(Refusal) -> DocumentQuery.Order {
        if tape[index].isString { return DocumentQuery.Order(try fieldPath(at: index, name)) }
        let parts = tape[index].kind == .array ? tape.elements(of: index) : []
        guard (1...2).contains(parts.count) else { throw DocumentReading.wrong(name, #"must be a field, or as ["price", "desc"]"#) }
        let direction = parts.count == 2 && tape[parts[1]].isString ? tape.text(tape[parts[1]]) : parts.count == 1 ? "asc" : nil
        switch direction {
        case "asc"?: return DocumentQuery.Order(try fieldPath(at: parts[0], name))
        case "desc"?: return DocumentQuery.Order(try fieldPath(at: parts[0], name), descending: true)
        default: throw DocumentReading.wrong(name, "must have the direction asc or desc")
        }
    }

    private enum Side {
        case before, behind
    }

    private func cursor(
        at inclusive: String, after exclusive: String, _ orders: [DocumentQuery.Order], _ documents: [DocumentPath: DocumentFields]?,
        _ side: (Bool) -> Side
    ) throws(Refusal) -> DocumentQuery.Cursor? {
        guard self[inclusive] == nil || self[exclusive] == nil else { throw refuse(exclusive, "cannot be beside \(inclusive)") }
        let isInclusive = self[inclusive] != nil
        let member = isInclusive ? inclusive : exclusive
        var values: [DocumentValue] = []
        if let path = try cursorDocument(member) {
            guard let documents else { throw refuse(member, "must be a list of values; only POST /v1/documents:query takes a document") }
            values = try place(of: path, documents[path], in: orders, member)
        } else if let list = self[member] {
            guard tape[list].kind == .array, tape[list].children <= 100 else {
                let document = documents == nil ? "" : #", or a document such as {"path": "users/u1"}"#
                throw refuse(member, "must be a list of at most 100 values\(document)", code: "wrong_type")
            }
            let json = NativeJSON(tape)
            for place in tape.elements(of: list) {
                values.append(try native(member) { () throws(NativeJSONError) in try json.value(at: place) })
            }
        }
        return values.isEmpty ? nil : DocumentQuery.Cursor(values, isBefore: side(isInclusive) == .before)
    }

    /// The document that a cursor names; nil if it has values.
    private func cursorDocument(_ member: String) throws(Refusal) -> DocumentPath? {
        guard let place = self[member], tape[place].isObject else { return nil }
        let named = try DocumentReading(tape, at: place, named: self.place(member))
        try named.allow("path")
        guard let path = try named.path("path", isDocument: true) else { throw named.missing("path") }
        return path
    }

    /// The values of a document by which a query orders.
    private func place(
        of path: DocumentPath, _ fields: DocumentFields?, in orders: [DocumentQuery.Order], _ member: String
    ) throws(Refusal) -> [DocumentValue] {
        guard let fields else { throw refuse(member, "names a document that is not there") }
        return try orders.map { order throws(Refusal) in
            if order.field.isName { return .reference(DocumentReference(path)) }
            guard let value = fields[order.field] else { throw refuse(member, "names a document without the field \(order.field), which orders") }
            return value
        }
    }

    /// Reads a condition `["price", ">=", 10]`, or `{"and": […]}`, `{"or": […]}`.
    private func filter(at index: Int, _ name: String) throws(Refusal) -> Filter {
        if tape[index].kind == .array { return try condition(at: index, name) }
        let node = try DocumentReading(tape, at: index, named: name)
        try node.allow("and", "or")
        let kinds = ["and", "or"].filter { node[$0] != nil }
        guard kinds.count == 1, let parts = try node.elements(kinds[0], atMost: 100), !parts.isEmpty else {
            throw DocumentReading.wrong(name, #"must be a condition such as ["price", ">=", 10], or have either and, or or"#)
        }
        let filters = try parts.enumerated().map { part throws(Refusal) in try filter(at: part.element, "\(name).\(kinds[0])[\(part.offset)]") }
        return kinds[0] == "and" ? .and(filters) : .or(filters)
    }

    private func condition(at index: Int, _ name: String) throws(Refusal) -> Filter {
        let parts = tape.elements(of: index)
        guard parts.count == 3 else { throw DocumentReading.wrong(name, #"must have three elements, as ["price", ">=", 10]"#) }
        let field = try fieldPath(at: parts[0], name)
        guard tape[parts[1]].isString, let text = tape.text(tape[parts[1]]), let comparison = Comparison(rawValue: text) else {
            throw DocumentReading.wrong(name, "must have one of the operators \(Comparison.allCases.map(\.rawValue).joined(separator: " "))")
        }
        let json = NativeJSON(tape)
        let value = try DocumentReading.native(named: name) { () throws(NativeJSONError) in try json.value(at: parts[2]) }
        return Filter(field, comparison, value)
    }
}

extension Filter {
    /// A condition. Equality with null and NaN is what Firestore calls a unary filter.
    init(_ field: FieldPath, _ comparison: Comparison, _ value: DocumentValue) {
        switch (comparison, value) {
        case (.equal, .null): self = .unary(field, .isNull)
        case (.unequal, .null): self = .unary(field, .isNotNull)
        case (.equal, _) where value.isNaN: self = .unary(field, .isNaN)
        case (.unequal, _) where value.isNaN: self = .unary(field, .isNotNaN)
        default: self = .compare(field, comparison, value)
        }
    }
}
