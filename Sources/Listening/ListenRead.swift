// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// Something that a reader must read for a target.
package struct ListenRead: Hashable, Sendable {
    package enum What: Hashable, Sendable {
        /// The documents of the result in order, at most so many.
        case result(atMost: Int)
        /// The changes of documents that the target may be about, since a commit.
        case changes(since: Int64)
    }

    /// A property that reads have in common which are made together.
    package enum Group: Hashable, Sendable {
        /// The result of a target, which is read once.
        case result(ListenTarget, atMost: Int)
        /// The changes in the collections of queries, which are found in one pass over the log.
        case changes(collection: PathSegment?, below: DocumentPath?, everyDepth: Bool)
        case changesOf(DocumentPath)
    }

    package let id: Int
    package let target: ListenTarget
    package let what: What

    package var group: Group {
        switch (what, target.kind) {
        case (.result(let most), _): .result(target, atMost: most)
        case (.changes, .query(let query)): .changes(collection: query.collection, below: query.parent, everyDepth: query.everyDepth)
        case (.changes, .document(let path)): .changesOf(path)
        }
    }
}

/// The result of a read, from one version of the file.
package enum ListenAnswer: Hashable, Sendable {
    case result([ListenedDocument], at: Int64)
    case changes([DocumentChange], at: Int64)
    /// The log does not reach back far enough.
    case gone
}

/// The start of a target.
package enum ListenStart: Hashable, Sendable {
    case anew
    /// From the beginning, with a client that may have documents of it, which it must forget.
    case reset
    /// With documents that the client has, by version.
    case known([DocumentPath: Int64])
    /// After a commit up to which the client has the result.
    case since(Int64)
}
