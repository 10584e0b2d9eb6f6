// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs each job on its own thread, so that tests may block in socket calls without starving the server's tasks.
final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let box = Unmanaged.passRetained(Box(UnownedJob(job), self))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }

    private final class Box {
        private let job: UnownedJob
        private let executor: BlockingExecutor

        init(_ job: UnownedJob, _ executor: BlockingExecutor) {
            self.job = job
            self.executor = executor
        }

        func run() {
            job.runSynchronously(on: executor.asUnownedTaskExecutor())
        }
    }
}
