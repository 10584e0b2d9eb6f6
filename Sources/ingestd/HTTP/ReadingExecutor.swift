// SPDX-License-Identifier: Apache-2.0

/// Runs each part of a task at once, on the thread that made it possible.
///
///     begins      on the loop's thread, until its first read
///     continues   on the thread that read, which writes the response
///
/// For handlers that wait for reads only: what they do after a wait delays the reads behind it.
final class ReadingExecutor: TaskExecutor {
    static let shared = ReadingExecutor()

    func enqueue(_ job: consuming ExecutorJob) { unsafe UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor()) }
}
