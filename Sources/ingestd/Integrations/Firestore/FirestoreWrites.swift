// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentStore
import Firestore
import HTTPServer
import Platform
import SignalboxDocumentModel

/// Writes of the Firestore API.
struct FirestoreWrites: FirestoreService {
    @Sendable static func of(_ daemon: Daemon) -> FirestoreWrites { FirestoreWrites(reads: daemon.integrations.firestoreReads) }

    private static let preconditions: Set = ["currentDocument.exists", "currentDocument.updateTime"]

    let reads: FirestoreReads
    private var documents: Documents { reads.documents }

    func commit(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents)
            let asked = try request.reader().commit()
            var commit = DocumentCommit(asked.writes)
            // Before the transaction ends: one whose commit has no space is open when the commit is repeated.
            try documents.requireSpace(for: commit, request.app.id)
            var hold: DocumentHolds.ID?
            if let id = asked.transaction {
                let transaction = try reads.transactions.end(id, request.owner, isWriting: !asked.writes.isEmpty)
                (commit.reads, commit.conditions, hold) = (transaction.documents, transaction.conditions, transaction.hold)
            }
            let result = try await make(commit, request, with: hold)
            let answers = zip(result.lastVersions(of: asked.writes), result.writes).map { (updated: $0, results: $1.results) }
            return request.answer { $0.commit(at: result.stamp, answers) }
        }
    }

    /// Makes a commit and ends its hold, whether it is made or not.
    private func make(_ commit: DocumentCommit, _ request: FirestoreCall, with hold: DocumentHolds.ID? = nil) async throws -> CommitResult {
        var commit = commit
        (commit.principal, commit.depth) = (request.principal, request.call.caller.depth)
        commit.charge = documents.chargeBytes(to: request.call)
        do {
            try documents.requireSpace(for: commit, request.app.id)
            try documents.charge(commit.writes.count, queries: commit.conditions.count, request.call)
        } catch {
            if let hold { documents.holds.end(hold) }
            throw error
        }
        do {
            return try await documents.holds.commit(commit.writes, for: request.holding, with: hold) { [commit] in
                try await documents.store.documents.commit(commit, app: request.app.id)
            }
        } catch let fault as CommitFault {
            throw FirestoreFault(fault, of: commit.writes, request.database)
        }
    }

    /// Makes each write alone. Without space for all, those that only remove data are made, and each other one has the refusal as its status.
    func batch(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents)
            let writes = try request.reader().batchWrite()
            if writes.count > DocumentBounds.writes { throw FirestoreFault(.tooManyWrites, of: writes, request.database) }
            let lack = documents.lackOfSpace(for: request.app.id)
            let made = lack == nil ? writes : writes.filter(\.onlyRemoves)
            if let lack, made.isEmpty, !writes.isEmpty { throw lack }
            try documents.charge(writes.count, call)
            let time = DenialTime()
            let results = try await documents.holds.commit(made, for: request.holding, with: nil) {
                try await documents.store.documents.write(
                    each: made, app: request.app.id, as: request.principal, depth: call.caller.depth, charge: documents.chargeBytes(to: call))
            }
            if results.contains(where: \.isDenied) { try await time.wait() }
            var rest = results[...]
            let answers = try writes.map { write -> BatchAnswer in
                if let lack, !write.onlyRemoves { return .failure(FirestoreRefusal.fault(lack)) }
                return try Self.answer(write, rest.removeFirst(), request)
            }
            return request.answer { $0.batch(answers) }
        }
    }

    private typealias BatchAnswer = Result<(updated: DocumentTime?, results: [DocumentValue]), FirestoreFault>

    private static func answer(_ write: DocumentWrite, _ result: Result<CommitResult, any Error>, _ request: FirestoreCall) throws -> BatchAnswer {
        do {
            let made = try result.get().writes[0]
            return .success((updated: made.version, results: made.results))
        } catch let fault as CommitFault {
            return .failure(FirestoreFault(fault, of: [write], request.database))
        } catch is DeniedByRules {
            return .failure(.denied)
        } catch let refusal as Refusal {
            return .failure(FirestoreRefusal.fault(refusal))
        }
    }

    /// Creates a document in a collection.
    func create(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents, taking: ["documentId", "mask.fieldPaths"])
            let path = try request.path()
            guard !path.isDocument else {
                throw FirestoreFault(.invalidArgument, "A document is created in a collection; the path names a document.")
            }
            let id = try request.parameter("documentId").flatMap { $0.isEmpty ? nil : $0 } ?? DocumentID.new(at: documents.clock.now())
            guard let segment = PathSegment(id), let document = DocumentPath(path.segments + [segment]) else {
                throw FirestoreFault(.invalidArgument, "The document ID is invalid: it is too long or reserved, or contains a slash or NUL.")
            }
            let (name, fields) = try request.reader().document(0)
            guard name?.isEmpty ?? true else { throw FirestoreFault(.invalidArgument, "document.name must not be set") }
            return try await changed(DocumentWrite(document, .set(fields, mask: nil), if: .exists(false)), request, mask: "mask")
        }
    }

    func patch(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents, taking: Self.preconditions.union(["updateMask.fieldPaths", "mask.fieldPaths"]))
            let change = DocumentWrite.Change.set(try request.reader().document(0).fields, mask: try request.mask("updateMask"))
            return try await changed(DocumentWrite(request.document(), change, if: request.precondition()), request, mask: "mask")
        }
    }

    /// Makes a write and returns the document as it left it; to a user who may not read it, its name only.
    private func changed(_ write: DocumentWrite, _ request: FirestoreCall, mask: String) async throws -> HTTPResponse {
        let mask = try request.mask(mask).map { FieldSelection($0) }
        let result = try await make(DocumentCommit([write]), request)
        let found: DocumentsResult<StoredDocument>
        do {
            found = try await documents.store.documents.documents([write.path], app: request.app.id, at: result.stamp, as: request.principal)
        } catch is DeniedByRules { return request.answer { $0.missing(write.path) } }
        guard let document = found.documents[0] else { throw FirestoreFault(.aborted, "The document was deleted meanwhile.") }
        return request.answer { $0.document(document.answered.masked(mask)) }
    }

    func delete(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents, taking: Self.preconditions)
            _ = try await make(DocumentCommit([DocumentWrite(request.document(), .delete, if: request.precondition())]), request)
            return request.done
        }
    }
}

extension CommitResult {
    /// The time that the document of each write has after the commit, which may have a later write of it.
    fileprivate func lastVersions(of asked: [DocumentWrite]) -> [DocumentTime?] {
        if asked.count < 2 { return writes.map(\.version) }
        let last = Dictionary(zip(asked.map(\.path), writes.map(\.version))) { $1 }
        return last.count == asked.count ? writes.map(\.version) : asked.map { last[$0.path] ?? nil }
    }
}

extension Result {
    fileprivate var isDenied: Bool { if case .failure(let error) = self { error is DeniedByRules } else { false } }
}
