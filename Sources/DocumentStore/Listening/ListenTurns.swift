// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The streams that have something to do, each once, in order. Some tasks serve all of them, so that a stream that waits holds no task, and
/// thousands of streams with large events do not keep requests from running.
final class ListenTurns: Sendable {
    private typealias Worker = CheckedContinuation<DocumentListener?, Never>

    private struct State {
        var waiting: [DocumentListener] = []
        /// The place of the first that has not been taken.
        var first = 0
        var workers: [Worker] = []
        var isOver = false

        mutating func take() -> DocumentListener? {
            guard first < waiting.count else { return nil }
            let next = waiting[first]
            first += 1
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            return next
        }
    }

    private let state = Mutex(State())

    func add(_ listener: DocumentListener) {
        let worker = state.withLock { state -> Worker? in
            if let worker = state.workers.popLast() { return worker }
            if !state.isOver { state.waiting.append(listener) }
            return nil
        }
        worker?.resume(returning: listener)
    }

    /// Returns the next stream; nil after `end`, when none waits.
    func next() async -> DocumentListener? {
        await withCheckedContinuation { worker in
            let next: DocumentListener?? = state.withLock { state in
                if let next = state.take() { return next }
                if state.isOver { return .some(nil) }
                state.workers.append(worker)
                return nil
            }
            if let next { worker.resume(returning: next) }
        }
    }

    /// Ends the tasks that serve streams, when no stream is left.
    func end() {
        let workers = state.withLock { state in
            state.isOver = true
            defer { state.workers = [] }
            return state.workers
        }
        for worker in workers { worker.resume(returning: nil) }
    }
}
