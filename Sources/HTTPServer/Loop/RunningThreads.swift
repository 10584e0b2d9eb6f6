// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts running threads for a task that must outlive them.
final class RunningThreads: Sendable {
    private struct State {
        var left: Int
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(left: count))
    }

    /// Counts a thread that starts later than the others.
    func oneStarts() {
        state.withLock { $0.left += 1 }
    }

    func oneEnded() {
        let waiter = state.withLock { state in
            state.left -= 1
            return state.left == 0 ? state.waiter : nil
        }
        waiter?.resume()
    }

    /// Returns when no thread runs any more. It ignores cancellation: resources must not be released under a running thread.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.left > 0 { state.waiter = continuation }
                return state.left == 0
            }
            if isOver { continuation.resume() }
        }
    }
}
