// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

/// A query that examines each document of its collections.
///
/// Of a query with a limit only as many documents are kept as the result needs. A query in the order of names stops after the last of them:
///
///     order by n, limit 20     examines all, keeps 20 (up to 40 until they are sorted)
///     no order, limit 20       examines 20
struct QueryScan {
    private let query: DocumentQuery
    private let orders: [DocumentQuery.Order]
    private let view: DocumentView
    private let budget: QueryBudget
    private(set) var examined = 0
    private var bytes = 0

    init(_ query: DocumentQuery, in view: DocumentView, _ budget: QueryBudget) {
        (self.query, self.view, self.budget) = (query, view, budget)
        orders = query.completeOrders
    }

    /// Returns the documents of the result, in order.
    mutating func documents() throws -> [StoredDocument] {
        let most = query.limit.map { $0.addingReportingOverflow(query.offset) }.map { $0.overflow ? .max : $0.partialValue } ?? .max
        guard most > query.offset else { return [] }
        var found: [(document: StoredDocument, bytes: Int)] = []
        let stopsEarly = try isInOrderOfScan()
        try each { scan, document in
            let size = document.fields.size + document.path.size
            found.append((document, size))
            scan.bytes += size
            if stopsEarly, found.count == most { return false }
            if !stopsEarly, most <= Int.max / 2, found.count >= 2 * most + 64 { scan.keep(most, of: &found) }
            if scan.bytes > scan.budget.resultBytes {
                if !stopsEarly, found.count > most { scan.keep(most, of: &found) }
                if scan.bytes > scan.budget.resultBytes { throw ReadFault.tooExpensive(examined: scan.examined) }
            }
            return true
        }
        if !stopsEarly { keep(most, of: &found) }
        return found.dropFirst(query.offset).map { $0.document.selecting(query.select) }
    }

    /// Calls a function with each document that matches, in no order, until it returns false. Offset and limit do not count.
    mutating func each(_ body: (inout QueryScan, StoredDocument) throws -> Bool) throws {
        let descending = orders.first.map { $0.field.isName && $0.descending } ?? false
        var wantsMore = true
        for collection in try view.file.collections(of: query, app: view.app) where wantsMore {
            try view.documents(of: collection, descending: descending) { document in
                examined += 1
                if let most = budget.examined, examined > most { throw ReadFault.tooExpensive(examined: examined) }
                if query.matches(document) { wantsMore = try body(&self, document) }
                return wantsMore
            }
        }
    }

    /// Whether documents are examined in the order of the result: one collection, ordered by names.
    private func isInOrderOfScan() throws -> Bool {
        guard view.isOrdered, query.collection != nil, !query.everyDepth else { return false }
        return orders.first?.field.isName ?? false
    }

    /// Sorts what was found and drops all but the first documents.
    private mutating func keep(_ most: Int, of found: inout [(document: StoredDocument, bytes: Int)]) {
        found.sort { DocumentQuery.order($0.document, $1.document, by: orders) == .before }
        while found.count > most { bytes -= found.removeLast().bytes }
    }
}
