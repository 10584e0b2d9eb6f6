// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Platform
import SQLite
import Synchronization

/// What went wrong where: the crashes' file with its one writer.
///
/// It has a file and a thread of its own, so that events never wait for a report nor reports for a commit of events.
package final class CrashStore: Sendable {
    package let limits: CrashBounds
    package let gauges: CrashGauges
    let readers: Readers
    let clock: WallClock
    let hash: KeyedHash
    let directory: DirectoryCache
    private let tail: Tail
    /// Rings when something happened to an issue of which somebody is to hear.
    package let turns: AsyncStream<Void>
    /// Rings when there are reports to look up in symbol files.
    package let symbolWork: AsyncStream<Void>
    private let turnBell: AsyncStream<Void>.Continuation
    private let symbolBell: AsyncStream<Void>.Continuation
    private let engine: WriteEngine<CrashWriter>

    init(
        _ paths: StorePaths, _ limits: CrashBounds, _ readers: Readers, _ directory: DirectoryCache, _ hash: KeyedHash, _ gauges: CrashGauges,
        clock: WallClock, failStop: FailStop, _ troubles: TroubleLog, _ tail: Tail
    ) throws {
        self.limits = limits
        self.tail = tail
        self.readers = readers
        self.directory = directory
        self.hash = hash
        self.gauges = gauges
        self.clock = clock
        (turns, turnBell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (symbolWork, symbolBell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // What was left when the store was closed.
        for bell in [turnBell, symbolBell] { bell.yield() }
        let file = try CrashDB.open(writing: paths.crashes)
        engine = WriteEngine(
            WriteQueue(.changes(limits.queue, bytes: limits.queueBytes), full: .tooManyChanges(to: "crashes")),
            try CrashWriter(file, limits, directory, clock, gauges, failStop, troubles))
    }

    /// Works until `close`, then does what was asked before it and ends.
    func run() async {
        await engine.run(on: "signalbox.crashes", publish: publish)
    }

    func close() {
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
        if tail.listeners > 0 { tail.crashed(TailCrash.taken(submissions, verdicts), app: app) }
        return verdicts
    }

    /// Has the writer make a change, and answers when it is durable.
    func change<T: Sendable>(_ body: @escaping @Sendable (CrashFileContext) throws -> T) async throws -> T {
        try await engine.change(body)
    }

    /// Reads the file as it is now.
    func read<T: Sendable>(
        _ cost: Readers.Cost = .small, seconds: Double = 10, _ body: @escaping @Sendable (CrashDB) throws -> T
    ) async throws -> T {
        try await readers.read(cost, seconds: seconds) { try $0.withCrashes(body) }
    }
}
