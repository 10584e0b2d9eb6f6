// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that may be cancelled before or after it starts, and that follows no redirect: a captive portal must not receive the key.
///
/// On Linux `cancel()` waits for the session's queue. A cancellation handler must not wait: it holds a lock of its task, and the
/// session's queue may need that lock to resume the task. `URLSession.data(for:)` deadlocks in this way. The task is cancelled on the
/// delegate's queue, so in no moment in which its end or a redirect is being told.
final class RunningTask: NSObject, URLSessionTaskDelegate {
    private struct State {
        /// Until the task ends.
        var task: URLSessionTask?
        var queue: OperationQueue?
        var isCancelled = false
    }

    private let state = Locked(State())

    func start(_ task: URLSessionTask, of session: URLSession) {
        task.delegate = self
        let isCancelled = state.withLock { state in
            (state.task, state.queue) = (task, session.delegateQueue)
            return state.isCancelled
        }
        task.resume()
        if isCancelled { cancel() }
    }

    /// Notes that the task has ended.
    func end() { state.withLock { $0.task = nil } }

    func cancel() {
        let queue = state.withLock { state in
            state.isCancelled = true
            return state.queue
        }
        queue?.addOperation { [self] in state.withLock { $0.task }?.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // On Linux an answer after the cancellation terminates the process.
        if !state.withLock({ $0.isCancelled }) { completionHandler(nil) }
    }
}
