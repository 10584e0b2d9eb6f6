// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The write engine of a store: one queue, one thread, one writer.
///
/// The engine does group commit. A commit costs an fsync whatever its size, so the thread commits all jobs that arrived during the previous
/// fsync in one transaction. Groups grow with the load and no job waits for a timer:
///
///     a arrives                        the thread takes [a] and commits
///     b, c, d arrive during the fsync  they wait in the queue
///     the fsync returns                a gets its response; the thread takes [b, c, d]
///     one fsync later                  b, c and d get their responses
///
/// All stores run this loop, so back-pressure, background work and shutdown are the same everywhere:
///
///     callers ──add──▶ WriteQueue ──take──▶ DatabaseWriter ──commit──▶ response to each caller
///                      bounded, 429          one thread       fsync     then notifications, then checkpoints
///
/// 1. Callers add jobs from any thread. A full queue rejects a job at once.
/// 2. The thread takes a group and the writer commits it. Callers get their responses after the commit.
/// 3. Between groups the writer does one piece of background work if there is any, then checkpoints. Logs that must be empty are tried
///    again until no query reads them.
/// 4. After `close` the thread commits the jobs that still wait, and `run` returns.
///
/// Invariant: a successful response implies that the job is on the disk.
package final class WriteEngine<Writer: DatabaseWriter>: Sendable {
    /// The time by which the precedence of another writer delays a group or a piece of background work at most.
    private static var longestWayGiven: Duration { .milliseconds(4) }

    package let queue: WriteQueue<Writer.Job>
    /// Held by the engine's thread for as long as `run` lasts.
    private let writer: Mutex<Writer>
    private let emptying = LogEmptying()

    package init(_ queue: WriteQueue<Writer.Job>, _ writer: sending Writer) {
        self.queue = queue
        self.writer = Mutex(writer)
    }

    /// Gives access to the writer before `run`.
    package func prepare(_ body: (Writer) throws -> Void) rethrows {
        try writer.withLock { try body($0) }
    }

    /// Runs the loop on a thread of this name until `close`.
    ///
    /// `publish` is called on that thread after each commit, in the order of the commits.
    ///
    /// - Parameter precedence: The precedence of another writer, which goes first.
    package func run(
        on thread: String, yieldsToOthers: Bool = false, after precedence: Precedence? = nil,
        publish: @escaping @Sendable (Writer.Notice) -> Void = { _ in }
    ) async {
        await onOwnThread(thread) {
            if yieldsToOthers { OwnProcess.givePrecedenceToOtherThreads() }
            self.writer.withLock { self.serve($0, precedence, publish) }
        }
    }

    package func close() { queue.close() }

    /// Returns when the write-ahead logs are empty, so that nothing of what was removed before is left in them.
    ///
    /// A query that reads a log is waited for. Throws `Refusal.logInUse` if that takes long; the thread then goes on trying.
    package func emptyLogs() async throws {
        try await withCheckedThrowingContinuation { continuation in
            emptying.add(continuation)
            queue.wakeWriter()
        }
    }

    private func serve(_ writer: Writer, _ precedence: Precedence?, _ publish: (Writer.Notice) -> Void) {
        while true {
            if queue.hasWaiting { precedence?.giveWay(atMost: WriteEngine.longestWayGiven) }
            let (group, isClosed) = queue.take()
            if !group.isEmpty {
                if let notice = writer.process(group, in: queue) { publish(notice) }
                writer.maintain()
            } else if isClosed {
                break
            }
            let pause = emptying.proceed(writer)
            switch writer.nextWork {
            case .now where !isClosed:
                precedence?.giveWay(atMost: WriteEngine.longestWayGiven)
                if let notice = writer.work() {
                    publish(notice)
                    writer.maintain()
                }
            case .after(let time) where group.isEmpty: queue.wait(atMost: min(time, pause ?? time))
            case .none where group.isEmpty: queue.wait(atMost: pause)
            default: break
            }
        }
        writer.close()
        emptying.end()
    }
}

extension WriteEngine {
    /// Queues a change and returns its result once that is durable.
    package func change<Context, T: Sendable>(
        bytes: Int = 0, joins: Bool = false, _ body: @escaping @Sendable (Context) throws -> T
    ) async throws -> T where Writer.Job == Change<Context> {
        try await Change.result(of: body, bytes: bytes, joins: joins, madeBy: queue.add)
    }
}
