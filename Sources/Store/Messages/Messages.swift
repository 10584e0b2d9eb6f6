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
    private let engine: WriteEngine<MessageWriter>

    init(
        _ paths: StorePaths, _ limits: MessageBounds, _ readers: Readers, _ blockade: Blockade, _ gauges: MessageGauges, clock: WallClock,
        _ clockWatch: ClockWatch, failStop: FailStop, _ troubles: TroubleLog
    ) throws {
        self.limits = limits
        self.readers = readers
        self.blockade = blockade
        self.gauges = gauges
        self.clock = clock
        streams = StreamHub(most: limits.streams)
        let file = try MessageDB.open(writing: paths.messages)
        engine = WriteEngine(
            WriteQueue(.changes(limits.queue), full: .tooManyChanges(to: "messages")),
            try MessageWriter(file, limits, clock, clockWatch, gauges, failStop, troubles))
        (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        bell.yield()
    }

    /// Works until `close`, then does what was asked before it and ends.
    func run() async {
        // Ingest comes first.
        await engine.run(on: "signalbox.messages", yieldsToOthers: true, publish: publish)
    }

    func close() {
        engine.close()
        bell.finish()
        streams.end()
    }

    private func publish(_ news: MessageWriter.News) {
        if news.isDueEarlier || news.hasChallenges { bell.yield() }
        streams.tell(news.forStreams)
    }

    /// Has the writer make a change, and answers when it is durable.
    func change<T: Sendable>(_ body: @escaping @Sendable (MessageContext) throws -> T) async throws -> T {
        try await engine.change(body)
    }

    /// Reads the file as it is now.
    func read<T: Sendable>(_ body: @escaping @Sendable (MessageDB) throws -> T) async throws -> T {
        try await readers.read { try $0.withMessages(body) }
    }
}
