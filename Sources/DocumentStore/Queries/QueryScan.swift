// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

/// A query that is being answered, by indexes or by examining each document of its collections.
///
/// Of a query with a limit only as many documents are kept as the result needs. A scan in the order of the result stops after the last of them:
///
///     order by n, limit 20                 examines all, keeps 20 (up to 40 until they are sorted)
///     order by n, limit 20, index of n     examines 20
///     no order, limit 20                   examines 20
struct QueryScan {
    private let query: DocumentQuery
    private let orders: [DocumentQuery.Order]
    private let view: DocumentView
    private let budget: QueryBudget
    private let plan: IndexPlan?
    private(set) var examined = 0
    private var bytes = 0

    init(_ query: DocumentQuery, in view: DocumentView, _ budget: QueryBudget) throws {
        (self.query, self.view, self.budget) = (query, view, budget)
        orders = query.completeOrders
        plan = try view.plan(query)
    }

    var indexes: [IndexShape] { plan?.parts.map(\.scan.shape) ?? [] }

    /// Returns counts that need no documents; nil if there are none.
    func counts(_ aggregates: [Aggregate]) throws -> [DocumentValue]? { try plan.flatMap { try view.counts(aggregates, of: query, by: $0) } }

    /// Returns the documents of the result, in order.
    mutating func documents() throws -> [StoredDocument] {
        let most = query.limit.map { $0.addingReportingOverflow(query.offset) }.map { $0.overflow ? .max : $0.partialValue } ?? .max
        guard most > query.offset else { return [] }
        var found: [(document: StoredDocument, bytes: Int)] = []
        for part in try parts() {
            var count = 0
            let isOrdered = try isInOrder(part)
            try examine(part) { scan, document in
                let size = document.fields.size + document.path.size
                found.append((document, size))
                scan.bytes += size
                count += 1
                if isOrdered, count == most { return false }
                if most <= Int.max / 2, found.count >= 2 * most + 64 { scan.keep(most, of: &found) }
                if scan.bytes > scan.budget.resultBytes {
                    if found.count > most { scan.keep(most, of: &found) }
                    if scan.bytes > scan.budget.resultBytes { throw ReadFault.tooExpensive(examined: scan.examined) }
                }
                return true
            }
        }
        keep(most, of: &found)
        return found.dropFirst(query.offset).map { $0.document.selecting(query.select) }
    }

    /// Calls a function with each document that matches, once, in no order. Offset and limit do not count.
    mutating func each(_ body: (inout QueryScan, StoredDocument) throws -> Void) throws {
        var seen: Set<DocumentPath> = []
        let parts = try parts()
        let mayRepeat = plan != nil && parts.count > 1
        for part in parts {
            try examine(part) { scan, document in
                if !mayRepeat || seen.insert(document.path).inserted { try body(&scan, document) }
                return true
            }
        }
    }

    // MARK: Parts

    /// Different parts of indexes may find the same document.
    private enum Part {
        case index(IndexPlan.Part)
        case collection(CollectionRow)
    }

    private func parts() throws -> [Part] {
        if let plan { return plan.parts.map(Part.index) }
        return try view.file.collections(of: query, app: view.app).map(Part.collection)
    }

    /// Whether a part has its documents in the order of the result. Keys that values share may not.
    private func isInOrder(_ part: Part) throws -> Bool {
        switch part {
        case .index(let part): try part.scan.isOrdered && !view.file.hasCutEntry(from: part.lower, to: part.upper)
        case .collection: isInOrderOfNames
        }
    }

    /// Calls a function with the documents of a part that match, until it returns false.
    private mutating func examine(_ part: Part, _ take: (inout QueryScan, StoredDocument) throws -> Bool) throws {
        switch part {
        case .index(let part):
            try view.file.documents(from: part.lower, to: part.upper, descending: part.scan.isReversed) { row, collection in
                try examine(row.document(in: collection, view.bodies), take)
            }
        case .collection(let collection):
            let descending = orders.first.map { $0.field.isName && $0.descending } ?? false
            try view.documents(of: collection, descending: descending) { try examine($0, take) }
        }
    }

    private mutating func examine(_ document: StoredDocument, _ take: (inout QueryScan, StoredDocument) throws -> Bool) throws -> Bool {
        examined += 1
        if let most = budget.examined, examined > most { throw ReadFault.tooExpensive(examined: examined) }
        return try query.matches(document, ordered: orders) ? take(&self, document) : true
    }

    /// Whether documents are examined in the order of the result: those of one collection, ordered by names.
    private var isInOrderOfNames: Bool {
        guard view.isOrdered, query.collection != nil, !query.everyDepth else { return false }
        return orders.first?.field.isName ?? false
    }

    /// Sorts what was found and drops repetitions and all but the first documents.
    private mutating func keep(_ most: Int, of found: inout [(document: StoredDocument, bytes: Int)]) {
        found.sort { DocumentQuery.order($0.document, $1.document, by: orders) == .before }
        var kept: [(document: StoredDocument, bytes: Int)] = []
        for one in found where kept.count < most && kept.last?.document.path != one.document.path { kept.append(one) }
        bytes = kept.reduce(0) { $0 + $1.bytes }
        found = kept
    }
}
