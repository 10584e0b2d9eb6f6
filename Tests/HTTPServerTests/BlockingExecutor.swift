// SPDX-License-Identifier: Apache-2.0

import Platform

/// Runs each job on its own thread, so that tests may block in socket calls without starving the server's tasks.
final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard let thread = try? SystemThread({ job.runSynchronously(on: self.asUnownedTaskExecutor()) }) else {
            preconditionFailure("the system has no more threads")
        }
        thread.detach()
    }
}
