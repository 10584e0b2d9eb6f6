// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The result of a target in memory, as its listeners see it.
///
/// `base` has what the daemon said, and what it confirmed of the app's own writes. The view is `base` under queued writes, in the query's order.
struct TargetView {
    /// The changes that are made one by one; more are made by sorting all documents.
    private static let fewChanges = 16

    let kind: StreamTarget.Kind
    private let orders: [DocumentQuery.Order]
    private(set) var base: [DocumentPath: RemoteDocument] = [:]
    private var viewed: [DocumentPath: ViewedDocument] = [:]
    /// All matching documents in order; a limit is applied when they are shown.
    private var sorted: [ViewedDocument] = []

    init(_ kind: StreamTarget.Kind) {
        self.kind = kind
        if case .query(let query) = kind { orders = query.completeOrders } else { orders = [] }
    }

    func covers(_ path: DocumentPath) -> Bool {
        switch kind {
        case .document(let own): path == own
        case .query(let query): query.covers(path)
        }
    }

    /// The documents of the result in order.
    var documents: [ViewedDocument] {
        guard case .query(let query) = kind, let limit = query.limit else { return sorted }
        return Array(sorted.prefix(limit))
    }

    /// Begins anew with these documents.
    mutating func replace(_ documents: [RemoteDocument], _ overlay: Overlay) {
        base = Dictionary(documents.map { ($0.path, $0) }) { $1 }
        rebuild(overlay)
    }

    /// Sets what the daemon said of documents; nil for one that is not in the result.
    mutating func set(_ changes: [(path: DocumentPath, document: RemoteDocument?)], _ overlay: Overlay) {
        for change in changes { base[change.path] = change.document }
        refresh(changes.map(\.path), overlay)
    }

    /// Computes documents anew.
    mutating func refresh(_ paths: [DocumentPath], _ overlay: Overlay) {
        // Each insertion moves the documents behind it.
        if paths.count > TargetView.fewChanges { return rebuild(overlay) }
        for path in paths where covers(path) { refresh(path, overlay) }
    }

    private mutating func rebuild(_ overlay: Overlay) {
        viewed = [:]
        for path in Set(base.keys).union(overlay.paths.filter(covers)) {
            if let document = shown(path, overlay) { viewed[path] = document }
        }
        sorted = viewed.values.sorted { DocumentQuery.order($0, $1, by: orders) == .before }
    }

    private mutating func refresh(_ path: DocumentPath, _ overlay: Overlay) {
        let new = shown(path, overlay)
        if let old = viewed[path] {
            if old == new { return }
            sorted.remove(at: place(of: old))
        }
        viewed[path] = new
        if let new { sorted.insert(new, at: place(of: new)) }
    }

    private func shown(_ path: DocumentPath, _ overlay: Overlay) -> ViewedDocument? {
        guard let document = overlay.view(path, over: base[path]) else { return nil }
        guard case .query(let query) = kind else { return document }
        return query.matches(document, ordered: orders) ? document : nil
    }

    /// The index of the first document that is not before this one. Orders end with the name, so no two documents are equal.
    private func place(of document: ViewedDocument) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if DocumentQuery.order(sorted[middle], document, by: orders) == .before { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
