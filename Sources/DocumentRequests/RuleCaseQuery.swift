// SPDX-License-Identifier: Apache-2.0

import Platform
import Rules
import SignalboxDocumentModel

/// The query of a test case of the method `list`, whose conditions must prove that rules allow it.
///
///     {where: [["owner", "==", "u1"], ["price", ">=", 10]], orderBy: {price: "DESC"}, limit: 20, group: true}
struct RuleCaseQuery {
    /// Nil for the path of a document, whose `list` rule is evaluated on the document of the case.
    let query: DocumentQuery?
    /// `request.query`.
    let members: RuleMap

    static func read(_ value: JSON5Value, of path: DocumentPath, _ method: RuleMethodName) throws(RuleCaseError) -> RuleCaseQuery {
        guard method == .list else { throw value.fault("Only the method \"list\" has a query.") }
        let object = try RuleCaseObject(value, ["where", "orderBy", "limit", "offset", "group"])
        var query = DocumentQuery(collection: path.id, below: path.parent)
        if case .bool(true)? = object["group"]?.kind { query.everyDepth = true }
        if let conditions = object["where"] { query.filter = try filter(conditions) }
        query.orders = try orders(object["orderBy"])
        query.limit = try whole(object["limit"])
        query.offset = try whole(object["offset"]) ?? 0
        do throws(QueryFault) { try query.validate() } catch { throw value.fault("Firestore refuses this query: \(error).") }
        var members: [ExactName: RuleValue] = ["limit": .null, "offset": .integer(Int64(query.offset))]
        if let limit = query.limit { members["limit"] = .integer(Int64(limit)) }
        let orders = query.orders.map { (ExactName($0.field.description), RuleValue.text($0.descending ? "DESC" : "ASC")) }
        members["orderBy"] = .map(.made(Dictionary(orders) { first, _ in first }))
        return RuleCaseQuery(query: path.isDocument ? nil : query, members: .made(members))
    }

    private static func whole(_ value: JSON5Value?) throws(RuleCaseError) -> Int? {
        guard let value else { return nil }
        guard case .integer(let number) = try value.documentValue(), let count = Int32(exactly: number), count >= 0 else {
            throw value.fault("A whole number is expected here.")
        }
        return Int(count)
    }

    private static func orders(_ value: JSON5Value?) throws(RuleCaseError) -> [DocumentQuery.Order] {
        guard let value else { return [] }
        guard case .object(let members) = value.kind else { throw value.fault("Fields with \"ASC\" or \"DESC\" are expected here.") }
        var orders: [DocumentQuery.Order] = []
        for member in members {
            guard let field = FieldPath(member.name), let word = member.value.text, ["ASC", "DESC"].contains(word) else {
                throw member.value.fault("\"ASC\" or \"DESC\" is expected here, for a field such as a.b.")
            }
            orders.append(.init(field, descending: word == "DESC"))
        }
        return orders
    }

    /// Reads conditions, all of which must hold, or `{or: [condition, …]}`.
    private static func filter(_ value: JSON5Value) throws(RuleCaseError) -> Filter {
        if case .object(let members) = value.kind {
            guard members.count == 1, let member = members.first, ["and", "or"].contains(member.name), case .array(let values) = member.value.kind
            else { throw value.fault("{and: […]} or {or: […]} is expected here.") }
            let filters = try all(values)
            return member.name == "and" ? .and(filters) : .or(filters)
        }
        guard case .array(let parts) = value.kind, !parts.isEmpty else {
            throw value.fault("A condition such as [\"owner\", \"==\", \"u1\"] is expected here.")
        }
        return parts[0].text == nil ? .and(try all(parts)) : try condition(parts, value)
    }

    private static func all(_ values: [JSON5Value]) throws(RuleCaseError) -> [Filter] {
        var filters: [Filter] = []
        for value in values { filters.append(try filter(value)) }
        return filters
    }

    private static func condition(_ parts: [JSON5Value], _ value: JSON5Value) throws(RuleCaseError) -> Filter {
        guard parts.count == 3, let field = parts[0].text.flatMap({ FieldPath($0) }), let word = parts[1].text else {
            throw value.fault("A condition such as [\"owner\", \"==\", \"u1\"] is expected here.")
        }
        guard let comparison = Comparison(rawValue: word) else {
            throw parts[1].fault("The operator is one of \(Comparison.allCases.map(\.rawValue).joined(separator: " ")).")
        }
        let operand = try parts[2].documentValue()
        if operand == .null, comparison == .equal { return .unary(field, .isNull) }
        if operand == .null, comparison == .unequal { return .unary(field, .isNotNull) }
        return .compare(field, comparison, operand)
    }
}
