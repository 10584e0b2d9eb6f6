// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The rows of a query with a limit or an offset: those that are skipped, and the result.
///
///     order by n, offset 1, limit 2       rows a:1 | b:2 c:3        result b, c
///     d:0 is added                        rows d:0 | a:1 b:2        added a, removed c
///     a is deleted                        rows d:0 | b:2            lacking: the next row is not known
struct LimitWindow {
    private struct Row {
        /// The values of the query's orders, as bytes with their order. Long values are cut, as rows are kept for each different query.
        let key: [UInt8]
        let isCut: Bool
        let path: DocumentPath
        let version: Int64
        /// Kept until the change that brought it has been handled.
        var document: ListenedDocument?

        var bytes: Int { LimitWindow.rowBytes + key.count + path.size }
    }

    /// The bytes of a row without its key and path.
    private static let rowBytes = 200
    /// The bytes of a key that are kept.
    private static let keyBytes = OrderedKey.maximumBytes

    private let orders: [DocumentQuery.Order]
    private let skipped: Int
    private let limit: Int
    private var rows: [Row] = []
    /// Whether no document of the query is behind the rows.
    private var isComplete: Bool
    /// Whether the rows must be read again, as the place of a document was in doubt.
    private var isLost = false
    /// The memory of the rows, without documents.
    private(set) var bytes = 0

    /// - Parameter documents: The first documents of the query, as many as `skipped` and `limit` together, or all.
    init?(_ target: ListenTarget, _ documents: [ListenedDocument]) {
        guard case .query(let query) = target.kind, let window = target.window else { return nil }
        (orders, skipped, limit) = (query.orders, window.skipped, window.limit)
        isComplete = documents.count < LimitWindow.count(window.skipped, window.limit)
        rows = documents.map(row)
        bytes = rows.reduce(0) { $0 + $1.bytes }
    }

    var count: Int { rows.count }

    /// How many rows must be read.
    static func count(_ skipped: Int, _ limit: Int) -> Int {
        let (sum, overflows) = skipped.addingReportingOverflow(limit)
        return overflows ? .max : sum
    }

    /// Whether rows of the result may be missing.
    var isLacking: Bool { isLost || !isComplete && rows.count < LimitWindow.count(skipped, limit) }

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
        if isLost { return }
        if let index = rows.firstIndex(where: { $0.path == change.path }) { bytes -= rows.remove(at: index).bytes }
        guard let after = change.after, target.matches(after) else { return }
        let new = row(after)
        guard let index = place(of: new) else { return lose() }
        // The rows behind the last one have not been read, so the document may belong behind some of them.
        if index == rows.count, !isComplete { return }
        rows.insert(new, at: index)
        bytes += new.bytes
        let most = LimitWindow.count(skipped, limit)
        while rows.count > most {
            bytes -= rows.removeLast().bytes
            isComplete = false
        }
    }

    /// Forgets the rows.
    private mutating func lose() { (rows, bytes, isLost) = ([], 0, true) }

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
        var key = OrderedKey()
        for order in orders where key.bytes.count <= LimitWindow.keyBytes {
            key.append(document.value(at: order.field) ?? .null, descending: order.descending)
        }
        return Row(
            key: Array(key.bytes.prefix(LimitWindow.keyBytes)), isCut: key.bytes.count > LimitWindow.keyBytes, path: document.path,
            version: document.version, document: document)
    }

    /// The place of a new row; nil if cut keys do not tell it.
    private func place(of new: Row) -> Int? {
        for (index, row) in rows.enumerated() {
            guard let precedes = isBefore(new, row) else { return nil }
            if precedes { return index }
        }
        return rows.count
    }

    /// Returns nil if the keys are equal as far as they were kept.
    private func isBefore(_ a: Row, _ b: Row) -> Bool? {
        if (a.isCut || b.isCut) && (a.key.starts(with: b.key) || b.key.starts(with: a.key)) { return nil }
        return a.key.lexicographicallyPrecedes(b.key)
    }
}
