// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The differences between two results. Each has the places in the list to which those before it have been applied.
///
///     a, b, c → c, d, a′   removes b at 1, adds d at 2, moves a from 0 to 2
struct ViewChanges {
    struct Change: Equatable {
        /// The document after the change; for a removal, before it.
        let document: ViewedDocument
        let old: Int?
        let new: Int?
    }

    private(set) var all: [Change] = []
    /// The earlier result with the changes so far.
    private var list: [ViewedDocument]
    private let precedes: (ViewedDocument, ViewedDocument) -> Bool

    /// - Parameters:
    ///   - withMetadata: Whether a document counts as modified when only the state of its writes is another.
    ///   - precedes: The order of both results, in which no two documents are equal.
    init(
        from before: [ViewedDocument], to after: [ViewedDocument], withMetadata: Bool,
        by precedes: @escaping (ViewedDocument, ViewedDocument) -> Bool
    ) {
        (list, self.precedes) = (before, precedes)
        let earlier = Dictionary(before.map { ($0.path, $0) }) { $1 }
        remove(besides: Set(after.map(\.path)))
        insert(after.filter { earlier[$0.path] == nil })
        for document in after {
            guard let old = earlier[document.path] else { continue }
            if old.fields != document.fields || withMetadata && old != document { replace(old, by: document) }
        }
    }

    private mutating func remove(besides kept: Set<DocumentPath>) {
        var rest: [ViewedDocument] = []
        for document in list {
            if kept.contains(document.path) { rest.append(document) } else { all.append(Change(document: document, old: rest.count, new: nil)) }
        }
        list = rest
    }

    private mutating func insert(_ added: [ViewedDocument]) {
        var merged: [ViewedDocument] = []
        var rest = list[...]
        for document in added {
            let place = self.place(of: document, in: rest)
            merged += rest[..<place]
            rest = rest[place...]
            all.append(Change(document: document, old: nil, new: merged.count))
            merged.append(document)
        }
        list = merged + rest
    }

    private mutating func replace(_ earlier: ViewedDocument, by document: ViewedDocument) {
        let old = place(of: earlier, in: list[...])
        var new = old
        let isBehind = old == 0 || precedes(list[old - 1], document)
        let isAhead = old + 1 == list.count || precedes(document, list[old + 1])
        if isBehind && isAhead {
            list[old] = document
        } else {
            list.remove(at: old)
            new = place(of: document, in: list[...])
            list.insert(document, at: new)
        }
        all.append(Change(document: document, old: old, new: new))
    }

    /// The index of the first document that is not before this one.
    private func place(of document: ViewedDocument, in list: ArraySlice<ViewedDocument>) -> Int {
        var (low, high) = (list.startIndex, list.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if precedes(list[middle], document) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
