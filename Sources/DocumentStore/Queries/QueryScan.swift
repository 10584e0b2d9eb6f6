// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
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
    private let fields: ScannedFields
    private let isShort: Bool
    private let end: ContinuousClock.Instant
    private(set) var examined = 0
    /// The changes that were read to find the states of an earlier version.
    private var changes = 0
    /// The bytes of the documents that were examined.
    private var readBytes = 0
    private var bytes = 0

    /// - Parameter isShort: Whether `LongRead` is thrown when it takes longer than a few documents.
    init(_ query: DocumentQuery, in view: DocumentView, _ budget: QueryBudget, isShort: Bool = false) throws {
        (self.query, self.view, self.budget, self.isShort) = (query, view, budget, isShort)
        end = .now + budget.time
        orders = query.completeOrders
        fields = ScannedFields(query.comparedFields)
        plan = try view.plan(query)
        if isShort, try !mayBeShort { throw LongRead() }
    }

    /// Whether the documents that are examined may be few: those of one index, of a small collection, or of one in the order of names.
    private var mayBeShort: Bool {
        get throws {
            if let plan { return plan.parts.count <= 1 }
            if isInOrderOfNames { return true }
            let documents = try query.everyDepth ? nil : view.file.collections(of: query, app: view.app).reduce(0) { $0 + $1.documents }
            return documents.map { $0 <= LongRead.examined } ?? false
        }
    }

    var indexes: [IndexShape] { plan?.parts.map(\.scan.shape) ?? [] }

    /// Returns counts that need no documents; nil if there are none.
    func counts(_ aggregates: [Aggregate]) throws -> [DocumentValue]? { try plan.flatMap { try view.counts(aggregates, of: query, by: $0) } }

    /// Returns the documents of the result, in order.
    mutating func documents() throws -> [EncodedDocument] {
        let selection = query.select.map { FieldSelection($0) }
        return try results().map { try $0.document.selecting(selection, view.bodies) }
    }

    /// Returns the documents of the result, in order, with the fields that were read.
    mutating func results() throws -> ArraySlice<FoundDocument> {
        let most = query.limit.map { $0.addingReportingOverflow(query.offset) }.map { $0.overflow ? .max : $0.partialValue } ?? .max
        guard most > query.offset else { return [] }
        return try found(most).dropFirst(query.offset)
    }

    /// Returns the first documents that match, in order.
    private mutating func found(_ most: Int) throws -> [FoundDocument] {
        var (found, mustSort) = ([FoundDocument](), false)
        let parts = try parts()
        for part in parts {
            var count = 0
            let isOrdered = try isInOrder(part)
            mustSort = parts.count > 1 || !isOrdered
            try examine(part, inOrder: isOrdered) { scan, document in
                let one = try document.found()
                found.append(one)
                scan.bytes += one.bytes
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
        if mustSort { keep(most, of: &found) }
        return found
    }

    /// Calls a function with each document that matches, once, in no order. Offset and limit do not count.
    mutating func each(_ body: (inout QueryScan, ScannedDocument) throws -> Void) throws {
        var seen: Set<DocumentPath> = []
        let parts = try parts()
        let mayRepeat = plan != nil && parts.count > 1
        for part in parts {
            try examine(part, inOrder: false) { scan, document in
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
    private mutating func examine(_ part: Part, inOrder: Bool, _ take: (inout QueryScan, ScannedDocument) throws -> Bool) throws {
        do { try examineAll(of: part, inOrder: inOrder, take) } catch let error as SQLiteError where error.code.primary == .interrupted {
            throw ReadFault.tooExpensive(examined: examined)
        }
    }

    private mutating func examineAll(of part: Part, inOrder: Bool, _ take: (inout QueryScan, ScannedDocument) throws -> Bool) throws {
        switch part {
        case .index(let part):
            try view.file.documents(from: part.lower, to: part.upper, descending: part.scan.isReversed) { row, collection in
                try examine(row, collection, take)
            }
        case .collection(let collection):
            let rest = budget.examined.map { max(0, $0 - examined - changes) } ?? .max
            let earlier = try view.earlierStates(in: collection, atMost: rest, bytes: budget.resultBytes)
            changes += earlier?.changes ?? 0
            try view.rows(of: collection, descending: inOrder ? orders.first?.descending : nil, earlier) { try examine($0, collection.path, take) }
        }
    }

    private mutating func examine(
        _ row: ScannedRow, _ collection: DocumentPath, _ take: (inout QueryScan, ScannedDocument) throws -> Bool
    ) throws -> Bool {
        examined += 1
        if isShort, examined > LongRead.examined || readBytes > LongRead.scannedBytes { throw LongRead() }
        if let most = budget.examined, examined + changes > most { throw ReadFault.tooExpensive(examined: examined + changes) }
        // Not at each document, as the clock costs as much as a small one.
        if examined % 16 == 1, ContinuousClock.now > end { throw ReadFault.tooExpensive(examined: examined + changes) }
        let document = try ScannedDocument(row, in: collection, fields, view.bodies)
        readBytes += document.bodyBytes
        // Only an index of a group has documents of other collections.
        if query.everyDepth, !query.covers(document.path) { return true }
        return try query.selects(document, ordered: orders) ? take(&self, document) : true
    }

    /// Whether documents are examined in the order of the result: those of one collection, ordered by names.
    private var isInOrderOfNames: Bool {
        guard view.isOrdered, query.collection != nil, !query.everyDepth else { return false }
        return orders.first?.field.isName ?? false
    }

    /// Sorts what was found and drops repetitions and all but the first documents.
    private mutating func keep(_ most: Int, of found: inout [FoundDocument]) {
        found.sort { DocumentQuery.order($0, $1, by: orders) == .before }
        var kept: [FoundDocument] = []
        for one in found where kept.count < most && kept.last?.path != one.path { kept.append(one) }
        bytes = kept.reduce(0) { $0 + $1.bytes }
        found = kept
    }
}

/// Thrown by a read that was taken for a short one and takes longer. It is made again apart from others (`GroupReader`).
struct LongRead: Error {
    /// The most documents by name, and the bytes that may be decoded of them and of those that rules read.
    static let (documents, bytes) = (20, 64 << 10)
    /// The most documents that a query may examine, and their bytes, of which only compared fields are decoded.
    static let (examined, scannedBytes) = (200, 256 << 10)

    /// Whether the documents that rules read were too large. Then the decision was not counted.
    var isOfRules = false
}
