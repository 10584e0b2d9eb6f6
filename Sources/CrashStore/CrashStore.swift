// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Crashes
package import Database
package import Platform
import SQLite
import Synchronization

/// The store of crash reports, issues and symbol files: the database `crashes.db`, its writer and its queries.
///
/// The database has its own file and write engine. Intake of events and intake of reports therefore do not wait for each other's commits.
///
///     take([report]) → queue → CrashWriter → commit → verdicts, one per report: stored or duplicate, and the issue
///                                                   → `transitions` signals new issues and regressions, for alerts
///                                                   → `symbolWork` signals reports to symbolicate
package final class CrashStore: CompanionStore {
    package static let fileName = "crashes.db"
    package let limits: CrashBounds
    package let gauges: CrashGauges
    let readers: ReaderPool
    let clock: WallClock
    let hash: KeyedHash
    let directory: DirectoryCache
    /// Called with reports and their verdicts after the commit.
    private let taken: @Sendable ([CrashSubmission], [CrashVerdict], AppID) -> Void
    /// Signals that an issue has appeared, regressed or was unmuted.
    package let transitions: AsyncStream<Void>
    /// Signals that there are reports to symbolicate.
    package let symbolWork: AsyncStream<Void>
    private let transitionWakeUp: AsyncStream<Void>.Continuation
    private let symbolWakeUp: AsyncStream<Void>.Continuation
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
        (transitions, transitionWakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (symbolWork, symbolWakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Signals work that remains from the last run.
        for wakeUp in [transitionWakeUp, symbolWakeUp] { wakeUp.yield() }
        let file = try CrashDB.open(writing: shared.paths.crashes)
        engine = WriteEngine(
            WriteQueue(.changes(limits.queue, bytes: limits.queueBytes), full: .tooManyChanges(to: "crashes")),
            try CrashWriter(file, limits, directory, shared, gauges))
    }

    /// Runs the writer until `close`. Changes queued before `close` are still committed.
    package func run() async {
        await engine.run(on: "signalbox.crashes", publish: publish)
    }

    package func close() {
        engine.close()
        for wakeUp in [transitionWakeUp, symbolWakeUp] { wakeUp.finish() }
    }

    /// Signals symbolication work, for reports whose lease has expired.
    package func lookForSymbolWork() { symbolWakeUp.yield() }

    private func publish(_ notice: CrashWriter.Notice) {
        if notice.hasTransitions { transitionWakeUp.yield() }
        if notice.hasSymbolWork { symbolWakeUp.yield() }
    }

    /// Throws if the queue is full or closed. Intake calls it before it decodes a body.
    package func checkCapacity() throws(Refusal) {
        try engine.queue.checkCapacity()
    }

    /// Stores reports, deduplicated by ID within the app, and attachments of these or earlier reports, in one change. Returns the verdicts of
    /// the reports in the same order after the commit.
    package func take(_ submissions: [CrashSubmission], attachments: [CrashAttachment] = [], app: AppID) async throws -> [CrashVerdict] {
        if submissions.isEmpty && attachments.isEmpty { return [] }
        let rows = submissions.map { NewCrash($0, app: app, hash, limits) }
        let files = attachments.map { NewAttachment($0, app: app, hash, largest: limits.attachmentBytes) }
        let bytes = rows.reduce(0) { $0 + $1.weight } + files.reduce(0) { $0 + $1.weight }
        let verdicts = try await engine.change(bytes: bytes, joins: true) { context in
            let verdicts = try rows.map { try context.take($0) }
            for attachment in files { try context.attach(attachment) }
            return verdicts
        }
        taken(submissions, verdicts, app)
        return verdicts
    }

    package func emptyLog() async throws { try await engine.emptyLogs() }

    /// Runs a change on the writer's thread. Returns its result after the commit.
    package func change<T: Sendable>(_ body: @escaping @Sendable (CrashFileContext) throws -> T) async throws -> T {
        try await engine.change(body)
    }

    /// Runs a query on a reader connection.
    package func read<T: Sendable>(
        _ cost: ReaderPool.Cost = .small, seconds: Double = 10, _ body: @escaping @Sendable (CrashDB) throws -> T
    ) async throws -> T {
        try await readers.read(cost, seconds: seconds) { try $0.withCrashes(body) }
    }
}
