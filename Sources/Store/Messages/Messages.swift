import Dispatch
import Messaging
import Platform
import SQLite
import Synchronization

/// Who is reached where, what was published, and how far each delivery is: the messages' file with its one writer.
package final class Messages: Sendable {
    package let limits: MessageBounds
    /// Rings when something may be due earlier than was known, or an endpoint is to prove itself.
    package let news: AsyncStream<Void>
    package let streams: StreamHub
    package let gauges: MessageGauges
    let blockade: Blockade
    let readers: Readers
    let clock: WallClock
    private let bell: AsyncStream<Void>.Continuation
    private let waiting: Mutex<Waiting>
    private let wake = DispatchSemaphore(value: 0)
    /// Only its own thread takes it, for as long as the store runs.
    private let writer: Mutex<MessageWriter>

    private struct Waiting {
        var changes: [MessageChange] = []
        var isClosed = false
        /// Whether the writer waits to be woken.
        var isAsleep = false
    }

    /// In one transaction; more are left for the next.
    private static let groupLimit = 512

    init(
        _ paths: StorePaths, _ limits: MessageBounds, _ readers: Readers, _ blockade: Blockade, _ gauges: MessageGauges, clock: WallClock,
        lastResort: LastResort, _ troubles: TroubleLog
    ) throws {
        self.limits = limits
        self.readers = readers
        self.blockade = blockade
        self.gauges = gauges
        self.clock = clock
        streams = StreamHub(most: limits.streams)
        writer = Mutex(try MessageWriter(try MessageFile.open(paths), limits, clock, gauges, lastResort, troubles))
        waiting = Mutex(Waiting())
        (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        bell.yield()
    }

    /// Works until `close`, then does what was asked before it and ends.
    func run() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "signalbox.messages").async {
                // Taking events in comes first.
                OwnProcess.givePrecedenceToOtherThreads()
                self.writer.withLock { self.work(&$0) }
                continuation.resume()
            }
        }
    }

    func close() {
        waiting.withLock { $0.isClosed = true }
        wake.signal()
        bell.finish()
        streams.end()
    }

    /// The life of the writer's thread.
    private func work(_ writer: inout MessageWriter) {
        while true {
            let (changes, isClosed) = take()
            if !changes.isEmpty { tell(writer.process(changes)) }
            if isClosed && changes.isEmpty { break }
            let idle = writer.idleTime()
            if idle == nil && !isClosed { tell(writer.work()) }
            guard let idle, mayWait() else { continue }
            _ = wake.wait(timeout: .now() + .milliseconds(Int(idle / .milliseconds(1))))
        }
        writer.close()
    }

    private func take() -> (changes: [MessageChange], isClosed: Bool) {
        waiting.withLock { waiting in
            waiting.isAsleep = false
            let group = Array(waiting.changes.prefix(Messages.groupLimit))
            waiting.changes.removeFirst(group.count)
            return (group, waiting.isClosed)
        }
    }

    private func mayWait() -> Bool {
        waiting.withLock { waiting in
            waiting.isAsleep = waiting.changes.isEmpty && !waiting.isClosed
            return waiting.isAsleep
        }
    }

    private func tell(_ told: MessageWriter.News) {
        if told.isDueEarlier || told.hasChallenges { bell.yield() }
        streams.tell(told.forStreams)
    }

    /// Has the writer make a change, and answers when it is durable.
    func change<T: Sendable>(_ body: @escaping @Sendable (MessageContext) throws -> T) async throws -> T {
        try await changeQueue { context, _ in try body(context) }
    }

    /// As `change`, for those that also take from what is due.
    func changeQueue<T: Sendable>(_ body: @escaping @Sendable (MessageContext, inout DueOrigins) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let box = ResultBox<T>()
            add(
                MessageChange { context, due in
                    let value = try body(context, &due)
                    box.value.withLock { $0 = value }
                } done: { error in
                    if let value = box.value.withLock({ $0 }), error == nil {
                        continuation.resume(returning: value)
                    } else {
                        continuation.resume(throwing: error ?? StoreError.stopped)
                    }
                })
        }
    }

    private func add(_ change: MessageChange) {
        let admission = waiting.withLock { waiting -> Result<Bool, Refusal> in
            if waiting.isClosed { return .failure(Messages.closed) }
            if waiting.changes.count >= limits.queue { return .failure(Messages.full) }
            waiting.changes.append(change)
            defer { waiting.isAsleep = false }
            return .success(waiting.isAsleep)
        }
        switch admission {
        case .success(let isAsleep): if isAsleep { wake.signal() }
        case .failure(let refusal): change.done(refusal)
        }
    }

    private static let full = Refusal(
        .overloaded, "More is asked about messages than can be done.", hint: "Send it again later.", retryAfterSeconds: 1)
    private static let closed = Refusal(.draining, "The server is shutting down.", hint: "Send it again.", retryAfterSeconds: 2)

    /// Reads the file as it is now.
    func read<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await readers.read { try $0.withMessages(body) }
    }
}
