// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Database
import Messaging
package import Platform
import SQLite
import Synchronization

/// The store of registrations, topics, messages and deliveries: the database `messages.db`, its writer and its queries.
///
/// It is the durable queue behind `DeliveryQueue`:
///
///     publish → message with a fence → fan-out in chunks → deliveries → claim → settle
///                                                        └▶ `StreamHub` notifies readers of streams
package final class MessageStore: CompanionStore {
    package static let fileName = "messages.db"
    package let limits: MessageBounds
    /// Signals that a delivery may be due earlier than stated before, or that an endpoint has to confirm.
    package let dueChanges: AsyncStream<Void>
    package let streams: StreamHub
    package let gauges: MessageGauges
    let blockade: Blockade
    package let readers: ReaderPool
    let clock: WallClock
    private let wakeUp: AsyncStream<Void>.Continuation
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
        (dueChanges, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        wakeUp.yield()
    }

    /// Runs the writer until `close`. Changes queued before `close` are still committed.
    package func run() async {
        // Other threads take precedence, above all intake.
        await engine.run(on: "signalbox.messages", yieldsToOthers: true, publish: publish)
    }

    package func close() {
        engine.close()
        wakeUp.finish()
        streams.end()
    }

    private func publish(_ notice: MessageWriter.Notice) {
        if notice.isDueEarlier || notice.hasChallenges { wakeUp.yield() }
        streams.publish(notice.forStreams)
    }

    package func emptyLog() async throws { try await engine.emptyLogs() }

    /// Runs a change on the writer's thread. Returns its result after the commit.
    package func change<T: Sendable>(_ body: @escaping @Sendable (MessageContext) throws -> T) async throws -> T {
        try await engine.change(body)
    }

    /// Runs a query on a reader connection.
    package func read<T: Sendable>(_ body: @escaping @Sendable (MessageDB) throws -> T) async throws -> T {
        try await readers.read { try $0.withMessages(body) }
    }
}
