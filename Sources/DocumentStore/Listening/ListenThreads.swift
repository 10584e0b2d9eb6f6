// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The threads on which streams are served. Results of many streams keep them busy for seconds, and requests must not wait for that, as they
/// would on the threads that all tasks share.
final class ListenThreads: TaskExecutor {
    /// Serial queues have threads of their own. Those of a quality of service are shared with readers.
    private let queues = (1...2).map { DispatchQueue(label: "signalbox.documents.listeners.\($0)") }
    private let jobs = Atomic(0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let number = jobs.wrappingAdd(1, ordering: .relaxed).oldValue
        queues[number % queues.count].async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
