// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The rows of a query with a limit or an offset: those that are skipped, and the result.
///
///     order by n, offset 1, limit 2       rows a:1 | b:2 c:3        result b, c
///     d:0 is added                        rows d:0 | a:1 b:2        added a, removed c
///     a is deleted                        rows d:0 | b:2            lacking: the next row is not known
struct LimitWindow {
    private struct Row {
        /// The values of the query's orders.
        let values: [DocumentValue]
        let path: DocumentPath
        let version: Int64
        /// Kept until the change that brought it has been handled.
        var document: ListenedDocument?
    }

    private let orders: [DocumentQuery.Order]
    private let skipped: Int
    private let limit: Int
    private var rows: [Row] = []
    /// Whether no document of the query is behind the rows.
    private var isComplete: Bool

    /// - Parameter documents: The first documents of the query, as many as `skipped` and `limit` together, or all.
    init?(_ target: ListenTarget, _ documents: [ListenedDocument]) {
        guard case .query(let query) = target.kind, let window = target.window else { return nil }
        (orders, skipped, limit) = (query.orders, window.skipped, window.limit)
        isComplete = documents.count < LimitWindow.count(window.skipped, window.limit)
        rows = documents.map(row)
    }

    /// How many rows must be read.
    static func count(_ skipped: Int, _ limit: Int) -> Int {
        let (sum, overflows) = skipped.addingReportingOverflow(limit)
        return overflows ? .max : sum
    }

    /// Whether rows of the result may be missing.
    var isLacking: Bool { !isComplete && rows.count < LimitWindow.count(skipped, limit) }

    /// The versions of the documents in the result.
    var versions: [DocumentPath: Int64] {
        Dictionary(result.map { ($0.path, $0.version) }) { first, _ in first }
    }

    /// The documents in the result; nil if one of them is not known any more.
    var documents: [DocumentPath: ListenedDocument]? {
        var documents: [DocumentPath: ListenedDocument] = [:]
        for row in result {
            guard let document = row.document else { return nil }
            documents[row.path] = document
        }
        return documents
    }

    private var result: ArraySlice<Row> { rows.dropFirst(skipped).prefix(limit) }

    mutating func apply(_ change: DocumentChange, _ target: ListenTarget) {
        rows.removeAll { $0.path == change.path }
        guard let after = change.after, target.matches(after) else { return }
        let new = row(after)
        let index = rows.firstIndex { isBefore(new, $0) } ?? rows.count
        // The rows behind the last one have not been read, so the document may belong behind some of them.
        if index == rows.count, !isComplete { return }
        rows.insert(new, at: index)
        let most = LimitWindow.count(skipped, limit)
        if rows.count > most {
            rows.removeLast(rows.count - most)
            isComplete = false
        }
    }

    /// Forgets the documents, so that only their places are in memory.
    mutating func dropDocuments() {
        for index in rows.indices { rows[index].document = nil }
    }

    /// The changes against an earlier result; nil if a document is not known or the result is lacking.
    func changes(since versions: [DocumentPath: Int64]) -> [DocumentPath: TargetChange]? {
        if isLacking { return nil }
        var changes: [DocumentPath: TargetChange] = [:]
        var gone = versions
        for row in result {
            let before = gone.removeValue(forKey: row.path)
            if before == row.version { continue }
            guard let document = row.document else { return nil }
            changes[row.path] = before == nil ? .added(document) : .modified(document)
        }
        for path in gone.keys { changes[path] = .removed }
        return changes
    }

    private func row(_ document: ListenedDocument) -> Row {
        Row(
            values: orders.map { document.value(at: $0.field) ?? .null }, path: document.path, version: document.version, document: document)
    }

    private func isBefore(_ a: Row, _ b: Row) -> Bool {
        for (order, (x, y)) in zip(orders, zip(a.values, b.values)) {
            let ordering = x.order(y)
            if ordering != .same { return (ordering == .before) != order.descending }
        }
        return false
    }
}
