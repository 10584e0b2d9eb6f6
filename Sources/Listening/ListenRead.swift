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
    /// The client that waits for it. Nil for the rows of a limited result, which are for all subscribers of the target and held by no stream.
    package let client: ListenClient?
    /// Whether a server is among the subscribers for whom rows without a client are.
    package var isForServers = false

    package var group: Group {
        switch (what, target.kind) {
        case (.result(let most), _): .result(target, atMost: most)
        case (.changes, .query(let query)): .changes(collection: query.collection, below: query.parent, everyDepth: query.everyDepth)
        case (.changes, .document(let path)): .changesOf(path)
        }
    }
}

extension ListenRead {
    /// The rows of a limited result up to which a read is short.
    private static let rowsOfShort = 100

    /// Whether the read finds few documents. Such reads do not wait behind large results.
    package var isShort: Bool {
        guard case .result(let most) = what else { return false }
        if case .document = target.kind { return true }
        return most <= ListenRead.rowsOfShort
    }

    /// Whether only users, and addresses with an ingest key alone, wait for it.
    package var isForUsers: Bool { client.map { $0 != .server } ?? !isForServers }
}

/// The result of a read, from one version of the file.
package enum ListenAnswer: Hashable, Sendable {
    case result([ListenedDocument], at: Int64)
    case changes([DocumentChange], at: Int64)
    /// The log does not reach back far enough, or has too much.
    case gone

    /// The bytes of the documents that a stream may have to send.
    package var bytes: Int {
        switch self {
        case .result(let documents, _): documents.reduce(0) { $0 + $1.bytes }
        case .changes(let changes, _): changes.reduce(0) { $0 + ($1.after?.bytes ?? 0) }
        case .gone: 0
        }
    }
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
