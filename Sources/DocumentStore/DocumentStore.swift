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
    package let followers = ChangeFollowers()
    let engine: WriteEngine<DocumentWriter>
    let directory: DirectoryCache
    let mustEmptyLog = EmptyLogRequest()
    let shapes = QueryShapes()
    let readers: ReaderPool
    /// Reads of single documents, which are short.
    private let shortReads: GroupReader<DocumentDB>
    let clock: WallClock
    private let bodies = BodyReader()
    let ruleCache: RuleCache

    package init(_ shared: StoreParts, _ bounds: DocumentBounds, _ directory: DirectoryCache, _ metrics: Metrics = Metrics()) throws {
        (self.bounds, self.directory) = (bounds, directory)
        (readers, clock) = (shared.readers, shared.clock)
        shortReads = GroupReader(of: shared.paths.documents, shared.readers.pool, label: "signalbox.documents.readers")
        gauges = DocumentGauges(metrics)
        ruleCache = RuleCache(gauges)
        let file = try DocumentDB.open(writing: shared.paths.documents, cacheKiB: 16_384)
        let context = try DocumentContext(file, bodies, gauges, ruleCache, shared.clock)
        listening = DocumentListening(at: context.marks.stamp, epoch: try file.epoch(), gauges.streams, unsentBytes: bounds.unsentBytes)
        let queue = WriteQueue<Change<DocumentContext>>(.changes(bounds.queue, bytes: bounds.queueBytes), full: .tooManyChanges(to: "documents"))
        engine = WriteEngine(queue, DocumentWriter(context, bounds, shared, mustEmptyLog, shapes) { queue.hasWaiting })
    }

    /// Gives a restored file a new epoch: clients that saw later commits must not go on from them.
    package static func prepareRestored(_ path: String) throws { try DocumentDB.change(path) { try $0.beginEpoch() } }

    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listening.run { try await self.answer($0, app: $1) } }
            await engine.run(on: "signalbox.documents") {
                self.listening.publish($0)
                self.followers.wake($0)
            }
            listening.end()
            shortReads.end()
            followers.end()
        }
    }

    package func close() { engine.close() }

    /// Throws the rejection that a commit of an app would get now.
    package func checkCapacity(for app: AppID?) throws(Refusal) { try engine.queue.checkCapacity(for: app) }

    /// Returns when the writer has responded.
    package func respond() async throws { try await engine.change { (_: DocumentContext) in } }

    // MARK: Commits

    /// Makes writes together or not at all; durable on return. Throws `CommitFault`, or what the commit's decision throws.
    package func commit(_ commit: DocumentCommit, app: AppID) async throws -> CommitResult {
        do {
            let result = try await change(app, bytes: commit.bytes) { try $0.commit(commit, app: app) }
            gauges.count(.applied, commit.writes.count)
            return result
        } catch {
            gauges.count(.refused, commit.writes.count)
            throw error
        }
    }

    /// Makes each write alone, in order. A failing write does not affect the others.
    ///
    /// - Parameter principal: The user to whom rules apply; nil for none.
    package func write(
        each writes: [DocumentWrite], app: AppID, as principal: RulePrincipal? = nil
    ) async throws -> [Result<CommitResult, any Error>] {
        let results = try await change(app, bytes: DocumentCommit(writes).bytes) { try $0.write(each: writes, app: app, as: principal) }
        gauges.count(.applied, results.count { (try? $0.get()) != nil })
        gauges.count(.refused, results.count { (try? $0.get()) == nil })
        return results
    }

    /// Deletes all documents of an app, some hundred a commit.
    package func deleteAll(of app: AppID) async throws {
        var query = DocumentQuery(collection: nil, everyDepth: true)
        (query.limit, query.select) = (500, [])
        while true {
            let found = try await run(query, app: app, QueryBudget(teaches: false)).documents
            if found.isEmpty { return }
            _ = try await commit(DocumentCommit(found.map { DocumentWrite($0.path, .delete) }), app: app)
        }
    }

    func change<T: Sendable>(
        _ app: AppID? = nil, bytes: Int = 0, _ body: @escaping @Sendable (DocumentContext) throws -> T
    ) async throws -> T {
        try await Change.result(of: body, app: app, bytes: bytes, madeBy: engine.queue.add)
    }

    // MARK: Reads

    /// Returns documents by name, all of one version. Throws `ReadFault`.
    ///
    /// - Parameter principal: The user to whom rules apply; nil for none.
    package func documents(
        _ paths: [DocumentPath], app: AppID, at time: DocumentTime? = nil, as principal: RulePrincipal? = nil
    ) async throws -> DocumentsResult {
        try await read(app, at: time, as: principal, isShort: paths.count <= DocumentStore.documentsOfShortRead) { [bounds] view, decisions in
            var bytes = 0
            let documents = try paths.enumerated().map { index, path in
                let document = try view.document(path)
                try decisions?.checkGet(path, document?.fields, at: view.time)
                bytes += document.map { $0.fields.size } ?? 0
                if bytes > bounds.resultBytes { throw ReadFault.tooExpensive(examined: index + 1) }
                return document
            }
            return DocumentsResult(documents: documents, stamp: view.stamp)
        }
    }

    /// Returns the result of a query, which must be valid (`DocumentQuery.validate`). Throws `ReadFault`.
    package func run(
        _ query: DocumentQuery, app: AppID, at time: DocumentTime? = nil, as principal: RulePrincipal? = nil, _ budget: QueryBudget = QueryBudget()
    ) async throws -> DocumentQueryResult {
        let started = ContinuousClock.now
        let teaches = budget.teaches && time == nil && (principal?.isSignedIn ?? true)
        do {
            let found = try await read(app, at: time, as: principal) { [gauges] view, decisions in
                try decisions?.check(query, at: view.time)
                var scan = try QueryScan(query, in: view, budget)
                defer { gauges.examined.add(scan.examined) }
                return DocumentQueryResult(documents: try scan.documents(), stamp: view.stamp, examined: scan.examined, indexes: scan.indexes)
            }
            let answered = QueryShapes.Answered(
                examined: found.examined, results: found.documents.count, time: .now - started, indexes: found.indexes)
            await learn(from: query, answered, app: app, teaches: teaches)
            return found
        } catch ReadFault.tooExpensive(let examined) {
            let answered = QueryShapes.Answered(examined: examined, results: 0, time: .now - started, indexes: [])
            await learn(from: query, answered, app: app, teaches: teaches)
            throw ReadFault.tooExpensive(examined: examined)
        }
    }

    /// Returns the indexes that would answer a query now; none if each document of its collections would be examined.
    package func indexes(for query: DocumentQuery, app: AppID) async throws -> [IndexShape] {
        try await read(app, at: nil) { try QueryScan(query, in: $0, QueryBudget()).indexes }
    }

    /// Returns aggregates over the result of a query, one value for each. Only documents with the fields of all aggregates count.
    package func aggregate(
        _ aggregates: [Aggregate], over query: DocumentQuery, app: AppID, at time: DocumentTime? = nil, as principal: RulePrincipal? = nil,
        _ budget: QueryBudget = QueryBudget()
    ) async throws -> AggregateResult {
        var aggregated = query
        aggregated.aggregated = aggregates.compactMap(\.field).filter { !$0.isName }
        return try await read(app, at: time, as: principal) { [gauges, query = aggregated] view, decisions in
            try decisions?.check(query, at: view.time)
            var states = aggregates.map { AggregateState($0) }
            if let counts = try view.counts(aggregates, of: query) {
                return AggregateResult(values: counts, stamp: view.stamp, examined: 0, indexes: [])
            }
            var scan = try QueryScan(query, in: view, budget)
            defer { gauges.examined.add(scan.examined) }
            if let counts = try scan.counts(aggregates) {
                return AggregateResult(values: counts, stamp: view.stamp, examined: 0, indexes: scan.indexes)
            }
            if query.limit == nil, query.offset == 0 {
                try scan.each { _, document in
                    for index in states.indices { states[index].add(document) }
                }
            } else {
                for document in try scan.documents() { for index in states.indices { states[index].add(document) } }
            }
            return AggregateResult(values: states.map(\.result), stamp: view.stamp, examined: scan.examined, indexes: scan.indexes)
        }
    }

    /// Returns the IDs of the collections below a document, or at the top, in order.
    package func collections(
        below parent: DocumentPath?, app: AppID, after: PathSegment? = nil, limit: Int, at time: DocumentTime? = nil
    ) async throws -> [PathSegment] {
        try await read(app, at: time) { view in Array(try view.ids(below: parent, after: after).prefix(limit)) }
    }

    /// The random ID of the file's history; a restored file has another one.
    package func epoch() async throws -> [UInt8] { try await readers.read { try $0.withDocuments { try $0.epoch() } } }

    private static let documentsOfShortRead = 20

    func read<T: Sendable>(_ app: AppID, at time: DocumentTime?, _ body: @escaping @Sendable (DocumentView) throws -> T) async throws -> T {
        try await read(app, at: time, as: nil) { view, _ in try body(view) }
    }

    /// - Parameter isShort: Whether the read takes microseconds: it touches some documents by name.
    func read<T: Sendable>(
        _ app: AppID, at time: DocumentTime?, as principal: RulePrincipal?, isShort: Bool = false,
        _ body: @escaping @Sendable (DocumentView, RuleDecisions?) throws -> T
    ) async throws -> T {
        let (bodies, ruleCache, now) = (bodies, ruleCache, clock.now())
        let read = { @Sendable (file: DocumentDB) throws in
            let view = try DocumentView(file, app: app, bodies, at: time, now: now)
            let decisions = try principal.map { try ruleCache.decisions(of: app, in: file, as: $0, at: now, view.newestDocument) }
            return try body(view, decisions)
        }
        if isShort { return try await shortReads.read(read) }
        return try await readers.read { session in try session.withDocuments(read) }
    }
}
