// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Platform
import Synchronization

/// The bounded queue between any thread and the one writer of a store: a locked `Batcher` and a wake-up signal.
package final class WriteQueue<Job: WriteJob>: Sendable {
    private let batcher: Mutex<Batcher<Job>>
    private let wake = DispatchSemaphore(value: 0)
    private let full: Refusal
    /// Counts jobs that were rejected because the queue was full.
    private let rejectedFull: @Sendable () -> Void

    package init(_ limits: QueueLimits, full: Refusal, rejectedFull: @escaping @Sendable () -> Void = {}) {
        batcher = Mutex(Batcher(limits))
        self.full = full
        self.rejectedFull = rejectedFull
    }

    package var unanswered: JobWeight { batcher.withLock { $0.unanswered } }

    /// Queues a job, or rejects it at once on the caller's thread.
    package func add(_ job: Job) {
        switch batcher.withLock({ $0.add(job) }) {
        case .queued(let wakesWriter): if wakesWriter { wake.signal() }
        case .full:
            rejectedFull()
            job.reject(full)
        case .closed: job.reject(.draining)
        }
    }

    /// Throws what a job of an app would be rejected with now, before its body is even decoded.
    package func checkRoom(for app: AppID? = nil) throws(Refusal) {
        switch batcher.withLock({ $0.isFull(for: app) ? Batcher<Job>.Admission.full : $0.isClosed ? .closed : nil }) {
        case .full:
            rejectedFull()
            throw full
        case .closed: throw .draining
        case .queued, nil: return
        }
    }

    /// The next group, and whether the queue is closed. An empty group means that the next job wakes the writer.
    package func take() -> (group: [Job], isClosed: Bool) { batcher.withLock { ($0.take(), $0.isClosed) } }

    /// Blocks the writer's thread until a job comes, the queue closes or the time is over.
    package func wait(atMost time: Duration?) {
        guard let time else { return wake.wait() }
        _ = wake.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    }

    /// The next job that was not prefetched for, with its place; nil where there is none.
    package func nextToPrefetch() -> (place: Int, job: Job)? { batcher.withLock { $0.nextToPrefetch() } }

    /// Puts a job of the same weight in a place, unless the writer took that meanwhile.
    package func replace(_ place: Int, by job: Job) { batcher.withLock { $0.replace(place, by: job) } }

    /// Frees the room of a job and reports its outcome.
    package func respond(to job: Job, _ outcome: Job.Outcome) {
        batcher.withLock { $0.answered(job) }
        job.respond(outcome)
    }

    /// Frees the room of a job of which nothing was kept.
    package func reject(_ job: Job, _ refusal: Refusal) {
        batcher.withLock { $0.answered(job) }
        job.reject(refusal)
    }

    /// Rejects every further job; the writer still gets those that wait.
    package func close() {
        if batcher.withLock({ $0.close() }) { wake.signal() }
    }
}
