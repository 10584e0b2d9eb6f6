// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Database
import Messaging
package import Platform
import SQLite
import Synchronization

/// Registrations, topics, messages and deliveries: the file `messages.db` with its one writer.
package final class MessageStore: Sendable {
    package let limits: MessageBounds
    /// Rings when something may be due earlier than was known, or an endpoint is to prove itself.
    package let news: AsyncStream<Void>
    package let streams: StreamHub
    package let gauges: MessageGauges
    let blockade: Blockade
    package let readers: ReaderPool
    let clock: WallClock
    private let bell: AsyncStream<Void>.Continuation
    private let engine: WriteEngine<MessageWriter>

    package init(
        _ shared: StoreParts, _ limits: MessageBounds = MessageBounds(), _ directory: DirectoryCache, _ hash: KeyedHash,
        _ metrics: Metrics = Metrics()
    ) throws {
        self.limits = limits
        readers = shared.readers
        blockade = Blockade(directory: directory, hash: hash)
        gauges = MessageGauges(metrics)
        clock = shared.clock
        streams = StreamHub(most: limits.streams)
        let file = try MessageDB.open(writing: shared.paths.messages)
        engine = WriteEngine(
            WriteQueue(.changes(limits.queue), full: .tooManyChanges(to: "messages")), try MessageWriter(file, limits, shared, gauges))
        (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        bell.yield()
    }

    /// Works until `close`, then does what was asked before it and ends.
    package func run() async {
        // Ingest comes first.
        await engine.run(on: "signalbox.messages", yieldsToOthers: true, publish: publish)
    }

    package func close() {
        engine.close()
        bell.finish()
        streams.end()
    }

    private func publish(_ news: MessageWriter.News) {
        if news.isDueEarlier || news.hasChallenges { bell.yield() }
        streams.tell(news.forStreams)
    }

    /// Has the writer make a change, and answers when it is durable.
    package func change<T: Sendable>(_ body: @escaping @Sendable (MessageContext) throws -> T) async throws -> T {
        try await engine.change(body)
    }

    /// Reads the file as it is now.
    package func read<T: Sendable>(_ body: @escaping @Sendable (MessageDB) throws -> T) async throws -> T {
        try await readers.read { try $0.withMessages(body) }
    }
}
