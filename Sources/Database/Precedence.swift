// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Lets the writer of one store go first: another writer begins no commit while the first has jobs, for a few milliseconds at most.
///
///     events arrive                  their writer works
///     documents arrive meanwhile     they wait in their queue, and form one group
///     the events are stored          the writer of documents takes the group
///
/// A thread of lower rank is no substitute. The system stops such a thread anywhere, also while it holds a lock of the allocator, and the
/// threads that were to go first wait for it: with its nice value at 10, the slowest hundredth of requests with events took twice as long.
package final class Precedence: Sendable {
    private struct State {
        var jobs = 0
        var isAwaited = false
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    package init() {}

    /// Counts a job of the writer that goes first.
    package func begin() { state.withLock { $0.jobs += 1 } }

    /// Counts a job as done, whatever its outcome.
    package func end() {
        let wakes = state.withLock { state in
            state.jobs -= 1
            if state.jobs > 0 { return false }
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if wakes { ended.signal() }
    }

    /// Blocks until the first writer has no job, or the time has passed. Called on the thread of one other writer.
    package func giveWay(atMost time: Duration) {
        let waits = state.withLock { state in
            state.isAwaited = state.jobs > 0
            return state.isAwaited
        }
        if !waits || ended.wait(timeout: .now() + .microseconds(Int(time / .microseconds(1)))) == .success { return }
        let isSignalled = state.withLock { state in
            defer { state.isAwaited = false }
            return !state.isAwaited
        }
        if isSignalled { ended.wait() }
    }
}
