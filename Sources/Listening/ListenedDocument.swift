// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A document at a version, as listeners get it.
package struct ListenedDocument: QueriedDocument, Hashable, Sendable {
    package let path: DocumentPath
    package let fields: DocumentFields
    package let created: Int64
    package let version: Int64
    /// The size of path and fields. It is computed once, as a change may wait for thousands of streams.
    package let bytes: Int

    package init(_ path: DocumentPath, _ fields: DocumentFields, created: Int64 = 0, version: Int64) {
        (self.path, self.fields, self.created, self.version) = (path, fields, created, version)
        bytes = path.size + fields.size
    }

    package func value(at field: FieldPath) -> DocumentValue? {
        field.isName ? .reference(DocumentReference(path)) : fields[field]
    }
}

/// A document before and after a commit, or before and after several of them.
package struct DocumentChange: Hashable, Sendable {
    package let path: DocumentPath
    package let before: ListenedDocument?
    package let after: ListenedDocument?

    package init(_ path: DocumentPath, before: ListenedDocument?, after: ListenedDocument?) {
        (self.path, self.before, self.after) = (path, before, after)
    }

    /// The bytes of both versions.
    package var bytes: Int { Self.overhead + (before?.bytes ?? 0) + (after?.bytes ?? 0) }

    /// The bytes of a change without its documents.
    fileprivate static let overhead = 64

    func followed(by later: DocumentChange) -> DocumentChange {
        DocumentChange(path, before: before, after: later.after)
    }
}

/// The changes of one commit.
package struct ListenedCommit: Sendable {
    package let stamp: Int64
    package let changes: [DocumentChange]

    package init(stamp: Int64, changes: [DocumentChange]) {
        (self.stamp, self.changes) = (stamp, changes)
    }

    /// The changes of several commits, each document once. A document that came and went is not among them.
    static func net(_ commits: [ListenedCommit]) -> [DocumentChange] {
        if commits.count == 1 { return commits[0].changes }
        var (changes, places) = ([DocumentChange](), [DocumentPath: Int]())
        for change in commits.lazy.flatMap(\.changes) {
            let place = places[change.path, default: changes.count]
            if place < changes.count {
                changes[place] = changes[place].followed(by: change)
            } else {
                places[change.path] = place
                changes.append(change)
            }
        }
        return changes.filter { $0.before != nil || $0.after != nil }
    }
}

/// The meaning of a document's change for the result of a target.
package enum TargetChange: Hashable, Sendable {
    case added(ListenedDocument)
    case modified(ListenedDocument)
    case removed

    /// Returns nil if the document is in the result neither before nor after.
    init?(_ before: ListenedDocument?, _ after: ListenedDocument?) {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, let after?): self = .added(after)
        case (_?, nil): self = .removed
        case (_?, let after?): self = .modified(after)
        }
    }

    /// The bytes of the document that is sent.
    var bytes: Int { document?.bytes ?? DocumentChange.overhead }

    package var document: ListenedDocument? {
        switch self {
        case .added(let document), .modified(let document): document
        case .removed: nil
        }
    }

    /// The net change for a client that has seen neither of the two; nil if there is none.
    ///
    ///     added, then modified   →   added        added, then removed   →   nothing
    ///     removed, then added    →   modified
    func followed(by later: TargetChange) -> TargetChange? {
        switch (self, later) {
        case (.added, .removed): nil
        case (.added, .added(let document)), (.added, .modified(let document)): .added(document)
        case (.removed, .added(let document)), (.removed, .modified(let document)): .modified(document)
        case (.modified, _), (.removed, .removed): later
        }
    }
}
