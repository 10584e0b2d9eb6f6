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

/// The entries for the thread of the workers.
struct WorkerMail: Sendable {
    var jobs: [WorkerJob] = []
    var cancelled: [WorkerCancellation] = []
    /// The outputs that loops no longer read.
    var givenBack: [WorkerLease] = []
    /// Whether the thread is to end.
    var isClosed = false
}

/// The new and the cancelled calls for the thread of the workers. Calls are bounded by the places of their functions.
final class WorkerInbox: Sendable {
    private struct State {
        var mail = WorkerMail()
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
        post { mail in
            if !mail.isClosed { mail.jobs += jobs }
            return !mail.isClosed
        }
    }

    func cancel(_ key: WorkerJob.Key) {
        post { $0.cancelled.append(.one(key)) }
    }

    /// Cancels all calls of a courier. Returns false, and calls nothing, after `close`.
    func cancelAll(of courier: Int, _ done: @escaping @Sendable () -> Void) -> Bool {
        post { mail in
            if !mail.isClosed { mail.cancelled.append(.all(courier: courier, done)) }
            return !mail.isClosed
        }
    }

    /// Lets the thread read an output that a loop no longer reads.
    func giveBack(_ lease: WorkerLease) {
        // A lease that stayed here would keep all of this alive.
        post { mail in if !mail.isClosed { mail.givenBack.append(lease) } }
    }

    /// Lets the thread look at what it waits for again.
    func wake() {
        post { _ in }
    }

    func close() {
        post { $0.isClosed = true }
    }

    /// Removes everything. The next entry wakes the thread.
    func take() -> WorkerMail {
        state.withLock { state in
            state.threadSleeps = true
            defer { state.mail = WorkerMail(isClosed: state.mail.isClosed) }
            return state.mail
        }
    }

    /// Makes the descriptor wait for new content again, once it was readable.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    /// Changes the content, and wakes the thread after the lock is free, which the thread takes at once.
    private func post<Result>(_ change: (inout WorkerMail) -> Result) -> Result {
        let (result, wakes) = state.withLock { state in
            defer { state.threadSleeps = false }
            return (change(&state.mail), state.threadSleeps)
        }
        if wakes { eventfd_write(descriptor, 1) }
        return result
    }
}
