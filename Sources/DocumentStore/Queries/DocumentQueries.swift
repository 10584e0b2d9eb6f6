// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// The bounds of one query.
package struct QueryBudget: Sendable {
    /// The documents that may be examined; nil for as many as the time limit allows.
    package var examined: Int?
    /// The bytes of the documents of the result.
    package var resultBytes: Int
    /// The time after which the query is stopped, also while it compares values, when SQLite does not look at its own time limit.
    package var time: Duration
    /// Whether an index may be made for queries like this.
    package var teaches: Bool

    package init(examined: Int? = nil, resultBytes: Int = 32 << 20, time: Duration = .seconds(10), teaches: Bool = true) {
        (self.examined, self.resultBytes, self.time, self.teaches) = (examined, resultBytes, time, teaches)
    }
}

/// The result of a query: documents in order, of one version of the database.
package struct DocumentQueryResult<Document: Sendable>: Sendable {
    package let documents: [Document]
    /// The stamp of the last commit that the result has.
    package let stamp: DocumentTime
    /// The documents that were examined.
    package let examined: Int
    /// The indexes that were read; empty if all documents were.
    package let indexes: [IndexShape]
}

/// The results of aggregates over a query.
package struct AggregateResult: Sendable {
    package let values: [DocumentValue]
    package let stamp: DocumentTime
    package let examined: Int
    package let indexes: [IndexShape]
}

/// Documents by name; nil where there is none.
package struct DocumentsResult<Document: Sendable>: Sendable {
    package let documents: [Document?]
    package let stamp: DocumentTime
}

/// Why a read is refused.
package enum ReadFault: Error, Hashable {
    /// The time is before what the log reaches back to, an hour at most.
    case tooOld
    case future
    /// The query examined more documents, found more bytes or took longer than its budget allows.
    case tooExpensive(examined: Int)
    /// Another read exceeded its time limit.
    case tooSlow
}
