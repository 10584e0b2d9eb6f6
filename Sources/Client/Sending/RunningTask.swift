// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that is under way, and may be cancelled before it is.
///
/// On Linux `cancel()` waits for the session's queue. A cancellation handler must not: it holds a lock of its task, for which that queue may
/// be waiting in order to hand over an answer. `URLSession.data(for:)` comes to a standstill so.
final class RunningTask: Sendable {
    private struct State {
        var task: URLSessionTask?
        var isCancelled = false
    }

    private let state = Locked(State())

    func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        task.resume()
        if isCancelled { cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        if let task { DispatchQueue.global(qos: .utility).async { task.cancel() } }
    }
}
