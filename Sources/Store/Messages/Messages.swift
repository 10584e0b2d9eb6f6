// SPDX-License-Identifier: Apache-2.0

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
    private let line: ChangeLine<MessageContext>
    /// Only its own thread takes it, for as long as the store runs.
    private let writer: Mutex<MessageWriter>

    init(
        _ paths: StorePaths, _ limits: MessageBounds, _ readers: Readers, _ blockade: Blockade, _ gauges: MessageGauges, clock: WallClock,
        _ clockWatch: ClockWatch, lastResort: LastResort, _ troubles: TroubleLog
    ) throws {
        self.limits = limits
        self.readers = readers
        self.blockade = blockade
        self.gauges = gauges
        self.clock = clock
        streams = StreamHub(most: limits.streams)
        line = ChangeLine(.init(changes: limits.queue), about: "messages")
        let file = try MessageDB.open(writing: paths.messages)
        writer = Mutex(try MessageWriter(file, limits, clock, clockWatch, gauges, lastResort, troubles))
        (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        bell.yield()
    }

    /// Works until `close`, then does what was asked before it and ends.
    func run() async {
        await onOwnThread("signalbox.messages") {
            // Taking events in comes first.
            OwnProcess.givePrecedenceToOtherThreads()
            self.writer.withLock { self.line.serve($0, tell: self.tell) }
        }
    }

    func close() {
        line.close()
        bell.finish()
        streams.end()
    }

    private func tell(_ told: MessageWriter.News) {
        if told.isDueEarlier || told.hasChallenges { bell.yield() }
        streams.tell(told.forStreams)
    }

    /// Has the writer make a change, and answers when it is durable.
    func change<T: Sendable>(_ body: @escaping @Sendable (MessageContext) throws -> T) async throws -> T {
        try await line.change(body)
    }

    /// Reads the file as it is now.
    func read<T: Sendable>(_ body: @escaping @Sendable (MessageDB) throws -> T) async throws -> T {
        try await readers.read { try $0.withMessages(body) }
    }
}
