// SPDX-License-Identifier: Apache-2.0

/// A part of an index that a query reads.
package struct IndexScan: Hashable, Sendable {
    package let shape: IndexShape
    /// The first key, and the first key behind the part; nil if the part ends with the index.
    package let lower: [UInt8]
    package let upper: [UInt8]?
    package let isReversed: Bool
    /// Whether the documents come in the order of the query's result. Those with a cut key may not.
    package let isOrdered: Bool
    /// Whether each key is of a document in the result, so that counting reads no documents.
    package let isExact: Bool
}

/// The way to answer a query. Each document that is found must still be matched, unless the scan is exact.
package enum QueryPlan: Hashable, Sendable {
    /// All documents of the collections.
    case documents
    /// A scan for each disjunction. One document may be found by several.
    case index([IndexScan])
}

extension QueryPlan {
    /// Chooses the best of some indexes for each disjunction of a query.
    ///
    ///     where city == "Rome", order by age, limit 20
    ///     city ascending, age ascending    →  keys that begin with "Rome", in order: 20 documents are read
    ///     city ascending                   →  keys that begin with "Rome", then sorted
    ///     name ascending                   →  all documents
    package init(_ query: DocumentQuery, with shapes: some Sequence<IndexShape>) {
        self = .documents
        guard let disjunctions = query.disjunctions else { return }
        let fitting = shapes.filter { $0.mayServe(query) }
        let orders = query.completeOrders
        var scans: [IndexScan] = []
        for conditions in disjunctions {
            let choices = fitting.compactMap { IndexChoice(query, orders, conditions, $0, isOnly: disjunctions.count == 1) }
            guard let best = choices.max(by: { $0.rank.lexicographicallyPrecedes($1.rank) }), best.rank != [0, 0, 0] else { return }
            scans.append(best.scan)
        }
        self = .index(scans)
    }
}

extension DocumentQuery {
    /// The conditions of each disjunction; nil if there are too many.
    fileprivate var disjunctions: [[Filter]]? { filter.map(\.disjunctions) ?? [[]] }

    /// The index that answers each disjunction in order: equalities, then the orders.
    package var wantedShapes: [IndexShape] {
        guard let collection, let disjunctions else { return [] }
        let orders = completeOrders
        var shapes: [IndexShape] = []
        for conditions in disjunctions {
            let fixed = FixedFields(conditions)
            var fields = fixed.element.map { [IndexShape.Field($0.field, .contains)] } ?? []
            fields += fixed.values.keys.filter { !$0.isName }.sorted { $0.names.lexicographicallyPrecedes($1.names) }.map { IndexShape.Field($0) }
            for order in orders where fixed.values[order.field] == nil && !order.field.isName {
                fields.append(IndexShape.Field(order.field, order.descending ? .descending : .ascending))
            }
            let shape = IndexShape(everyDepth ? .group : .collection, collection, fields)
            if !fields.isEmpty, !shapes.contains(shape) { shapes.append(shape) }
        }
        return shapes
    }
}

extension IndexShape {
    fileprivate func mayServe(_ query: DocumentQuery) -> Bool {
        // A group below a document would read the group's other documents too.
        collection == query.collection && scope == (query.everyDepth ? .group : .collection)
    }
}

/// Fields that have one value in all documents that fulfil some conditions.
private struct FixedFields {
    private(set) var values: [FieldPath: DocumentValue] = [:]
    private(set) var element: (field: FieldPath, value: DocumentValue)?
    /// Conditions that say more than `values` and `element`.
    private(set) var others: [Filter] = []

    init(_ conditions: [Filter]) {
        for condition in conditions {
            switch condition {
            case .compare(let field, .equal, let value) where value != .null && !value.isNaN: fix(field, value, condition)
            case .unary(let field, .isNull): fix(field, .null, condition)
            case .unary(let field, .isNaN): fix(field, .double(.nan), condition)
            case .compare(let field, .contains, let value) where element == nil && value != .null && !value.isNaN: element = (field, value)
            default: others.append(condition)
            }
        }
    }

    private mutating func fix(_ field: FieldPath, _ value: DocumentValue, _ condition: Filter) {
        if let known = values[field] {
            if known != value { others.append(condition) }
        } else {
            values[field] = value
        }
    }
}

/// An index as it serves one disjunction.
private struct IndexChoice {
    let scan: IndexScan
    /// Fields with a fixed value, whether a range limits the scan, and whether it is in order.
    let rank: [Int]

    init?(_ query: DocumentQuery, _ orders: [DocumentQuery.Order], _ conditions: [Filter], _ shape: IndexShape, isOnly: Bool) {
        let fixed = FixedFields(conditions)
        guard let head = IndexHead(shape, fixed) else { return nil }
        let rest = shape.fields.dropFirst(head.count)
        let needed = Set(orders.map(\.field)).union(conditions.compactMap(\.field))
        // Documents without a field have no key.
        guard rest.allSatisfy({ $0.kind != .contains && needed.contains($0.path) }) else { return nil }
        let direction = IndexChoice.direction(shape, rest, orders.filter { fixed.values[$0.field] == nil || $0.field.isName })
        var range = KeyRange.of(head.key.bytes)
        let limits = rest.first.map { field in fixed.others.filter { $0.field == field.path } } ?? []
        for limit in limits.compactMap(KeyRange.init) {
            let keys = (rest.first?.kind == .descending ? limit.inverted : limit).behind(head.key.bytes)
            range.raise(to: keys.lower)
            range.cut(at: keys.upper)
        }
        if let direction { IndexCursors(shape, fixed, head.key, query, isReversed: direction).limit(&range, query) }
        let isBounded = range != KeyRange.of(head.key.bytes)
        let isExact =
            isOnly && !head.key.isCut && query.start == nil && query.end == nil && !query.isBelowDocumentInGroup
            && fixed.others.allSatisfy { limits.contains($0) && $0.isExactRange }
            && head.covers(fixed) && orders.allSatisfy { order in order.field.isName || shape.fields.contains { $0.path == order.field } }
        scan = IndexScan(
            shape: shape, lower: range.lower.bytes ?? [], upper: range.lower.bytes == nil ? [] : range.upper.bytes,
            isReversed: direction ?? false, isOrdered: direction != nil, isExact: isExact)
        rank = [head.count, isBounded ? 1 : 0, direction != nil ? 1 : 0]
    }

    /// Whether the rest of the index must be read in reverse to be in order; nil if it is in no such order.
    private static func direction(
        _ shape: IndexShape, _ rest: ArraySlice<IndexShape.Field>, _ orders: [DocumentQuery.Order]
    ) -> Bool? {
        // Orders behind the name say nothing more.
        let named = orders.prefix { !$0.field.isName }
        guard named.count == rest.count, let name = orders.dropFirst(named.count).first else { return nil }
        let isReversed = name.descending != shape.isNameDescending
        for (field, order) in zip(rest, named) {
            if field.path != order.field || (field.kind == .descending) == (order.descending == isReversed) { return nil }
        }
        return isReversed
    }
}

extension DocumentQuery {
    fileprivate var isBelowDocumentInGroup: Bool { everyDepth && parent != nil }
}

/// The first fields of an index, as far as conditions fix them.
private struct IndexHead {
    private(set) var key = OrderedKey()
    private(set) var count = 0
    private var fields: Set<FieldPath> = []
    private var hasElement = false

    /// Returns nil if the index has an array field that the conditions do not fix.
    init?(_ shape: IndexShape, _ fixed: FixedFields) {
        for field in shape.fields {
            if field.kind == .contains {
                guard let element = fixed.element, element.field == field.path else { break }
                key.append(element.value)
                hasElement = true
            } else {
                guard let value = fixed.values[field.path] else { break }
                key.append(value, descending: field.kind == .descending)
                fields.insert(field.path)
            }
            count += 1
        }
    }

    func covers(_ fixed: FixedFields) -> Bool { fixed.values.keys.allSatisfy(fields.contains) && (fixed.element == nil || hasElement) }
}

/// The places of a query's cursors in an index that is in its order.
private struct IndexCursors {
    private let shape: IndexShape
    private let fixed: FixedFields
    private let head: OrderedKey
    private let orders: [DocumentQuery.Order]
    private let isReversed: Bool
    private let parent: [PathSegment]

    init(_ shape: IndexShape, _ fixed: FixedFields, _ head: OrderedKey, _ query: DocumentQuery, isReversed: Bool) {
        (orders, parent) = (query.completeOrders, query.parent?.segments ?? [])
        (self.shape, self.fixed, self.head, self.isReversed) = (shape, fixed, head, isReversed)
    }

    func limit(_ range: inout KeyRange, _ query: DocumentQuery) {
        if let start = query.start, let place = place(start) {
            let bound = KeyBound(prefix: place.key, isBehind: place.isWhole ? start.isBefore == isReversed : isReversed)
            if isReversed { range.cut(at: bound) } else { range.raise(to: bound) }
        }
        if let end = query.end, let place = place(end) {
            let bound = KeyBound(prefix: place.key, isBehind: place.isWhole ? end.isBefore == isReversed : !isReversed)
            if isReversed { range.raise(to: bound) } else { range.cut(at: bound) }
        }
    }

    /// Whether a path has its place in the index among documents of equal values.
    private func names(_ path: DocumentPath) -> Bool {
        shape.scope == .group || path.segments.dropLast().elementsEqual(parent + [shape.collection])
    }

    /// The key of a cursor, and whether it is all that the cursor says.
    private func place(_ cursor: DocumentQuery.Cursor) -> (key: [UInt8], isWhole: Bool)? {
        var key = head
        for (order, value) in zip(orders, cursor.values) {
            if order.field.isName {
                guard case .reference(let reference) = value, names(reference.path) else { return (key.bytes, false) }
                shape.append(name: reference.path, to: &key)
                return (key.bytes, !key.isCut)
            }
            if let only = fixed.values[order.field] {
                if only.order(value) == .same { continue }
                return (key.bytes, false)
            }
            var part = OrderedKey()
            part.append(value, descending: order.descending != isReversed)
            key.append(part)
            // Another value may have the same key, and then what follows says nothing.
            if part.isCut { return (key.bytes, false) }
        }
        return (key.bytes, !key.isCut)
    }
}

extension Filter {
    /// The field of a condition.
    var field: FieldPath? {
        switch self {
        case .compare(let field, _, _), .unary(let field, _): field
        case .and, .or: nil
        }
    }

    /// Whether `KeyRange` has exactly the values for which the condition holds.
    fileprivate var isExactRange: Bool {
        guard case .compare(_, let comparison, let operand) = self, [.less, .atMost, .greater, .atLeast].contains(comparison) else { return false }
        var key = OrderedKey()
        key.append(operand)
        return !key.isCut && operand != .null && !operand.isNaN
    }
}
