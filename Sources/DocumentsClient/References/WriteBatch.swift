// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

/// Writes that are made together: all of them, or none. A batch has at most 500.
///
/// ```swift
/// try await documents.batch()
///     .set(order, ["state": "paid"], merge: true)
///     .update(user, ["orders": .increment(1)])
///     .commit()
/// ```
public struct WriteBatch: Sendable {
    private let documents: Documents
    private var writes: Result<[ClientWrite], DocumentError> = .success([])

    init(documents: Documents) {
        self.documents = documents
    }

    /// Replaces a document, or with `merge` sets the given fields only.
    public func set(_ document: DocumentReference, _ fields: [String: FieldValue], merge: Bool = false) -> WriteBatch {
        adding { () throws(DocumentError) in try ClientWrite(setting: document, fields, merge: merge) }
    }

    /// Replaces a document by the fields of a value, or with `merge` sets these fields only.
    public func set(_ document: DocumentReference, _ value: some Encodable, merge: Bool = false) -> WriteBatch {
        adding { () throws(DocumentError) in try ClientWrite(setting: document, try DocumentEncoder().encode(value), merge: merge) }
    }

    /// Makes a document that must not exist.
    public func create(_ document: DocumentReference, _ fields: [String: FieldValue]) -> WriteBatch {
        adding { () throws(DocumentError) in
            var write = try ClientWrite(setting: document, fields, merge: false)
            write.precondition = .exists(false)
            return write
        }
    }

    /// Changes fields of a document that exists. The names are paths, such as `address.city`.
    public func update(_ document: DocumentReference, _ fields: [String: FieldValue]) -> WriteBatch {
        adding { () throws(DocumentError) in try ClientWrite(updating: document, fields) }
    }

    /// Deletes a document.
    public func delete(_ document: DocumentReference) -> WriteBatch {
        adding { () throws(DocumentError) in ClientWrite(try document.checked(), .delete) }
    }

    private func adding(_ write: () throws(DocumentError) -> ClientWrite) -> WriteBatch {
        guard case .success(let all) = writes else { return self }
        var changed = self
        do throws(DocumentError) { changed.writes = .success(all + [try write()]) } catch { changed.writes = .failure(error) }
        return changed
    }

    /// Queues the writes and returns when the daemon has confirmed them. Offline, it waits until the daemon can be reached.
    ///
    /// - Throws: The daemon's refusal, after which the writes are undone here.
    public func commit() async throws(DocumentError) {
        try await enqueue().confirmation()
    }

    /// Queues the writes and returns as soon as they are on the disk. They are shown from then on, and sent in the order of the calls.
    @discardableResult
    public func enqueue() async throws(DocumentError) -> QueuedWrite {
        QueuedWrite(outcome: try await documents.engine().enqueue(try writes.get()))
    }
}

/// Writes that are on the disk and will be sent.
public struct QueuedWrite: Sendable {
    let outcome: WriteOutcome

    /// Returns when the daemon has confirmed the writes.
    ///
    /// - Throws: The daemon's refusal; ``DocumentError`` with the code `cancelled` if the task is cancelled, and the writes stay queued.
    public func confirmation() async throws(DocumentError) { try await outcome.wait() }
}

extension ClientWrite {
    init(setting document: DocumentReference, _ fields: [String: FieldValue], merge: Bool) throws(DocumentError) {
        let written = try WrittenFields(fields)
        self.init(try document.checked(), merge ? .merge(written) : .set(written))
    }

    init(updating document: DocumentReference, _ fields: [String: FieldValue]) throws(DocumentError) {
        var written: [WrittenFields.Field] = []
        for field in try WrittenFields(fields).all {
            if field.value.hasDeletionWithin { throw .invalid("A field within a map can be deleted by its path only: \(field.name)") }
            written.append(WrittenFields.Field(name: PathCheck.field(field.name)?.description ?? field.name, value: field.value))
        }
        self.init(try document.checked(), .update(WrittenFields(written)))
    }
}
