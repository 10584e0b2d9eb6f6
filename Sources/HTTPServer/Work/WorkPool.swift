// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Platform
import Synchronization

/// Threads for work that is too long for an event loop, such as decoding a large body, fairly among accounts.
package final class WorkPool: Sendable {
    package struct Limits: Sendable {
        package var threads: Int
        /// The nice value: lower priority than threads that serve connections and commit.
        var niceness: Int32 = 0
        /// The limits of queued jobs, in total and for an account and client.
        package var waiting: Int
        var waitingPerShare: Int

        package init(threads: Int, niceness: Int32 = 0, waiting: Int, waitingPerShare: Int) {
            self.threads = threads
            self.niceness = niceness
            self.waiting = waiting
            self.waitingPerShare = waitingPerShare
        }
    }

    private struct State {
        var queue = FairQueue<@Sendable () -> Void>()
        var isEnded = false
    }

    private let limits: Limits
    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    package init(_ limits: Limits) {
        self.limits = limits
    }

    package var waiting: Int { state.withLock(\.queue.count) }

    package var threads: Int { limits.threads }

    /// Starts the threads, which run until `end()` and report their end.
    package func start(ended: @escaping @Sendable () -> Void) throws(HTTPServerError) {
        for _ in 0..<limits.threads {
            try startThread { [self] in
                // On Linux the nice value applies to a thread.
                if limits.niceness != 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, limits.niceness) }
                run()
                ended()
            }
        }
    }

    /// Lets the threads end once the queue is empty.
    package func end() {
        state.withLock { $0.isEnded = true }
        for _ in 0..<limits.threads { available.signal() }
    }

    /// Queues a job; returns `false` if a limit is reached, in total or for this share.
    package func offer(for share: WorkShare, _ work: @escaping @Sendable () -> Void) -> Bool {
        let fits = state.withLock { state in
            let free = limits.waiting - state.queue.count
            // An account may use at most as many places as are free.
            guard free > 0, state.queue.waiting(ofAccount: share.account) < max(free, limits.waitingPerShare),
                state.queue.waiting(of: share) < limits.waitingPerShare, !state.isEnded
            else { return false }
            state.queue.append(work, for: share)
            return true
        }
        if fits { available.signal() }
        return fits
    }

    /// Queues the continuation of an accepted job, at most one for each running task.
    fileprivate func goOn(for share: WorkShare, _ work: @escaping @Sendable () -> Void) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.queue.append(work, for: share) }
            return state.isEnded
        }
        // The threads have ended; run it here.
        if isEnded { work() } else { available.signal() }
    }

    private func run() {
        while true {
            available.wait()
            let (next, isEnded) = state.withLock { ($0.queue.popFirst(), $0.isEnded) }
            guard let next else {
                if isEnded { return }
                continue
            }
            let start = WorkPool.threadNanoseconds()
            next.element()
            let used = WorkPool.threadNanoseconds() &- start
            state.withLock { $0.queue.charge(used, to: next.share) }
        }
    }

    /// The processor time of this thread, so that waiting is not charged to the share.
    private static func threadNanoseconds() -> UInt64 { UInt64(SystemClock.nanoseconds(CLOCK_THREAD_CPUTIME_ID)) }
}

/// Runs the tasks of a share on a pool's threads, so that a large body does not occupy Swift's default thread pool.
package final class WorkExecutor: TaskExecutor {
    private let pool: WorkPool
    private let share: WorkShare

    package init(_ pool: WorkPool, for share: WorkShare) {
        self.pool = pool
        self.share = share
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.goOn(for: share) { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
