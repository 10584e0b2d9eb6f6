// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// Reads of documents and queries, from the daemon or the cache.
extension DocumentEngine {
    func read(_ kind: StreamTarget.Kind, _ source: DocumentSource) async throws(DocumentError) -> FeedView {
        if case .query(let query) = kind {
            do throws(QueryFault) { try query.validate() } catch { throw .invalid("The query is one that Firestore refuses: \(error)") }
        }
        if source == .cache { return try cached(kind) }
        if source == .default {
            // A listener has the newest result already.
            if let number = numbers[kind], let target = targets[number], target.isCurrent {
                return feedView(target.view.documents, of: target.view, isFromCache: false)
            }
            if !isNetworkEnabled { return try cached(kind) }
        }
        try checkNetwork()
        do throws(DocumentError) { return try await remote(kind) } catch {
            note(error)
            guard source == .default, error.code == .unavailable else { throw error }
            do throws(DocumentError) { return try cached(kind) } catch {
                throw error.code == .notFound ? DocumentError(.unavailable, error.reason) : error
            }
        }
    }

    private func cached(_ kind: StreamTarget.Kind) throws(DocumentError) -> FeedView {
        var view = TargetView(kind)
        switch kind {
        case .document(let path):
            let cached = try store.document(path)
            guard cached != nil || overlay.has(path) else {
                throw DocumentError(.notFound, "The document is not in the cache: \(path)")
            }
            view.replace(cached.map { [$0.document] } ?? [], overlay)
        case .query(let query):
            // With queued writes a document beyond the limit may move into the result.
            let isPending = overlay.paths.contains(where: view.covers)
            view.replace(try store.result(of: query, isLimited: !isPending, at: now) + basesOfPending(in: view), overlay)
        }
        try touch(view.documents)
        return feedView(view.documents, of: view, isFromCache: true)
    }

    private func remote(_ kind: StreamTarget.Kind) async throws(DocumentError) -> FeedView {
        readsInFlight += 1
        defer { readsInFlight -= 1 }
        let answer: RemoteDocuments
        switch kind {
        case .document(let path): answer = try await transport.documents([path], nil)
        case .query(let query): answer = try await transport.result(of: query, nil)
        }
        isOffline = false
        try keep(answer, of: kind)
        var view = TargetView(kind)
        let newer = settled.paths(after: answer.stamp).filter(view.covers)
        var documents = answer.documents.filter { !newer.contains($0.path) }
        for path in newer { if let cached = try store.document(path) { documents.append(cached.document) } }
        for base in try basesOfPending(in: view) where !documents.contains(where: { $0.path == base.path }) { documents.append(base) }
        view.replace(documents, overlay)
        return feedView(view.documents, of: view, isFromCache: false)
    }

    /// Keeps what was read, and forgets cached documents that the answer shows to be gone or changed.
    private func keep(_ answer: RemoteDocuments, of kind: StreamTarget.Kind) throws(DocumentError) {
        var stale: [DocumentPath] = []
        switch kind {
        case .document(let path): if answer.documents.isEmpty { stale = [path] }
        case .query(let query):
            guard query.limit == nil else { break }
            let found = Set(answer.documents.map(\.path))
            stale = try store.result(of: query, isLimited: false, at: now).map(\.path).filter { !found.contains($0) }
        }
        try store.transaction { () throws(DocumentError) in
            for document in answer.documents { try store.put(document, of: answer.stamp, at: now) }
            for path in stale {
                guard let cached = try store.document(path), cached.document.version <= answer.stamp, settled[path] ?? 0 <= answer.stamp else {
                    continue
                }
                try store.remove(path)
            }
        }
        try evict()
    }

    private func touch(_ documents: [ViewedDocument]) throws(DocumentError) {
        try store.touch(documents.map(\.path), at: now)
    }

    func evict() throws(DocumentError) {
        guard store.isTooLarge else { return }
        let shown = targets.values.map(\.members).reduce(into: Set<DocumentPath>()) { $0.formUnion($1) }
        let overlay = overlay
        try store.transaction { () throws(DocumentError) in
            try store.evict { shown.contains($0) || overlay.has($0) }
        }
    }

    func aggregates(
        _ aggregates: [(name: String, aggregate: Aggregate)], over query: DocumentQuery
    ) async throws(DocumentError) -> [String: DocumentValue] {
        try checkNetwork()
        return try await transport.aggregates(aggregates, over: query)
    }

    /// Throws if requests are not allowed.
    func checkNetwork() throws(DocumentError) {
        if !isNetworkEnabled { throw DocumentError(.unavailable, "The network is disabled.") }
    }

    // MARK: Transactions

    /// The client of a transaction's commit, and its last batch.
    struct TransactionClient {
        let id = RandomID.random()
        var batch: Int64 = 0
    }

    /// Makes the commit of a transaction. One whose answer is lost is repeated under the same number, also if the caller is cancelled.
    func commit(
        _ writes: [ClientWrite], reads: [CommitRequest.Read], conditions: [CommitRequest.Condition], hold: String?
    ) async throws(DocumentError) {
        try checkNetwork()
        // Commits under way at the same time have clients of their own: one may wait at the daemon for documents that another holds.
        var client = idleClients.popLast() ?? TransactionClient()
        client.batch += 1
        let request = CommitRequest(writes: writes, reads: reads, conditions: conditions, client: client.id, batch: client.batch, hold: hold)
        let answer = await Task { await send(request) }.value
        idleClients.append(client)
        let result = try answer.get()
        // The daemon has made the writes, so a cache that cannot be written is no error of the transaction.
        try? settle(writes.map { write throws(DocumentError) in try write.model() }, result)
    }

    private func send(_ request: CommitRequest) async -> Result<CommitAnswer, DocumentError> {
        var backoff = Backoff(first: options.backoff.first / 4, longest: options.backoff.longest)
        for _ in 0..<3 {
            do throws(DocumentError) { return .success(try await transport.commit(request)) } catch {
                if error.code != .unavailable || isClosed { return .failure(error) }
                try? await backoff.pause(retryAfter: error.retryAfter)
            }
        }
        return .failure(DocumentError(.unavailable, "The daemon cannot be reached. It may have made the commit of the transaction."))
    }
}
