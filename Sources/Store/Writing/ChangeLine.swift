// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
import Synchronization

/// The changes that wait for the writer of a file, and the life of the thread that makes them.
final class ChangeLine<Context>: Sendable {
    struct Limits: Sendable {
        /// Changes that wait, and what they hold; beyond either more are refused.
        var changes: Int
        var bytes = Int.max
        /// In one transaction; more are left for the next.
        var group = 512
        var groupBytes = Int.max
    }

    private struct Waiting {
        var changes: [Change<Context>] = []
        var bytes = 0
        var isClosed = false
        /// Whether the writer waits to be woken.
        var isAsleep = false
    }

    private let limits: Limits
    private let full: Refusal
    private let waiting = Mutex(Waiting())
    private let wake = DispatchSemaphore(value: 0)

    /// `what` is what a refusal says there are too many changes to.
    init(_ limits: Limits, about what: String) {
        self.limits = limits
        full = Refusal(.overloaded, "Too many changes to \(what) are waiting for the disk.", hint: "Send it again later.", retryAfterSeconds: 1)
    }

    private static var closed: Refusal { Refusal(.draining, "The server is shutting down.", hint: "Send it again.", retryAfterSeconds: 2) }

    func close() {
        waiting.withLock { $0.isClosed = true }
        wake.signal()
    }

    /// The life of the writer's thread: works until `close`, then does what was asked before it and ends.
    func serve<Writer: FileWriter>(_ writer: Writer, tell: (Writer.News) -> Void) where Writer.Context == Context {
        while true {
            let (changes, isClosed) = take()
            if !changes.isEmpty, let news = writer.process(changes) { tell(news) }
            if isClosed && changes.isEmpty { break }
            let idle = writer.idleTime()
            if idle == nil, !isClosed, let news = writer.work() { tell(news) }
            guard let idle, mayWait() else { continue }
            _ = wake.wait(timeout: .now() + .milliseconds(Int(idle / .milliseconds(1))))
        }
        writer.close()
    }

    private func take() -> (changes: [Change<Context>], isClosed: Bool) {
        waiting.withLock { waiting in
            waiting.isAsleep = false
            var (count, bytes) = (0, 0)
            while count < min(waiting.changes.count, limits.group), count == 0 || bytes + waiting.changes[count].bytes <= limits.groupBytes {
                bytes += waiting.changes[count].bytes
                count += 1
            }
            let group = Array(waiting.changes.prefix(count))
            waiting.changes.removeFirst(count)
            waiting.bytes -= bytes
            return (group, waiting.isClosed)
        }
    }

    private func mayWait() -> Bool {
        waiting.withLock { waiting in
            waiting.isAsleep = waiting.changes.isEmpty && !waiting.isClosed
            return waiting.isAsleep
        }
    }

    /// Has the writer make a change, and answers when it is durable.
    func change<T: Sendable>(bytes: Int = 0, joins: Bool = false, _ body: @escaping @Sendable (Context) throws -> T) async throws -> T {
        try await Change.result(of: body, bytes: bytes, joins: joins, madeBy: add)
    }

    /// Refuses early what the line would refuse now.
    func checkRoom() throws(Refusal) {
        if let refusal = waiting.withLock({ refusal(of: 0, $0) }) { throw refusal }
    }

    private func refusal(of bytes: Int, _ waiting: borrowing Waiting) -> Refusal? {
        if waiting.isClosed { return ChangeLine.closed }
        let isFull = waiting.changes.count >= limits.changes || waiting.bytes > 0 && waiting.bytes + bytes > limits.bytes
        return isFull ? full : nil
    }

    private func add(_ change: Change<Context>) {
        let admission = waiting.withLock { waiting -> Result<Bool, Refusal> in
            if let refusal = refusal(of: change.bytes, waiting) { return .failure(refusal) }
            waiting.changes.append(change)
            waiting.bytes += change.bytes
            defer { waiting.isAsleep = false }
            return .success(waiting.isAsleep)
        }
        switch admission {
        case .success(let isAsleep): if isAsleep { wake.signal() }
        case .failure(let refusal): change.done(refusal)
        }
    }
}
