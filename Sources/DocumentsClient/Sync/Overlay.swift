// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// A document as the app sees it: what the daemon said, changed by queued writes.
struct ViewedDocument: Hashable, Sendable, QueriedDocument {
    let path: DocumentPath
    let fields: DocumentFields
    /// Zero for a document that the daemon does not have yet.
    let version: Int64
    let created: Int64
    let hasPendingWrites: Bool

    func value(at field: FieldPath) -> DocumentValue? {
        field.isName ? .reference(SignalboxDocumentModel.DocumentReference(path)) : fields[field]
    }
}

/// The queued writes of each document, in order.
struct Overlay {
    private var writes: [DocumentPath: [(number: Int64, at: DocumentTime, change: DocumentWrite)]] = [:]

    /// The documents that queued writes change.
    var paths: some Collection<DocumentPath> { writes.keys }

    func has(_ path: DocumentPath) -> Bool { writes[path] != nil }

    mutating func add(_ pending: PendingWrites) {
        let at = DocumentTime(microseconds: pending.at) ?? .epoch
        for change in pending.changes { writes[change.path, default: []].append((pending.number, at, change)) }
    }

    mutating func remove(_ pending: PendingWrites) {
        for path in Set(pending.changes.map(\.path)) {
            writes[path]?.removeAll { $0.number == pending.number }
            if writes[path]?.isEmpty ?? false { writes[path] = nil }
        }
    }

    /// Applies the queued writes of a document; nil if there is none then.
    ///
    ///     {visits: 3}, queued: visits + 1, name = "Ann"   →   {visits: 4, name: "Ann"} with pending writes
    func view(_ path: DocumentPath, over base: RemoteDocument?) -> ViewedDocument? {
        var fields = base?.fields
        let queued = writes[path] ?? []
        for (_, at, change) in queued {
            // A write whose precondition fails here is left out; the daemon decides about it.
            if let outcome = try? change.apply(to: fields, version: base.flatMap { DocumentTime(microseconds: $0.version) }, at: at) {
                fields = outcome.fields
            }
        }
        guard let fields else { return nil }
        return ViewedDocument(
            path: path, fields: fields, version: base?.version ?? 0, created: base?.created ?? 0, hasPendingWrites: !queued.isEmpty)
    }
}
