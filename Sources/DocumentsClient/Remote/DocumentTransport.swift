// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// A document as the daemon has it.
struct RemoteDocument: Hashable, Sendable, QueriedDocument {
    let path: DocumentPath
    let fields: DocumentFields
    /// The stamp of the commit that last changed it.
    let version: Int64
    let created: Int64

    func value(at field: FieldPath) -> DocumentValue? {
        field.isName ? .reference(SignalboxDocumentModel.DocumentReference(path)) : fields[field]
    }
}

/// Documents of one version of the database. A path without a document is missing.
struct RemoteDocuments: Sendable {
    let stamp: Int64
    let documents: [RemoteDocument]
    /// The hold that a repeated transaction has on them.
    var hold: String?
}

/// A read of a transaction that was repeated: it waits until the documents are free, and holds them until the transaction's commit.
struct HeldRead: Sendable {
    /// The hold of an earlier read of the transaction, to which the documents are added.
    var hold: String?
}

/// A commit, with the number that lets the daemon apply it once.
struct CommitRequest: Sendable {
    struct Read: Hashable, Sendable {
        let path: DocumentPath
        /// Zero for a document that was not there.
        let version: Int64
    }

    struct Condition: Hashable, Sendable {
        let query: DocumentQuery
        let stamp: Int64
    }

    var writes: [ClientWrite]
    var reads: [Read] = []
    var conditions: [Condition] = []
    var client: String
    var batch: Int64
    /// The hold that ends with the commit.
    var hold: String?
}

/// The answer to a commit.
struct CommitAnswer: Hashable, Sendable {
    struct Write: Hashable, Sendable {
        /// The version of the document; nil if there is none now.
        let version: Int64?
        let transforms: [DocumentValue]
    }

    let stamp: Int64
    let writes: [Write]
}

/// A document or a query that a stream is about.
struct StreamTarget: Sendable {
    enum Kind: Hashable, Sendable {
        case document(DocumentPath)
        case query(DocumentQuery)
    }

    let number: Int64
    let kind: Kind
    /// The versions of the documents that the client has of the result; nil to begin anew, or by the token.
    var known: [DocumentPath: Int64]?
}

/// An event of a stream.
enum StreamEvent: Equatable, Sendable {
    struct Change: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case put(RemoteDocument)
            /// The document is in the results of the targets no longer.
            case removed(DocumentPath)
        }

        let targets: [Int64]
        let kind: Kind
    }

    /// The name by which targets are added and removed.
    case opened(String)
    case changes(stamp: Int64, [Change], token: String?)
    case current(Int64, token: String?)
    case reset(Int64)
    case removed(Int64, DocumentError?)
    /// The ID token ends soon.
    case renew
    case failed(DocumentError)
}

/// The daemon as the client sees it.
protocol DocumentTransport: Sendable {
    func documents(_ paths: [DocumentPath], _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments
    func result(of query: DocumentQuery, _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments
    func aggregates(_ aggregates: [(name: String, aggregate: Aggregate)], over query: DocumentQuery) async throws(DocumentError)
        -> [String: DocumentValue]
    func commit(_ request: CommitRequest) async throws(DocumentError) -> CommitAnswer
    /// Streams events until the connection ends or the function returns false.
    func listen(_ targets: [StreamTarget], resume: String?, _ onEvent: @escaping @Sendable (StreamEvent) -> Bool) async throws(DocumentError)
    /// Adds and removes targets of an open stream, which also renews its ID token.
    func change(stream: String, add: [StreamTarget], remove: [Int64]) async throws(DocumentError)
    func close()
}
