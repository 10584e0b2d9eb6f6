// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Database
package import Platform
import SQLite
package import SignalboxDocumentModel

/// The document store: the database `documents.db`, its writer and its reads.
///
/// Commits are serial. Each gets a stamp, a time in microseconds that grows with every commit, and a row in the change log for every
/// document it changes:
///
///     commit   preconditions → transforms → the caller's decision → documents, log and counts in one savepoint → fsync → response
///     read     one version of the database: the newest, or that of a stamp of the last hour, made with the log
package final class DocumentStore: CompanionStore {
    package static let fileName = "documents.db"
    package let gauges: DocumentGauges
    package let bounds: DocumentBounds
    package let listening: DocumentListening
    /// Wakes streams of the log of changes.
    package let followers = LogFollowers(of: "the log of changes", maxStreams: 1_000)
    let engine: WriteEngine<DocumentWriter>
    let directory: DirectoryCache
    let mustEmptyLog = EmptyLogRequest()
    let shapes = QueryShapes()
    let readers: ReaderPool
    /// Reads of single documents, which are short.
    let shortReads: GroupReader<DocumentDB>
    /// Queries that may be answered quickly.
    let shortQueries: GroupReader<DocumentDB>
    let clock: WallClock
    private let precedence: Precedence
    let bodies = BodyReader()
    let indexFields = IndexFields()
    let ruleCache: RuleCache

    package init(_ shared: StoreParts, _ bounds: DocumentBounds, _ directory: DirectoryCache, _ metrics: Metrics = Metrics()) throws {
        (self.bounds, self.directory) = (bounds, directory)
        (readers, clock, precedence) = (shared.readers, shared.clock, shared.precedence)
        shortReads = GroupReader(of: shared.paths.documents, shared.readers.pool, label: "signalbox.documents.readers")
        shortQueries = GroupReader(of: shared.paths.documents, shared.readers.pool, label: "signalbox.documents.queries")
        gauges = DocumentGauges(metrics)
        ruleCache = RuleCache(gauges) { directory.now.apps[$0]?.settings.strictRules ?? false }
        let file = try DocumentDB.open(writing: shared.paths.documents, cacheKiB: 16_384)
        let context = try DocumentContext(file, bodies, gauges, ruleCache, shared.clock)
        listening = DocumentListening(at: context.marks.stamp, epoch: try file.epoch(), gauges.streams, bounds)
        let queue = WriteQueue<Change<DocumentContext>>(
            .changes(bounds.queue, bytes: bounds.queueBytes), full: .tooManyChanges(to: "documents"),
            rejectedFull: { [gauges] in gauges.rejected.add() })
        engine = WriteEngine(queue, DocumentWriter(context, bounds, shared, mustEmptyLog, shapes) { queue.hasWaiting })
    }

    /// Gives a restored file a new epoch: clients that saw later commits must not go on from them.
    package static func prepareRestored(_ path: String) throws { try DocumentDB.change(path) { try $0.beginEpoch() } }

    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listening.run { try await self.answer($0, app: $1, $2) } }
            await engine.run(on: "signalbox.documents", after: precedence) {
                self.listening.publish($0)
                self.followers.wake(Set($0.commits.map(\.app)))
            }
            listening.end()
            shortReads.end()
            shortQueries.end()
            followers.end()
        }
    }

    package func close() { engine.close() }

    /// Throws the rejection that a commit of an app would get now.
    package func checkCapacity(for app: AppID?) throws(Refusal) { try engine.queue.checkCapacity(for: app) }

    /// The changes in the write queue, those of the commit that is under way included.
    package var queued: Int { engine.queue.outstanding.items }

    /// Returns when the writer has responded.
    package func respond() async throws { try await engine.change { (_: DocumentContext) in } }

    // MARK: Commits

    /// Makes writes together or not at all; durable on return. Throws `CommitFault`, or what the commit's decision throws.
    package func commit(_ commit: DocumentCommit, app: AppID) async throws -> CommitResult {
        do {
            let result = try await SpareSpace.forRemoval(if: commit.onlyRemoves) { try await attempt(commit, app: app) }
            gauges.count(.applied, commit.writes.count)
            return result
        } catch {
            gauges.count(.refused, commit.writes.count)
            throw error
        }
    }

    /// Commits. Conditions that are too much work for the writer are checked on a reader before.
    private func attempt(_ commit: DocumentCommit, app: AppID) async throws -> CommitResult {
        do { return try await change(app, bytes: commit.bytes) { try $0.commit(commit, app: app) } } catch is ConditionCheck.Exceeded {
            let checked = try await checked(commit, app: app)
            return try await change(app, bytes: checked.bytes) { try $0.commit(checked, app: app) }
        }
    }

    /// Makes each write alone, in order. A failing write does not affect the others.
    ///
    /// - Parameters:
    ///   - principal: The user to whom rules apply; nil for none.
    ///   - depth: The number of runs of functions that led to the writes.
    ///   - charge: Takes the bytes that a write of a user reads and makes, as of a commit.
    package func write(
        each writes: [DocumentWrite], app: AppID, as principal: RulePrincipal? = nil, depth: Int = 0,
        charge: (@Sendable (Int) throws -> Void)? = nil
    ) async throws -> [Result<CommitResult, any Error>] {
        let commit = DocumentCommit(writes)
        let results = try await SpareSpace.forRemoval(if: commit.onlyRemoves) {
            try await change(app, bytes: commit.bytes) {
                try $0.write(each: writes, app: app, as: principal, depth: depth, charge: charge)
            }
        }
        gauges.count(.applied, results.count { (try? $0.get()) != nil })
        gauges.count(.refused, results.count { (try? $0.get()) == nil })
        return results
    }

    /// Deletes all documents of an app, some hundred a commit; fewer on a full disk.
    package func deleteAll(of app: AppID) async throws {
        var query = DocumentQuery(collection: nil, everyDepth: true)
        query.select = []
        try await SpareSpace.inPieces(atMost: 500) { limit in
            query.limit = limit
            let found = try await run(query, app: app, QueryBudget(teaches: false)).documents
            if found.isEmpty { return 0 }
            _ = try await commit(DocumentCommit(found.map { DocumentWrite($0.path, .delete) }), app: app)
            return found.count
        }
    }

    func change<T: Sendable>(
        _ app: AppID? = nil, bytes: Int = 0, _ body: @escaping @Sendable (DocumentContext) throws -> T
    ) async throws -> T {
        try await Change.result(of: body, app: app, bytes: bytes, madeBy: engine.queue.add)
    }
}
