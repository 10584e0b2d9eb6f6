// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

/// The reads and writes of one attempt of a transaction. Reads come before writes.
public final class Transaction: Sendable {
    private struct State {
        var reads: [DocumentPath: Int64] = [:]
        var conditions: [CommitRequest.Condition] = []
        var writes: [ClientWrite] = []
        var failure: DocumentError?
        var hold: String?
        var wasHeld = false
    }

    private let engine: DocumentEngine
    /// Whether the daemon holds what is read, because an earlier attempt met a conflict.
    private let holdsReads: Bool
    private let state = Locked(State())

    init(_ engine: DocumentEngine, holdsReads: Bool) {
        (self.engine, self.holdsReads) = (engine, holdsReads)
    }

    /// Whether the daemon has held documents that were read.
    var wasHeld: Bool { state.withLock { $0.wasHeld } }

    /// Returns a document as the daemon has it.
    public func get(_ document: DocumentReference) async throws(DocumentError) -> DocumentSnapshot {
        try checkOrder()
        try await engine.checkNetwork()
        let path = try document.checked()
        let answer = try await engine.transport.documents([path], held)
        let found = answer.documents.first
        let version = found?.version ?? 0
        let isSame = state.withLock { state in
            Transaction.keep(answer.hold, in: &state)
            defer { state.reads[path] = version }
            return state.reads[path] ?? version == version
        }
        if !isSame { throw DocumentError(.aborted, "A document was changed between two reads of a transaction.") }
        return DocumentSnapshot(document, Transaction.view(answer.documents))
    }

    /// Returns the result of a query as the daemon has it. The transaction conflicts with writes that change the result.
    public func get(_ query: some QueryConvertible) async throws(DocumentError) -> QuerySnapshot {
        try checkOrder()
        try await engine.checkNetwork()
        let query = query.query
        let model = try query.model.get()
        let answer = try await engine.transport.result(of: model, held)
        state.withLock { state in
            state.conditions.append(CommitRequest.Condition(query: model, stamp: answer.stamp))
            Transaction.keep(answer.hold, in: &state)
        }
        return QuerySnapshot(query, SnapshotFeed.Step(view: Transaction.view(answer.documents), previous: nil))
    }

    /// Replaces a document, or with `merge` sets the given fields only.
    public func set(_ document: DocumentReference, _ fields: [String: FieldValue], merge: Bool = false) {
        add { () throws(DocumentError) in try ClientWrite(setting: document, fields, merge: merge) }
    }

    /// Replaces a document by the fields of a value.
    public func set(_ document: DocumentReference, _ value: some Encodable, merge: Bool = false) {
        add { () throws(DocumentError) in try ClientWrite(setting: document, try DocumentEncoder().encode(value), merge: merge) }
    }

    /// Changes fields of a document that exists.
    public func update(_ document: DocumentReference, _ fields: [String: FieldValue]) {
        add { () throws(DocumentError) in try ClientWrite(updating: document, fields) }
    }

    /// Deletes a document.
    public func delete(_ document: DocumentReference) {
        add { () throws(DocumentError) in ClientWrite(try document.checked(), .delete) }
    }

    private func add(_ write: () throws(DocumentError) -> ClientWrite) {
        let result: Result<ClientWrite, DocumentError>
        do throws(DocumentError) { result = .success(try write()) } catch { result = .failure(error) }
        state.withLock { state in
            switch result {
            case .success(let write): state.writes.append(write)
            case .failure(let error): state.failure = state.failure ?? error
            }
        }
    }

    private static func keep(_ hold: String?, in state: inout State) {
        guard let hold else { return }
        (state.hold, state.wasHeld) = (hold, true)
    }

    private var held: HeldRead? { holdsReads ? HeldRead(hold: state.withLock { $0.hold }) : nil }

    private func checkOrder() throws(DocumentError) {
        if state.withLock({ !$0.writes.isEmpty }) { throw .invalid("A transaction reads before it writes.") }
    }

    func commit() async throws(DocumentError) {
        let (reads, conditions, writes, failure) = state.withLock { ($0.reads, $0.conditions, $0.writes, $0.failure) }
        if let failure { throw failure }
        if writes.isEmpty, reads.count + conditions.count < 2 { return leave() }
        for write in writes { _ = try write.checkedModel() }
        let hold = takeHold()
        try await engine.commit(
            writes, reads: reads.map { CommitRequest.Read(path: $0.key, version: $0.value) }, conditions: conditions, hold: hold)
    }

    private func takeHold() -> String? {
        state.withLock { state in
            defer { state.hold = nil }
            return state.hold
        }
    }

    /// Lets documents go that are still held. Nobody waits for it: a hold ends by itself after two seconds.
    func leave() {
        guard let hold = takeHold() else { return }
        Task { [engine] in try? await engine.commit([], reads: [], conditions: [], hold: hold) }
    }

    private static func view(_ documents: [RemoteDocument]) -> FeedView {
        let viewed = documents.map {
            ViewedDocument(path: $0.path, fields: $0.fields, version: $0.version, created: $0.created, hasPendingWrites: false)
        }
        return FeedView(documents: viewed, isFromCache: false, hasPendingWrites: false)
    }
}
