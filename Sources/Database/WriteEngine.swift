// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The write engine of a store: one queue, one thread, one writer.
///
/// Every store runs the same loop, so group commit, back-pressure, background work and shutdown behave alike:
///
///     callers ──add──▶ WriteQueue ──take──▶ DatabaseWriter ──commit──▶ response to each caller
///                      bounded, 429          one thread       fsync     then news, then checkpoints
///
/// 1. Callers add jobs from any thread. A full queue rejects a job at once.
/// 2. The thread takes a group of what waits and has the writer commit it. Callers hear of it after the commit.
/// 3. Between groups the writer does a piece of background work where it has any, then checkpoints.
/// 4. After `close` the thread commits what still waits, and `run` returns.
package final class WriteEngine<Writer: DatabaseWriter>: Sendable {
    package let queue: WriteQueue<Writer.Job>
    /// Only the engine's thread takes it, for as long as `run` lasts.
    private let writer: Mutex<Writer>

    package init(_ queue: WriteQueue<Writer.Job>, _ writer: sending Writer) {
        self.queue = queue
        self.writer = Mutex(writer)
    }

    /// Uses the writer before `run`.
    package func prepare(_ body: (Writer) throws -> Void) rethrows {
        try writer.withLock { try body($0) }
    }

    /// Works on a thread of that name until `close`. `publish` hears of each commit on that thread, in their order.
    package func run(on thread: String, yieldsToOthers: Bool = false, publish: @escaping @Sendable (Writer.News) -> Void = { _ in }) async {
        await onOwnThread(thread) {
            if yieldsToOthers { OwnProcess.givePrecedenceToOtherThreads() }
            self.writer.withLock { self.serve($0, publish) }
        }
    }

    package func close() { queue.close() }

    private func serve(_ writer: Writer, _ publish: (Writer.News) -> Void) {
        while true {
            let (group, isClosed) = queue.take()
            if !group.isEmpty {
                if let news = writer.process(group, in: queue) { publish(news) }
                writer.maintain()
            } else if isClosed {
                break
            }
            switch writer.nextWork {
            case .now where !isClosed:
                if let news = writer.work() {
                    publish(news)
                    writer.maintain()
                }
            case .after(let time) where group.isEmpty: queue.wait(atMost: time)
            case .none where group.isEmpty: queue.wait(atMost: nil)
            default: break
            }
        }
        writer.close()
    }
}

extension WriteEngine {
    /// Has the writer make a change, and returns its result when that is durable.
    package func change<Context, T: Sendable>(
        bytes: Int = 0, joins: Bool = false, _ body: @escaping @Sendable (Context) throws -> T
    ) async throws -> T where Writer.Job == Change<Context> {
        try await Change.result(of: body, bytes: bytes, joins: joins, madeBy: queue.add)
    }
}
