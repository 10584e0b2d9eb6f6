// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Crashes
package import Database
package import Platform
import SQLite
import Synchronization

/// Crash reports, issues and symbol files: the file `crashes.db` with its one writer.
///
/// It has a file and a thread of its own, so that events never wait for a report nor reports for a commit of events.
package final class CrashStore: Sendable {
    package let limits: CrashBounds
    package let gauges: CrashGauges
    let readers: ReaderPool
    let clock: WallClock
    let hash: KeyedHash
    let directory: DirectoryCache
    /// Called with reports and their verdicts once they are durable.
    private let taken: @Sendable ([CrashSubmission], [CrashVerdict], AppID) -> Void
    /// Rings when something happened to an issue of which somebody is to hear.
    package let turns: AsyncStream<Void>
    /// Rings when there are reports to look up in symbol files.
    package let symbolWork: AsyncStream<Void>
    private let turnBell: AsyncStream<Void>.Continuation
    private let symbolBell: AsyncStream<Void>.Continuation
    private let engine: WriteEngine<CrashWriter>

    package init(
        _ shared: StoreParts, _ limits: CrashBounds = CrashBounds(), _ directory: DirectoryCache, _ hash: KeyedHash, _ metrics: Metrics = Metrics(),
        taken: @escaping @Sendable ([CrashSubmission], [CrashVerdict], AppID) -> Void = { _, _, _ in }
    ) throws {
        self.limits = limits
        self.taken = taken
        self.directory = directory
        self.hash = hash
        readers = shared.readers
        gauges = CrashGauges(metrics)
        clock = shared.clock
        (turns, turnBell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (symbolWork, symbolBell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Work that was left when the store was closed.
        for bell in [turnBell, symbolBell] { bell.yield() }
        let file = try CrashDB.open(writing: shared.paths.crashes)
        engine = WriteEngine(
            WriteQueue(.changes(limits.queue, bytes: limits.queueBytes), full: .tooManyChanges(to: "crashes")),
            try CrashWriter(file, limits, directory, shared, gauges))
    }

    /// Works until `close`, then does what was asked before it and ends.
    package func run() async {
        await engine.run(on: "signalbox.crashes", publish: publish)
    }

    package func close() {
        engine.close()
        for bell in [turnBell, symbolBell] { bell.finish() }
    }

    /// Rings for reports whose lease has run out.
    package func lookForSymbolWork() { symbolBell.yield() }

    private func publish(_ news: CrashWriter.News) {
        if news.hasTurns { turnBell.yield() }
        if news.hasSymbolWork { symbolBell.yield() }
    }

    /// Refuses early, before a body is even decoded, what the line would refuse now.
    package func checkRoom() throws(Refusal) {
        try engine.queue.checkRoom()
    }

    /// Keeps reports: each id of an app once. Answers when they are durable, in their order.
    package func take(_ submissions: [CrashSubmission], app: AppID) async throws -> [CrashVerdict] {
        if submissions.isEmpty { return [] }
        let rows = submissions.map { NewCrash($0, app: app, hash, wantedImages: limits.wantedImages) }
        let bytes = rows.reduce(0) { $0 + $1.weight }
        let verdicts = try await engine.change(bytes: bytes, joins: true) { context in try rows.map { try context.take($0) } }
        taken(submissions, verdicts, app)
        return verdicts
    }

    /// Has the writer make a change, and answers when it is durable.
    package func change<T: Sendable>(_ body: @escaping @Sendable (CrashFileContext) throws -> T) async throws -> T {
        try await engine.change(body)
    }

    /// Reads the file as it is now.
    package func read<T: Sendable>(
        _ cost: ReaderPool.Cost = .small, seconds: Double = 10, _ body: @escaping @Sendable (CrashDB) throws -> T
    ) async throws -> T {
        try await readers.read(cost, seconds: seconds) { try $0.withCrashes(body) }
    }
}
