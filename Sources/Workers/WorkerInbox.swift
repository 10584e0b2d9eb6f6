// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform
import Synchronization

/// A request to cancel calls.
enum WorkerCancellation: Sendable {
    case one(WorkerJob.Key)
    case all(courier: Int, @Sendable () -> Void)

    func matches(_ key: WorkerJob.Key) -> Bool {
        switch self {
        case .one(let other): key == other
        case .all(let courier, _): key.courier == courier
        }
    }
}

/// The new and the cancelled calls for the thread of the workers. Calls are bounded by the places of their functions.
final class WorkerInbox: Sendable {
    private struct State {
        var jobs: [WorkerJob] = []
        var cancelled: [WorkerCancellation] = []
        var isClosed = false
        /// Whether the thread waits, or is about to, without knowing of the next entry.
        var threadSleeps = false
    }

    /// A descriptor that becomes readable with new content.
    let descriptor: Int32
    private let state = Mutex(State())

    init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(number: errno) }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Adds calls. Returns false after `close`.
    func put(_ jobs: [WorkerJob]) -> Bool {
        post { state in
            if !state.isClosed { state.jobs += jobs }
            return !state.isClosed
        }
    }

    func cancel(_ key: WorkerJob.Key) {
        post { $0.cancelled.append(.one(key)) }
    }

    /// Cancels all calls of a courier. Returns false, and calls nothing, after `close`.
    func cancelAll(of courier: Int, _ done: @escaping @Sendable () -> Void) -> Bool {
        post { state in
            if !state.isClosed { state.cancelled.append(.all(courier: courier, done)) }
            return !state.isClosed
        }
    }

    func close() {
        post { $0.isClosed = true }
    }

    /// Removes everything; `isClosed` tells whether the thread is to end. The next entry wakes the thread.
    func take() -> (jobs: [WorkerJob], cancelled: [WorkerCancellation], isClosed: Bool) {
        state.withLock { state in
            state.threadSleeps = true
            defer { (state.jobs, state.cancelled) = ([], []) }
            return (state.jobs, state.cancelled, state.isClosed)
        }
    }

    /// Makes the descriptor wait for new content again, once it was readable.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    /// Changes the content, and wakes the thread after the lock is free, which the thread takes at once.
    private func post<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, wakes) = state.withLock { state in
            defer { state.threadSleeps = false }
            return (change(&state), state.threadSleeps)
        }
        if wakes { eventfd_write(descriptor, 1) }
        return result
    }
}
