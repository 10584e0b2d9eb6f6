// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that may be cancelled before or after it starts.
///
/// On Linux `cancel()` waits for the session's queue. A cancellation handler must not wait: it holds a lock of its task, and the
/// session's queue may need that lock to resume the task. `URLSession.data(for:)` deadlocks in this way.
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
