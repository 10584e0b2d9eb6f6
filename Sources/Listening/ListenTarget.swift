// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A document or a query that somebody listens to. Equal targets of all streams are matched once.
package struct ListenTarget: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case document(DocumentPath)
        /// A query with complete orders. All who know the target share it.
        indirect case query(DocumentQuery)
    }

    package let kind: Kind
    /// The documents that a read of the result may examine; nil for any number.
    package let mostExamined: Int?

    package init(_ path: DocumentPath) {
        (kind, mostExamined) = (.document(path), nil)
    }

    /// A query; its projection is left to whoever renders the documents.
    package init(_ query: DocumentQuery, examining mostExamined: Int? = nil) {
        var query = query
        query.orders = query.completeOrders
        query.select = nil
        (kind, self.mostExamined) = (.query(query), mostExamined)
    }

    /// Whether a commit may change the result beyond the documents that it changes.
    var isLimited: Bool { window != nil }

    /// The rows of a limited result that must be known: those skipped and those in the result.
    var window: (skipped: Int, limit: Int)? {
        guard case .query(let query) = kind, query.limit != nil || query.offset > 0 else { return nil }
        return (query.offset, query.limit ?? .max)
    }

    /// Whether a document is in the result, apart from offset and limit.
    func matches(_ document: ListenedDocument) -> Bool {
        switch kind {
        case .document(let path): document.path == path
        case .query(let query): query.matches(document, ordered: query.orders)
        }
    }

    /// The meaning of a change for a result without a limit.
    func meaning(of change: DocumentChange) -> TargetChange? {
        TargetChange(change.before.flatMap { matches($0) ? $0 : nil }, change.after.flatMap { matches($0) ? $0 : nil })
    }
}
