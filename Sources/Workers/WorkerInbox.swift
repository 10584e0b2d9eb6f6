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
        /// Whether a byte is in the pipe.
        var isAwake = false
    }

    /// A descriptor that becomes readable with new content.
    let descriptor: Int32
    private let waking: Int32
    private let state = Mutex(State())

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw SystemError(number: errno) }
        (descriptor, waking) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(descriptor)
        Glibc.close(waking)
    }

    /// Adds calls. Returns false after `close`.
    func put(_ jobs: [WorkerJob]) -> Bool {
        state.withLock { state in
            if !state.isClosed {
                state.jobs += jobs
                wake(&state)
            }
            return !state.isClosed
        }
    }

    func cancel(_ key: WorkerJob.Key) {
        state.withLock { state in
            state.cancelled.append(.one(key))
            wake(&state)
        }
    }

    /// Cancels all calls of a courier. Returns false, and calls nothing, after `close`.
    func cancelAll(of courier: Int, _ done: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isClosed {
                state.cancelled.append(.all(courier: courier, done))
                wake(&state)
            }
            return !state.isClosed
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            wake(&state)
        }
    }

    /// Removes everything; `isClosed` tells whether the thread is to end.
    func take() -> (jobs: [WorkerJob], cancelled: [WorkerCancellation], isClosed: Bool) {
        state.withLock { state in
            if state.isAwake {
                var byte: UInt8 = 0
                _ = read(descriptor, &byte, 1)
                state.isAwake = false
            }
            defer { (state.jobs, state.cancelled) = ([], []) }
            return (state.jobs, state.cancelled, state.isClosed)
        }
    }

    private func wake(_ state: inout State) {
        guard !state.isAwake else { return }
        state.isAwake = true
        var byte: UInt8 = 1
        _ = write(waking, &byte, 1)
    }
}
