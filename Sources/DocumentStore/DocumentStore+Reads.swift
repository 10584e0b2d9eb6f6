// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite
package import SignalboxDocumentModel

/// Reads of one version of the database: the newest, or that of a stamp.
extension DocumentStore {
    /// Returns documents by name, all of one version. Throws `ReadFault`.
    ///
    /// - Parameter principal: The user to whom rules apply; nil for none.
    package func documents(
        _ paths: [DocumentPath], app: AppID, at time: DocumentTime? = nil, as principal: RulePrincipal? = nil
    ) async throws -> DocumentsResult<StoredDocument> {
        try await documents(paths, app: app, at: time, as: principal) { [bodies] in try $0.decoded(bodies) }
    }

    /// Returns documents by name as JSON, with the selected fields.
    package func encodedDocuments(
        _ paths: [DocumentPath], selecting selection: [FieldPath]? = nil, app: AppID, at time: DocumentTime? = nil, as principal: RulePrincipal? = nil
    ) async throws -> DocumentsResult<EncodedDocument> {
        let selection = selection.map { FieldSelection($0) }
        return try await documents(paths, app: app, at: time, as: principal) { [bodies] in try $0.selecting(selection, bodies) }
    }

    /// Returns the result of a query, which must be valid (`DocumentQuery.validate`). Throws `ReadFault`.
    package func run(
        _ query: DocumentQuery, app: AppID, at time: DocumentTime? = nil, as principal: RulePrincipal? = nil, _ budget: QueryBudget = QueryBudget()
    ) async throws -> DocumentQueryResult<StoredDocument> {
        try await run(query, app: app, at: time, as: principal, budget) { [bodies] in try $0.decoded(bodies) }
    }

    /// Returns the result of a query for listeners.
    func run(
        _ query: DocumentQuery, app: AppID, _ budget: QueryBudget, _ attempt: ListenAttempt
    ) async throws -> DocumentQueryResult<StoredDocument> {
        try await run(query, app: app, at: nil, as: nil, budget, attempt) { [bodies] in try $0.decoded(bodies) }
    }

    /// Returns the result of a query as JSON.
    ///
    /// - Parameter asked: The query that rules decide about, if the caller finds one document more than the client asks for.
    package func encoded(
        _ query: DocumentQuery, asked: DocumentQuery? = nil, app: AppID, at time: DocumentTime? = nil, as principal: RulePrincipal? = nil,
        _ budget: QueryBudget = QueryBudget()
    ) async throws -> DocumentQueryResult<EncodedDocument> {
        try await run(query, asked: asked, app: app, at: time, as: principal, budget) { $0 }
    }

    private func documents<Document: Sendable>(
        _ paths: [DocumentPath], app: AppID, at time: DocumentTime?, as principal: RulePrincipal?,
        in form: @escaping @Sendable (EncodedDocument) throws -> Document
    ) async throws -> DocumentsResult<Document> {
        var isCounted = false
        if paths.count <= LongRead.documents {
            do { return try await shortDocuments(paths, app: app, at: time, as: principal, in: form) } catch let long as LongRead {
                isCounted = !long.isOfRules
            }
        }
        return try await read(app, at: time, as: principal, countsDecisions: !isCounted) { [bounds] view, decisions in
            var bytes = 0
            let documents = try paths.enumerated().map { index, path in
                let document = try view.allowed(path, decisions) { _ in }()
                bytes += document?.body.count ?? 0
                if bytes > bounds.resultBytes { throw ReadFault.tooExpensive(examined: index + 1) }
                return try document.map(form)
            }
            return DocumentsResult(documents: documents, stamp: view.stamp)
        }
    }

    /// Reads documents together with other short reads. Throws `LongRead` if they are large, as those behind them would wait for their decoding.
    func shortDocuments<Document: Sendable>(
        _ paths: [DocumentPath], app: AppID, at time: DocumentTime?, as principal: RulePrincipal?,
        in form: @escaping @Sendable (EncodedDocument) throws -> Document
    ) async throws -> DocumentsResult<Document> {
        try await read(app, at: time, as: principal, on: shortReads) { view, decisions in
            var (bytes, isDecided) = (0, false)
            // All decisions are made before any document is read that rules do not look at, so that each is counted once.
            let allowed = try paths.map { path in
                try view.allowed(path, decisions) { size in
                    bytes += size
                    if bytes > LongRead.bytes { throw LongRead(isOfRules: !isDecided) }
                }
            }
            isDecided = true
            let found = try allowed.map { try $0() }
            return DocumentsResult(documents: try found.map { try $0.map(form) }, stamp: view.stamp)
        }
    }

    private func run<Document: Sendable>(
        _ query: DocumentQuery, asked: DocumentQuery? = nil, app: AppID, at time: DocumentTime?, as principal: RulePrincipal?,
        _ budget: QueryBudget, _ attempt: ListenAttempt = .whole, in form: @escaping @Sendable (EncodedDocument) throws -> Document
    ) async throws -> DocumentQueryResult<Document> {
        let started = ContinuousClock.now
        let teaches = budget.teaches && time == nil && (principal?.isSignedIn ?? true)
        do {
            let found = try await shortOrLong(app: app, at: time, as: principal, attempt) { [gauges] view, decisions, isShort in
                try decisions?.check(asked ?? query, at: view.time)
                var scan = try QueryScan(query, in: view, budget, isShort: isShort)
                defer { gauges.examined.add(scan.examined) }
                return DocumentQueryResult(
                    documents: try scan.documents().map(form), stamp: view.stamp, examined: scan.examined, indexes: scan.indexes)
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

    /// Reads a result together with other short ones, and alone at a low priority once it turns out to take longer (`LongRead`).
    private func shortOrLong<T: Sendable>(
        app: AppID, at time: DocumentTime?, as principal: RulePrincipal?, _ attempt: ListenAttempt = .whole,
        _ body: @escaping @Sendable (DocumentView, RuleDecisions?, _ isShort: Bool) throws -> T
    ) async throws -> T {
        try await countingSlow {
            var isCounted = false
            if time == nil, attempt != .longOfUsers {
                do { return try await read(app, at: nil, as: principal, on: shortQueries) { try body($0, $1, true) } } catch let long as LongRead {
                    if attempt == .onlyIfShort { throw long }
                    isCounted = !long.isOfRules
                }
            }
            let cost = attempt == .longOfUsers ? ReaderPool.Cost.listening : .large
            return try await read(app, at: time, as: principal, cost, countsDecisions: !isCounted) { try body($0, $1, false) }
        }
    }

    /// Counts a query that takes long or is stopped.
    private func countingSlow<T: Sendable>(_ query: () async throws -> T) async throws -> T {
        let started = ContinuousClock.now
        do {
            let result = try await query()
            if .now - started >= DocumentGauges.slowQuery { gauges.slowQueries.add() }
            return result
        } catch ReadFault.tooExpensive(let examined) {
            gauges.slowQueries.add()
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
        return try await shortOrLong(app: app, at: time, as: principal) { [gauges, query = aggregated] view, decisions, isShort in
            try decisions?.check(query, at: view.time)
            // A group may have many collections.
            if isShort, query.everyDepth { throw LongRead() }
            if let counts = try view.counts(aggregates, of: query) {
                return AggregateResult(values: counts, stamp: view.stamp, examined: 0, indexes: [])
            }
            if isShort { throw LongRead() }
            var states = aggregates.map { AggregateState($0) }
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
                for document in try scan.results() { for index in states.indices { states[index].add(document) } }
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

    func read<T: Sendable>(_ app: AppID, at time: DocumentTime?, _ body: @escaping @Sendable (DocumentView) throws -> T) async throws -> T {
        try await read(app, at: time, as: nil) { view, _ in try body(view) }
    }

    /// - Parameters:
    ///   - group: The reader of short reads, which take microseconds; nil for others. In it `LongRead` is thrown if rules read large documents.
    ///   - cost: That of a read without a group.
    ///   - caller: The user who sends a read to which no rules apply.
    ///   - countsDecisions: Whether decisions of rules are counted. They are not when a read is repeated.
    func read<T: Sendable>(
        _ app: AppID, at time: DocumentTime?, as principal: RulePrincipal?, on group: GroupReader<DocumentDB>? = nil,
        _ cost: ReaderPool.Cost = .small, for caller: QueryCaller? = nil, countsDecisions: Bool = true,
        _ body: @escaping @Sendable (DocumentView, RuleDecisions?) throws -> T
    ) async throws -> T {
        let (bodies, indexFields, ruleCache, now) = (bodies, indexFields, ruleCache, clock.now())
        let mostOfRules = group == nil ? Int.max : LongRead.bytes
        let read = { @Sendable (file: DocumentDB) throws in
            let view = try DocumentView(file, app: app, bodies, at: time, now: now, indexFields: indexFields)
            var bytes = 0
            let decisions = try principal.map {
                try ruleCache.decisions(of: app, in: file, committedAt: view.newest, as: $0, at: now, isCounted: countsDecisions) { path in
                    let document = try view.newest(path)
                    bytes += document?.body.count ?? 0
                    if bytes > mostOfRules { throw LongRead(isOfRules: true) }
                    return try document?.decoded(bodies)
                }
            }
            return try body(view, decisions)
        }
        if let group { return try await group.read(read) }
        return try await readSession(cost, for: caller ?? principal?.caller(in: app), principal?.watch) { try $0.withDocuments(read) }
    }

    /// Reads the databases of a session, and counts a read that takes too long.
    func readSession<T: Sendable>(
        _ cost: ReaderPool.Cost = .small, for caller: QueryCaller? = nil, _ watch: ClientWatch? = nil,
        _ body: @escaping @Sendable (ReadSession) throws -> T
    ) async throws -> T {
        try await readers.read(cost, for: caller, watching: watch) { [gauges] session in
            do { return try body(session) } catch let error as SQLiteError where error.code.primary == .interrupted {
                gauges.slowQueries.add()
                throw ReadFault.tooSlow
            }
        }
    }
}

extension DocumentView {
    /// Throws unless rules allow to read a document. Returns its reading: it is read once, when rules look at it or later.
    ///
    /// - Parameter charge: Takes the bytes of the document when it is read.
    fileprivate func allowed(
        _ path: DocumentPath, _ decisions: RuleDecisions?, charge: @escaping (Int) throws -> Void
    ) throws -> () throws -> EncodedDocument? {
        var known: EncodedDocument??
        let document = { () throws -> EncodedDocument? in
            if let known { return known }
            let found = try encoded(path)
            try charge(found?.body.count ?? 0)
            known = .some(found)
            return found
        }
        try decisions?.checkGet(path, at: time) { try document()?.decoded(bodies).fields }
        return document
    }
}
