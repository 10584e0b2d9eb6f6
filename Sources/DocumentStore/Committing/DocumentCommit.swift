// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel

/// Writes that are made together or not at all, and what they depend on.
package struct DocumentCommit: Sendable {
    /// A document that the writes depend on, with the version that was read; nil if there was none.
    package struct Read: Hashable, Sendable {
        package let path: DocumentPath
        package let version: DocumentTime?

        package init(_ path: DocumentPath, version: DocumentTime?) {
            (self.path, self.version) = (path, version)
        }
    }

    /// A query that the writes depend on, with the stamp of its result.
    package struct Condition: Hashable, Sendable {
        package let query: DocumentQuery
        package let stamp: DocumentTime

        package init(_ query: DocumentQuery, at stamp: DocumentTime) {
            (self.query, self.stamp) = (query, stamp)
        }
    }

    /// The number of a commit in the queue of one client installation. A batch is applied once, however often it is sent.
    package struct Batch: Hashable, Sendable {
        package let client: String
        package let number: Int64

        package init(client: String, number: Int64) {
            (self.client, self.number) = (client, number)
        }

        /// Returns the name of a user's client, apart from those of other users. A space in the user ID is escaped, so that it does not end there.
        ///
        ///     ("phone", ofUser: "ann 7")   →   "user 1 ann%207 phone"
        package static func client(_ name: String, ofUser uid: String, app: AppID) -> String {
            let uid = uid.replacing("%", with: "%25").replacing(" ", with: "%20")
            return "\(ofUsers(app))\(uid) \(name)"
        }

        /// The beginning of the names of all users' clients.
        static func ofUsers(_ app: AppID) -> String { "user \(app.rawValue) " }
    }

    package var writes: [DocumentWrite]
    package var reads: [Read] = []
    package var conditions: [Condition] = []
    package var batch: Batch?
    /// The user to whom rules apply; nil for none.
    package var principal: RulePrincipal?
    /// The number of runs of functions that led to the commit, one by the other; 0 for none.
    package var depth = 0
    /// Whether a reader has checked the conditions up to their stamps, after an attempt for which they were too much work.
    var isChecked = false
    /// Takes the bytes of documents that the writes of a user read and make, once rules allow them. It throws to refuse the commit.
    package var charge: (@Sendable (Int) throws -> Void)?
    /// Decides on the commit between reading and writing. It throws to refuse the commit.
    package var decide: (@Sendable (PreparedCommit) throws -> Void)?

    package init(_ writes: [DocumentWrite]) {
        self.writes = writes
    }

    /// Whether a write may change a document.
    var mayChange: Bool {
        writes.contains { write in
            if case .verify = write.change { false } else { true }
        }
    }

    /// Whether the commit leaves no more data than there is. The answer to a batch is stored, which takes a few bytes: one without a deletion
    /// adds data.
    package var onlyRemoves: Bool { writes.allSatisfy(\.onlyRemoves) && (batch == nil || mayChange) }

    /// The memory that the commit holds while it waits.
    var bytes: Int {
        writes.reduce(64 * (reads.count + conditions.count)) { sum, write in
            var bytes = write.path.size + 128 + 64 * write.transforms.count + write.contentBytes
            if case .set(let fields, let mask) = write.change { bytes += fields.size + 64 * (mask?.count ?? 0) }
            return sum + bytes
        }
    }
}

extension DocumentWrite {
    /// The bytes of the values that the write has.
    var contentBytes: Int {
        var bytes = transforms.reduce(0) { $0 + $1.transform.operandBytes }
        if case .set(let fields, _) = change { bytes += fields.size }
        return bytes
    }
}

extension FieldTransform {
    fileprivate var operandBytes: Int {
        switch self {
        case .now: 0
        case .increment(let value), .maximum(let value), .minimum(let value): value.size
        case .union(let values), .remove(let values): values.reduce(0) { $0 + $1.size }
        }
    }
}

/// The result of a commit.
package struct CommitResult: Hashable, Sendable {
    package struct Write: Hashable, Sendable {
        /// When the document was last changed; nil if there is none. A write that changes nothing keeps the old stamp.
        package let version: DocumentTime?
        /// A value for each transform.
        package let results: [DocumentValue]

        package init(version: DocumentTime?, results: [DocumentValue]) {
            (self.version, self.results) = (version, results)
        }
    }

    /// The stamp of the commit. Stamps grow with every commit.
    package let stamp: DocumentTime
    package let writes: [Write]

    package init(stamp: DocumentTime, writes: [Write]) {
        (self.stamp, self.writes) = (stamp, writes)
    }
}

/// Why a commit is refused.
package enum CommitFault: Error, Hashable {
    /// The precondition of a write does not hold.
    case write(Int, DocumentPath, WriteFault)
    /// A write would make a document that cannot be stored.
    case document(Int, DocumentPath, DocumentFault)
    /// A document or the result of a query was changed since it was read.
    case conflict
    /// A later batch of the same client was applied before.
    case oldBatch(last: Int64)
    case tooManyWrites
    /// The writes of a user, or of a client without a token, read and make too many bytes of documents.
    case tooManyBytes
    /// A document would have too many entries in indexes.
    case tooManyEntries(DocumentPath)
    case notADocument(Int)
}

/// A commit before it is written: each document as it is and as it will be.
package struct PreparedCommit {
    /// The effect of one write.
    package struct Effect {
        package let write: DocumentWrite
        package let before: StoredDocument?
        package let after: StoredDocument?
    }

    package let stamp: DocumentTime
    package let effects: [Effect]
    let after: [DocumentPath: StoredDocument?]
    let stored: (DocumentPath) throws -> StoredDocument?

    /// A document without the commit.
    package func document(_ path: DocumentPath) throws -> StoredDocument? { try stored(path) }

    /// A document as it is with the commit.
    package func documentAfter(_ path: DocumentPath) throws -> StoredDocument? {
        if let known = after[path] { return known }
        return try stored(path)
    }
}
