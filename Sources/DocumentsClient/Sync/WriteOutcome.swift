// SPDX-License-Identifier: Apache-2.0

import Signalbox

/// The daemon's decision about queued writes, which several tasks may wait for.
final class WriteOutcome: Sendable {
    private struct State {
        var result: Result<Void, DocumentError>?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var count = 0
    }

    private let state = Locked(State())

    func resolve(_ result: Result<Void, DocumentError>) {
        let waiters = state.withLock { state in
            if state.result == nil { state.result = result }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the daemon has confirmed the writes. A cancelled task stops waiting; the writes stay queued.
    func wait() async throws(DocumentError) {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.result != nil || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
        guard let result = state.withLock({ $0.result }) else {
            throw DocumentError(.cancelled, "The task was cancelled; the writes stay queued.")
        }
        try result.get()
    }
}
