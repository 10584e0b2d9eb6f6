// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// The queue of writes: they are on the disk before they are shown, sent in order, and removed with the daemon's decision.
extension DocumentEngine {
    /// Queues writes that the daemon makes together, and shows them.
    func enqueue(_ writes: [ClientWrite]) throws(DocumentError) -> WriteOutcome {
        if isClosed { throw DocumentError(.cancelled, "The documents are closed.") }
        if writes.count > BatchLimits.mostWrites { throw .invalid("A batch has more than \(BatchLimits.mostWrites) writes.") }
        let outcome = WriteOutcome()
        if writes.isEmpty {
            outcome.resolve(.success(()))
            return outcome
        }
        let changes = try writes.map { write throws(DocumentError) in try write.checkedModel() }
        let pending = try store.enqueue(writes, changes, at: now)
        outcomes[pending.number] = outcome
        queue.append(pending)
        overlay.add(pending)
        // The writes are queued, so they are made even if the cache cannot be read for the listeners now.
        try? showPending(pending)
        flushSoon()
        return outcome
    }

    /// Waits until the daemon has decided about all writes that are queued now.
    func waitForPendingWrites() async throws(DocumentError) {
        if isClosed { throw DocumentError(.cancelled, "The documents are closed.") }
        let waiting = queue.map { pending in
            let outcome = outcomes[pending.number] ?? WriteOutcome()
            outcomes[pending.number] = outcome
            return outcome
        }
        for outcome in waiting {
            do throws(DocumentError) { try await outcome.wait() } catch { if error.code == .cancelled { throw error } }
        }
    }

    private func showPending(_ pending: PendingWrites) throws(DocumentError) {
        let paths = Set(pending.changes.map(\.path))
        for path in paths {
            let lacking = targets.values.filter { $0.view.covers(path) && $0.view.base[path] == nil }.map(\.number)
            guard !lacking.isEmpty, let base = try store.document(path)?.document else { continue }
            for number in lacking { targets[number]?.view.set([(path, base)], overlay) }
        }
        refresh(paths)
    }

    // MARK: Sending

    func flushSoon() {
        guard flushing == nil, isNetworkEnabled, !isClosed, !queue.isEmpty else { return }
        flushing = Task { await flush() }
    }

    private func flush() async {
        var backoff = options.backoff
        while !Task.isCancelled, !queue.isEmpty {
            do throws(DocumentError) {
                try await sendGroup()
                backoff.succeeded()
            } catch {
                if Task.isCancelled { return }
                note(error)
                backoff.failed(at: options.now(), retryAfter: error.retryAfter)
                await backoff.wait(flushPause, now: options.now)
            }
        }
        if !Task.isCancelled { flushing = nil }
    }

    /// Sends the first writes of the queue. Throws if they must be sent again later.
    private func sendGroup() async throws(DocumentError) {
        let range = try store.firstBatch(of: &queue)
        let group = Array(queue[range])
        guard let first = group.first, let batch = first.batch else { return }
        for index in range { queue[index].hasUnansweredRequest = true }
        let answer: CommitAnswer
        do throws(DocumentError) {
            answer = try await transport.commit(CommitRequest(writes: group.flatMap(\.writes), client: first.client, batch: batch))
        } catch {
            // The batch of a cancelled task is sent again by a later one, which gets an answer of its own.
            if error.isTransient || Task.isCancelled { throw error }
            guard isFirst(first) else { return }
            if error.code == .aborted, !store.isOwn(first.client) { return try forget(group, batch) }
            if error.code != .aborted, first.hasUnansweredRequest {
                let earlier = try await end(batch, of: first.client)
                guard isFirst(first) else { return }
                if let earlier { return try conclude(group, batch, earlier) }
            }
            try refuse(group, batch, error)
            return
        }
        isOffline = false
        if isFirst(first) { try conclude(group, batch, answer) }
    }

    /// Whether a batch is still the first one. A later task may have sent it again.
    private func isFirst(_ pending: PendingWrites) -> Bool { queue.first?.batch == pending.batch && queue.first?.client == pending.client }

    /// Ends the number of a refused batch by an empty commit, as an earlier request with the batch may still arrive. Returns the answer of that
    /// request if the daemon has applied it, and an answer without writes otherwise; nil if the daemon refuses the empty commit too.
    private func end(_ batch: Int64, of client: String) async throws(DocumentError) -> CommitAnswer? {
        do throws(DocumentError) {
            return try await transport.commit(CommitRequest(writes: [], client: client, batch: batch))
        } catch {
            if error.isTransient { throw error }
            return nil
        }
    }

    /// Confirms a batch. One whose number an empty commit has ended is not applied, and is sent again as another client's.
    private func conclude(_ group: [PendingWrites], _ batch: Int64, _ answer: CommitAnswer) throws(DocumentError) {
        if answer.writes.isEmpty { return try store.renewClient(of: 0..<group.count, in: &queue) }
        try confirm(group, batch, answer)
    }

    private func confirm(_ group: [PendingWrites], _ batch: Int64, _ answer: CommitAnswer) throws(DocumentError) {
        // The documents are stored and the writes removed in one step, so a kill in between repeats the batch, which the daemon knows.
        let changes = group.flatMap(\.changes)
        let documents = try ConfirmedWrites(changes, answer) { path throws(DocumentError) in try store.document(path)?.document }
        try store.transaction { () throws(DocumentError) in
            try keep(documents)
            try store.removeBatch(batch)
        }
        leave(group)
        showSettled(documents)
        for pending in group { outcomes.removeValue(forKey: pending.number)?.resolve(.success(())) }
    }

    /// Keeps what a commit made of documents, and shows it.
    func settle(_ changes: [DocumentWrite], _ answer: CommitAnswer) throws(DocumentError) {
        let documents = try ConfirmedWrites(changes, answer) { path throws(DocumentError) in try store.document(path)?.document }
        try store.transaction { () throws(DocumentError) in try keep(documents) }
        showSettled(documents)
    }

    private func keep(_ documents: ConfirmedWrites) throws(DocumentError) {
        for (path, document) in documents.known {
            if let document { try store.put(document, of: documents.stamp, isProvisional: true, at: now) } else { try store.remove(path) }
        }
    }

    private func showSettled(_ documents: ConfirmedWrites) {
        for path in documents.paths { settled.add(path, documents.stamp) }
        for (number, target) in targets {
            let news = documents.known.filter { path, document in
                target.view.covers(path) && target.view.base[path]?.version ?? 0 <= document?.version ?? documents.stamp
            }
            if !news.isEmpty { targets[number]?.view.set(news.map { ($0.key, $0.value) }, overlay) }
        }
        refresh(documents.paths)
    }

    private func leave(_ group: [PendingWrites]) {
        queue.removeFirst(group.count)
        for pending in group { overlay.remove(pending) }
    }

    /// Removes writes of an earlier copy about which the daemon has decided: the copy has sent later ones.
    private func forget(_ group: [PendingWrites], _ batch: Int64) throws(DocumentError) {
        try store.removeBatch(batch)
        leave(group)
        for pending in group {
            refresh(pending.changes.map(\.path))
            outcomes.removeValue(forKey: pending.number)?.resolve(.success(()))
        }
    }

    /// Handles a refusal. One of several calls may be the reason, so the halves are sent alone then.
    private func refuse(_ group: [PendingWrites], _ batch: Int64, _ error: DocumentError) throws(DocumentError) {
        if group.count > 1, error.code != .aborted { return try store.split(0..<group.count, of: &queue) }
        // A later batch of this client was applied, so new writes need another one.
        let isOutdated = error.code == .aborted && group.first?.client == store.client
        try store.transaction { () throws(DocumentError) in
            try store.removeBatch(batch)
            if isOutdated { try store.renewClientOfNewWrites() }
        }
        leave(group)
        if isOutdated { for index in queue.indices where store.isNew(queue[index]) { queue[index].client = store.client } }
        for pending in group {
            let paths = Set(pending.changes.map(\.path))
            refresh(paths)
            let failure = WriteFailure(paths: pending.changes.map(\.path.description), error: error)
            for feed in failureFeeds.values { feed.yield(failure) }
            outcomes.removeValue(forKey: pending.number)?.resolve(.failure(error))
        }
    }

    // MARK: Failures

    func failures() -> AsyncStream<WriteFailure> {
        if isClosed { return AsyncStream { $0.finish() } }
        let (stream, continuation) = AsyncStream.makeStream(of: WriteFailure.self, bufferingPolicy: .bufferingNewest(100))
        failureFeedCount += 1
        let number = failureFeedCount
        failureFeeds[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.removeFailureFeed(number) } }
        return stream
    }

    private func removeFailureFeed(_ number: Int) { failureFeeds[number] = nil }
}

/// The documents that a confirmed commit has made, as far as they can be computed from what is cached.
struct ConfirmedWrites {
    let stamp: Int64
    /// The documents by path; nil for one that was deleted.
    private(set) var known: [DocumentPath: RemoteDocument?] = [:]
    let paths: Set<DocumentPath>

    init(
        _ changes: [DocumentWrite], _ answer: CommitAnswer, _ cached: (DocumentPath) throws(DocumentError) -> RemoteDocument?
    ) throws(DocumentError) {
        stamp = answer.stamp
        paths = Set(changes.map(\.path))
        guard changes.count == answer.writes.count, let time = DocumentTime(microseconds: stamp) else { return }
        var overtaken: Set<DocumentPath> = []
        for (change, result) in zip(changes, answer.writes) {
            let base: RemoteDocument?
            if let made = known[change.path] { base = made } else { base = try cached(change.path) }
            if let base, base.version >= stamp, known[change.path] == nil || overtaken.contains(change.path) {
                // The cache has this commit already, or a later one.
                overtaken.insert(change.path)
                known[change.path] = base
                continue
            }
            switch change.change {
            case .verify: continue
            case .delete:
                known[change.path] = .some(nil)
                continue
            case .set(_, let mask):
                // A change of some fields of a document that is not cached makes an unknown document.
                if base == nil, mask != nil, change.precondition != .exists(false) { continue }
            }
            // The daemon has checked the precondition, on a version that may not be the cached one.
            let unconditional = DocumentWrite(change.path, change.change, transforms: change.transforms)
            guard var fields = try? unconditional.apply(to: base?.fields, version: nil, at: time).fields, let version = result.version else {
                continue
            }
            for (transformed, value) in zip(change.transforms, result.transforms) where value != .null { fields[transformed.field] = value }
            known[change.path] = RemoteDocument(path: change.path, fields: fields, version: version, created: base?.created ?? version)
        }
    }
}

extension ClientWrite {
    /// The write of the model, checked as the daemon does.
    func checkedModel() throws(DocumentError) -> DocumentWrite {
        guard path.isDocument else { throw .invalid("The path is not one of a document: \(path)") }
        let model = try model()
        do throws(WriteFault) { try model.validateTransforms() } catch { throw .invalid("The transforms of a write overlap, or change the name.") }
        if case .set(let fields, _) = model.change {
            do throws(DocumentFault) { try fields.validate(as: path) } catch { throw .invalid("The fields cannot be stored: \(error)") }
        }
        return model
    }
}
