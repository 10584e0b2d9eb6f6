// SPDX-License-Identifier: Apache-2.0

package import Dispatch
package import Platform
package import Synchronization

/// The bounded queue between callers on any thread and a store's writer: a locked `Batcher` and a semaphore.
///
/// Backpressure: a full queue rejects a job at once with the store's `overloaded` refusal (429). Callers never wait for capacity.
package final class WriteQueue<Job: WriteJob>: Sendable {
    package let batcher: Mutex<Batcher<Job>>
    package let wake = DispatchSemaphore(value: 0)
    package let full: Refusal
    /// Called for each job rejected because the queue is full.
    package let rejectedFull: @Sendable () -> Void

    package init(_ limits: QueueLimits, full: Refusal, rejectedFull: @escaping @Sendable () -> Void = {}) {
        batcher = Mutex(Batcher(limits))
        self.full = full
        self.rejectedFull = rejectedFull
    }

    /// Whether jobs wait for the writer.
    package var hasWaiting: Bool { batcher.withLock { !$0.waiting.isEmpty } }

    package var outstanding: JobWeight { batcher.withLock { $0.outstanding } }

    /// Queues a job, or rejects it at once on the caller's thread.
    @inlinable package func add(_ job: Job) {
        switch batcher.withLock({ $0.add(job) }) {
        case .queued(let wakesWriter): if wakesWriter { wake.signal() }
        case .full:
            rejectedFull()
            job.reject(full)
        case .closed: job.reject(.draining)
        }
    }

    /// Throws the rejection that a job of an app would get now. Callers check this before they decode a body.
    @inlinable package func checkCapacity(for app: AppID? = nil) throws(Refusal) {
        switch batcher.withLock({ $0.isFull(for: app) ? Batcher<Job>.Admission.full : $0.isClosed ? .closed : nil }) {
        case .full:
            rejectedFull()
            throw full
        case .closed: throw .draining
        case .queued, nil: return
        }
    }

    /// Returns the next group, and whether the queue is closed. After an empty group the next job wakes the writer.
    @inlinable package func take() -> (group: [Job], isClosed: Bool) { batcher.withLock { ($0.take(), $0.isClosed) } }

    /// Ends a wait of the writer's thread without a job.
    func wakeWriter() { wake.signal() }

    /// Blocks the writer's thread until a job arrives, the queue closes or the time has passed.
    package func wait(atMost time: Duration?) {
        guard let time else { return wake.wait() }
        _ = wake.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    }

    /// Returns the next job whose dedupe keys were not prefetched, with its place; nil if there is none.
    package func nextToPrefetch() -> (place: Int, job: Job)? { batcher.withLock { $0.nextToPrefetch() } }

    /// Replaces the job in a place by one of the same weight, unless the writer has taken it.
    package func replace(_ place: Int, by job: Job) { batcher.withLock { $0.replace(place, by: job) } }

    /// Frees the capacity of a job and reports its outcome.
    @inlinable package func respond(to job: Job, _ outcome: Job.Outcome) {
        batcher.withLock { $0.completed(job) }
        job.respond(outcome)
    }

    /// Frees the capacity of a job and reports that nothing of it was stored.
    package func reject(_ job: Job, _ refusal: Refusal) {
        batcher.withLock { $0.completed(job) }
        job.reject(refusal)
    }

    /// Rejects further jobs. The writer still gets those that wait.
    package func close() {
        if batcher.withLock({ $0.close() }) { wake.signal() }
    }
}
