// SPDX-License-Identifier: Apache-2.0

import Signalbox

/// A state of a listener's result.
struct FeedView: Equatable, Sendable {
    let documents: [ViewedDocument]
    /// Whether the daemon has not confirmed that this is the result now.
    let isFromCache: Bool
    /// Whether queued writes have changed or removed a document.
    let hasPendingWrites: Bool

    /// Whether the documents have other fields, apart from the state of writes.
    func hasOtherData(than other: FeedView) -> Bool {
        documents.count != other.documents.count || zip(documents, other.documents).contains { $0.path != $1.path || $0.fields != $1.fields }
    }
}

/// The views of one listener. Only the newest waits for the reader, so a slow one skips states and loses no change.
final class SnapshotFeed: Sendable {
    struct Step: Sendable {
        let view: FeedView
        /// The view that was read before.
        let previous: FeedView?
        var includesMetadata = false
    }

    private struct State {
        var latest: FeedView?
        var read: FeedView?
        var waiter: CheckedContinuation<Void, Never>?
        var isOver = false
        var failure: DocumentError?
    }

    private let includesMetadata: Bool
    private let state = Locked(State())
    private let onLeave = Locked<(@Sendable () -> Void)?>(nil)

    init(includesMetadata: Bool) {
        self.includesMetadata = includesMetadata
    }

    deinit {
        leave()
    }

    /// Sets a function that is called once, when the reader has gone.
    func setLeaving(_ body: @escaping @Sendable () -> Void) { onLeave.withLock { $0 = body } }

    func offer(_ view: FeedView) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.isOver { return nil }
            if let known = state.latest ?? state.read {
                if known == view { return nil }
                if state.latest == nil, !includesMetadata, !view.hasOtherData(than: known) { return nil }
            }
            state.latest = view
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Ends the feed after the newest view, with an error if there is one.
    func end(_ failure: DocumentError? = nil) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.isOver { (state.isOver, state.failure) = (true, failure) }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns the next view; nil at the end, and when the task is cancelled.
    func next() async throws(DocumentError) -> Step? {
        while !Task.isCancelled {
            let (step, failure, isOver) = state.withLock { state -> (Step?, DocumentError?, Bool) in
                guard let view = state.latest else { return (nil, state.failure, state.isOver) }
                let step = Step(view: view, previous: state.read, includesMetadata: includesMetadata)
                (state.latest, state.read) = (nil, view)
                return (step, nil, false)
            }
            if let step { return step }
            if let failure {
                state.withLock { $0.failure = nil }
                leave()
                throw failure
            }
            if isOver { return nil }
            await wait()
        }
        leave()
        return nil
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.latest != nil || state.isOver || Task.isCancelled { return true }
                    state.waiter?.resume()
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }

    private func leave() {
        let body = onLeave.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}
