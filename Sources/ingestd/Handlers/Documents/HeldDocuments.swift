// SPDX-License-Identifier: Apache-2.0

import Crypto
import DocumentRequests
import DocumentStore
import HTTPServer
import Platform
import SignalboxDocumentModel
import Synchronization

/// The request that reads or commits, and the client that sends it.
struct HoldingRequest {
    let holder: DocumentHolds.Holder
    let request: HTTPRequest
}

/// Lets repeated transactions have documents one after the other, so that none is repeated for ever while others change what it reads.
final class HeldDocuments: Sendable {
    /// The hold of a transaction's read.
    enum Request: Sendable {
        /// Waits for the documents and holds them under this name.
        case take(DocumentHolds.ID)
        /// Adds documents to a hold.
        case extend(DocumentHolds.ID)
    }

    private struct State {
        var holds = DocumentHolds()
        var waiting: [DocumentHolds.ID: CheckedContinuation<Bool, any Error>] = [:]
        var isWatched = false
        var isDraining = false
    }

    private static let idBits = 128

    private let state = Mutex(State())

    static func newID() -> DocumentHolds.ID { DocumentHolds.ID(Array(randomToken(prefix: "", bits: idBits).utf8)) }

    /// Reads for a transaction. A repeated one reads once to find its documents, which the caller must be allowed to read, and again once it
    /// holds them. Returns the hold if there is one. Throws `ClientLeft` if the client disconnects while it waits.
    func read<T: Sendable>(
        _ holdRequest: Request?, for client: HoldingRequest, paths: (T) -> [DocumentPath], _ read: () async throws -> T
    ) async throws -> (found: T, hold: DocumentHolds.ID?) {
        let found = try await read()
        switch holdRequest {
        case nil: return (found, nil)
        case .extend(let id)?:
            let isHeld = change { $0.extend(id, paths(found), as: client.holder) }
            return (found, isHeld ? id : nil)
        case .take(let id)?:
            let documents = paths(found)
            guard try await wait(for: id, client, { $0.join(id, documents, as: client.holder, at: .now) }) else { return (found, nil) }
            do { return (try await read(), id) } catch {
                end(id)
                throw error
            }
        }
    }

    /// Makes a commit: at once with a hold, and otherwise behind the transactions that hold its documents or wait for them. Ends the hold.
    /// Throws `ClientLeft` if the client disconnects while it waits; the commit is not made.
    func commit<T: Sendable>(
        _ writes: [DocumentWrite], for client: HoldingRequest, with hold: DocumentHolds.ID?, _ body: () async throws -> T
    ) async throws -> T {
        if state.withLock({ $0.holds.isEmpty }) { return try await body() }
        let id = try await begin(writes.map(\.path), client, with: hold)
        do {
            let result = try await body()
            change { $0.end(id, changed: writes.filter(\.changesDocument).map(\.path), at: .now) }
            return result
        } catch {
            end(id)
            throw error
        }
    }

    private func begin(_ paths: [DocumentPath], _ client: HoldingRequest, with hold: DocumentHolds.ID?) async throws -> DocumentHolds.ID {
        if let hold, change({ $0.commit(hold, as: client.holder, at: .now) }) { return hold }
        let id = Self.newID()
        _ = try await wait(for: id, client) { $0.join(commit: id, paths, as: client.holder, at: .now) }
        return id
    }

    /// Ends a hold without a commit.
    func end(_ id: DocumentHolds.ID) { change { $0.end(id, at: .now) } }

    /// The requests that wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Refuses all waits with `Refusal.draining`, and later ones at their beginning. Commits that do not wait are still made.
    func drain() {
        let ids = state.withLock { state in
            state.isDraining = true
            return Array(state.waiting.keys)
        }
        for id in ids { end(waitFor: id, Refusal.draining) }
    }

    /// Returns whether the documents are held when the wait is over.
    private func wait(for id: DocumentHolds.ID, _ client: HoldingRequest, _ join: (inout DocumentHolds) -> Void) async throws -> Bool {
        try await withCheckedThrowingContinuation { waiter in
            // In one step, so that a drain in between cannot end the wait and leave its place in the queues.
            let isDraining = changeState { state in
                state.waiting[id] = waiter
                join(&state.holds)
                return state.isDraining
            }
            if isDraining { end(waitFor: id, Refusal.draining) }
            // A connection that is observed closes when its client only ends sending, so those of others are not.
            guard state.withLock({ $0.waiting[id] != nil }) else { return }
            // Others may go on when the wait ends, which must not delay the loop of the connection.
            client.request.whenClientLeaves { [self] in Task { end(waitFor: id, ClientLeft()) } }
        }
    }

    /// Ends a wait with an error, unless it is over.
    private func end(waitFor id: DocumentHolds.ID, _ error: any Error) {
        guard let waiter = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
        end(id)
        waiter.resume(throwing: error)
    }

    /// Changes holds, and lets those go on whose wait ends. They may go on on this thread, so the lock is not held then.
    @discardableResult
    private func change<T: Sendable>(_ body: (inout DocumentHolds) -> T) -> T { changeState { body(&$0.holds) } }

    private func changeState<T: Sendable>(_ body: (inout State) -> T) -> T {
        let (result, settled, mustWatch) = state.withLock { state in
            let result = body(&state)
            let settled = state.holds.takeSettled().compactMap { one in state.waiting.removeValue(forKey: one.id).map { ($0, one.isHeld) } }
            let mustWatch = !state.isWatched && !state.holds.isEmpty
            if mustWatch { state.isWatched = true }
            return (result, settled, mustWatch)
        }
        if mustWatch { Task { await watch() } }
        for (waiter, isHeld) in settled { waiter.resume(returning: isHeld) }
        return result
    }

    /// Ends holds and waits when their time is over, until there are none. Later ones never end before earlier ones.
    private func watch() async {
        while let next = next() {
            try? await Task.sleep(until: next, clock: .continuous)
            change { $0.expire(at: .now) }
        }
    }

    private func next() -> ContinuousClock.Instant? {
        state.withLock { state in
            let next = state.holds.next
            if next == nil { state.isWatched = false }
            return next
        }
    }
}

extension DocumentWrite {
    /// Whether the write is more than a check of its precondition.
    var changesDocument: Bool { if case .verify = change { false } else { true } }
}

extension DocumentHolds.ID {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension DocumentReading {
    /// The hold of a transaction, as an earlier read returned it.
    func hold() throws(Refusal) -> DocumentHolds.ID? { try text("hold").map { DocumentHolds.ID(Array($0.utf8)) } }
}

extension Call {
    /// The request of the client that holds documents of an app.
    func holding(in app: AppID) -> HoldingRequest {
        HoldingRequest(holder: DocumentHolds.Holder(.init(app: app, kind: caller.documentGroup), client: countedClient), request: request)
    }
}

extension Caller {
    /// The group with which the caller shares bounds.
    var documentGroup: DocumentHolds.Group.Kind {
        if case .user = self { return .user }
        return rulePrincipal == nil ? .server : .anyone
    }
}
