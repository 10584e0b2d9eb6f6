// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Database
import Functions
import Messaging
package import Platform
import SQLite

/// The store of functions, their runs and logs: the database `functions.db`, its writer and its reads.
///
/// It is a durable queue behind `DeliveryQueue`, where each function is an origin:
///
///     task or trigger → run → claim → request to the function's address → settle
package final class FunctionStore: CompanionStore {
    package static let fileName = "functions.db"
    package let bounds: FunctionBounds
    package let gauges: FunctionGauges
    package let catalog: FunctionCatalog
    package let tokens: RunTokens
    package let activity = FunctionActivity()
    /// Wakes streams of logs.
    package let logs = LogFollowers(of: "logs", maxStreams: 100)
    package let redrives = RedriveCount()
    let schedulesWithoutPlace = SchedulesWithoutPlace()
    /// Signals that a run may be due earlier than stated before.
    package let dueChanges: AsyncStream<Void>
    /// Signals that a run may have to be published on a topic earlier than stated before.
    package let publicationChanges: AsyncStream<Void>
    let readers: ReaderPool
    let clock: WallClock
    let directory: DirectoryCache
    private let engine: WriteEngine<FunctionWriter>
    private let wakeUp: AsyncStream<Void>.Continuation
    private let wakePublisher: AsyncStream<Void>.Continuation

    package init(_ shared: StoreParts, _ bounds: FunctionBounds, _ directory: DirectoryCache, _ metrics: Metrics = Metrics()) throws {
        (self.bounds, self.directory) = (bounds, directory)
        (readers, clock) = (shared.readers, shared.clock)
        gauges = FunctionGauges(metrics)
        let file = try FunctionDB.open(writing: shared.paths.functions)
        catalog = FunctionCatalog(try file.functions())
        tokens = RunTokens(clock: shared.clock, catalog)
        let queue = WriteQueue<Change<FunctionContext>>(.changes(bounds.queue, bytes: bounds.queueBytes), full: .tooManyChanges(to: "functions"))
        engine = WriteEngine(queue, try FunctionWriter(file, bounds, shared, gauges, activity))
        (dueChanges, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (publicationChanges, wakePublisher) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        wakeUp.yield()
        wakePublisher.yield()
    }

    package func run() async {
        await engine.run(on: "signalbox.functions", yieldsToOthers: true) { [wakeUp, wakePublisher, logs, redrives] committed in
            if committed.isDueEarlier { wakeUp.yield() }
            if committed.isPublishedEarlier { wakePublisher.yield() }
            if committed.redrives { redrives.add() }
            logs.wake(committed.logged)
        }
    }

    package func close() {
        engine.close()
        wakeUp.finish()
        wakePublisher.finish()
        logs.end()
    }

    package var now: Timestamp { clock.now() }

    /// Throws the rejection that a change of an app would get now.
    package func checkCapacity(for app: AppID?) throws(Refusal) { try engine.queue.checkCapacity(for: app) }

    /// Returns when the writer has responded.
    package func respond() async throws { try await change { _ in } }

    package func emptyLog() async throws { try await engine.emptyLogs() }

    func change<T: Sendable>(
        _ app: AppID? = nil, bytes: Int = 0, committed: @escaping @Sendable (T) -> Void = { _ in },
        _ body: @escaping @Sendable (FunctionContext) throws -> T
    ) async throws -> T {
        try await Change.result(of: body, app: app, bytes: bytes, committed: committed, madeBy: engine.queue.add)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (FunctionDB) throws -> T) async throws -> T {
        try await readers.read { session in try session.withFunctions(body) }
    }
}

extension StorePaths {
    package var functions: String { root + "/" + FunctionStore.fileName }
}

extension ReadSession {
    package func withFunctions<T>(_ body: (FunctionDB) throws -> T) throws -> T { try withSnapshot(paths.functions, body) }
}

/// A state of the database that this store does not write.
enum FunctionStoreError: Error {
    case damaged
}
