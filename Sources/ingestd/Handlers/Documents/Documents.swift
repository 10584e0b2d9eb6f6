// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import API
import AcrossStores
import DocumentStore
import EventStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// Documents. The rules of the app decide about users and ingest keys. None apply to keys with the role `data` or `admin`, and the operator.
struct Documents: Sendable {
    /// The largest body of a commit, as Firestore has it.
    static let commitBytes = 10 << 20
    private static let queryBytes = 1 << 20
    private static let documentsAtOnce = 1_000
    /// The most writes of a user's commit.
    private static let userWrites = 500
    static let access = Route.Access.roles([.ingest, .data])

    let store: Stores
    let parser: JSONParser
    let disk: DiskGuard
    let quotas: AppQuotas
    let clock: WallClock
    let rates = DocumentRates()
    let holds = HeldDocuments()

    private static let admission = Route.admission(\.documents, Documents.checkQueue)

    static let routes = [
        Route(
            .post, "/v1/documents:commit", access, .begun(\.documents, Documents.commit), largest: commitBytes, most: commitBytes,
            admission: admission),
        Route(.post, "/v1/documents:get", access, .read(\.documents, Documents.get), most: queryBytes),
        Route(.post, "/v1/documents:query", access, .read(\.documents, Documents.query), most: queryBytes),
        Route(.post, "/v1/documents:aggregate", access, .task(\.documents, Documents.aggregate), most: queryBytes),
        Route(.post, "/v1/documents:collections", .role(.data), .task(\.documents, Documents.collections), most: queryBytes),
    ]

    /// Rejects data that could not be stored now.
    func requireCapacity(for app: AppID?) throws(Refusal) {
        try requireSpace(for: app)
        try checkQueue(for: app)
    }

    /// Rejects a commit for which the writer has no place. Whether it needs space on the disk is known once it is read.
    func checkQueue(for app: AppID?) throws(Refusal) { try store.documents.checkCapacity(for: app) }

    /// Rejects a commit for which there is no space. Those that only remove data are how an app gets below its limit again.
    func requireSpace(for commit: DocumentCommit, _ app: AppID) throws(Refusal) {
        if !commit.onlyRemoves { try requireSpace(for: app) }
    }

    /// Returns why writes that may add data are refused; nil if there is space for them.
    func lackOfSpace(for app: AppID) -> Refusal? {
        do throws(Refusal) { try requireSpace(for: app) } catch { return error }
        return nil
    }

    private func requireSpace(for app: AppID?) throws(Refusal) {
        try disk.requireFree()
        try quotas.requireRoom(for: app)
    }

    func commit(_ call: Call) async throws -> HTTPResponse {
        let app = try call.onlyApp(in: store)
        let body = try reading(call)
        let result = try await self.commit(try body.commit(), app.id, call, with: try body.hold())
        return .json { json in
            json.beginObject()
            json.field("stamp", result.stamp.microseconds)
            json.key("results")
            json.beginArray()
            for write in result.writes { json.result(write) }
            json.endArray()
            json.endObject()
        }
    }

    /// Commits as the caller, behind the transactions that hold the documents. A user's batches are apart from those of others.
    func commit(
        _ commit: DocumentCommit, _ app: AppID, _ call: Call, with hold: DocumentHolds.ID? = nil, names: WriteNames = .list
    ) async throws -> CommitResult {
        var commit = commit
        (commit.principal, commit.depth, commit.charge) = (call.rulePrincipal, call.caller.depth, chargeBytes(to: call))
        try requireSpace(for: commit, app)
        try charge(commit.writes.count, queries: commit.conditions.count, call)
        if commit.principal != nil {
            commit.batch = commit.batch.map { .init(client: call.caller.batchClient($0.client), number: $0.number) }
        }
        return try await Refusal.ofDocuments(naming: names) { [commit] in
            try await holds.commit(commit.writes, for: call.holding(in: app), with: hold) {
                try await store.documents.commit(commit, app: app)
            }
        }
    }

    /// Charges writes to the user or address that sends them. A query that a commit depends on counts as a write. Throws if they are too many.
    func charge(_ writes: Int, queries: Int = 0, _ call: Call) throws(Refusal) {
        if call.caller.rulePrincipal != nil, writes > Self.userWrites {
            throw Refusal(.tooLarge, "A commit of a user has at most \(Self.userWrites) writes.", hint: "Send several commits.")
        }
        // A transaction of Firestore's API may have more queries than a rate has at once.
        try rates.take(writes + min(queries, Self.userWrites), call, at: clock.now())
    }

    /// Returns what charges the bytes of documents that the writes of a call read and make, which the writer knows.
    func chargeBytes(to call: Call) -> @Sendable (Int) throws -> Void {
        { [rates, clock] bytes in try rates.take(bytes: bytes, call, at: clock.now()) }
    }

    /// The documents that a query may examine.
    func budget(of caller: Caller) -> QueryBudget { QueryBudget(examined: store.documents.bounds.examined(by: caller.rulePrincipal)) }

    func get(_ call: Call) async throws -> HTTPResponse {
        let app = try call.onlyApp(in: store)
        let body = try reading(call)
        try body.allow("paths", "at", "retry", "hold")
        guard let places = try body.elements("paths", atMost: Self.documentsAtOnce) else { throw body.missing("paths") }
        let paths = try places.enumerated().map { index, place in try body.path(at: place, "paths[\(index)]", isDocument: true) }
        let (at, holdRequest) = (try body.stamp("at"), try holdRequest(body))
        let (found, hold) = try await Refusal.ofDocuments {
            try await holds.read(holdRequest, for: call.holding(in: app.id), paths: { _ in paths }) {
                try await store.documents.encodedDocuments(paths, app: app.id, at: at, as: call.readingPrincipal)
            }
        }
        let response = HTTPResponse.json { json in
            json.beginObject()
            json.field("stamp", found.stamp.microseconds)
            json.key("documents")
            json.beginArray()
            for (path, document) in zip(paths, found.documents) { json.document(document, path) }
            json.endArray()
            if let hold { json.field("hold", hold.text) }
            json.endObject()
        }
        return naming(hold, holdRequest, response)
    }

    func query(_ call: Call) async throws -> HTTPResponse {
        let app = try call.onlyApp(in: store)
        let body = try reading(call)
        try body.allowQuery("at", "explain", "retry", "hold")
        let (at, explains, holdRequest) = (try body.stamp("at"), try explains(body, call.caller), try holdRequest(body))
        let query = try body.query(cursorsAt: try await documents(at: body.cursorDocuments(), app.id, at, call))
        let (found, hold) = try await Refusal.ofDocuments {
            try await holds.read(holdRequest, for: call.holding(in: app.id), paths: { $0.documents.map(\.path) }) {
                try await store.documents.encoded(query, app: app.id, at: at, as: call.readingPrincipal, budget(of: call.caller))
            }
        }
        let response = HTTPResponse.json(reserving: found.documents.reduce(256) { $0 + $1.bytes }) { json in
            json.beginObject()
            json.field("stamp", found.stamp.microseconds)
            json.key("documents")
            json.beginArray()
            for document in found.documents { json.document(document, document.path) }
            json.endArray()
            if let hold { json.field("hold", hold.text) }
            if explains { json.explanation(examined: found.examined, found.indexes) }
            json.endObject()
        }
        return naming(hold, holdRequest, response)
    }

    /// Returns a response that may name a new hold, which ends if the client does not learn of it.
    private func naming(_ hold: DocumentHolds.ID?, _ holdRequest: HeldDocuments.Request?, _ response: HTTPResponse) -> HTTPResponse {
        guard let hold, case .take? = holdRequest else { return response }
        var response = response
        response.whenDropped = { [holds] in holds.end(hold) }
        return response
    }

    /// The hold that a read of a transaction asks for. Earlier states cannot be held.
    private func holdRequest(_ body: DocumentReading) throws(Refusal) -> HeldDocuments.Request? {
        let (retries, hold) = (try body.flag("retry") ?? false, try body.hold())
        if retries || hold != nil, body["at"] != nil { throw body.refuse("at", "cannot be beside retry and hold") }
        if let hold { return .extend(hold) }
        return retries ? .take(HeldDocuments.newID()) : nil
    }

    /// Reads the documents that cursors name, which the caller must be allowed to get.
    private func documents(
        at paths: [DocumentPath], _ app: AppID, _ at: DocumentTime?, _ call: Call
    ) async throws -> [DocumentPath: DocumentFields] {
        if paths.isEmpty { return [:] }
        let found = try await Refusal.ofDocuments { try await store.documents.documents(paths, app: app, at: at, as: call.readingPrincipal) }
        let pairs = zip(paths, found.documents).compactMap { path, document in document.map { (path, $0.fields) } }
        return Dictionary(pairs) { first, _ in first }
    }

    func aggregate(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try reading(call)
        try body.allowQuery("aggregates", "at", "explain")
        let (query, at, explains) = (try body.query(), try body.stamp("at"), try explains(body, call.caller))
        let aggregates = try body.aggregates()
        // The order that aggregates imply is not that of the query, so a cursor has values for the query's own orders only.
        for cursor in [query.start, query.end] {
            if let cursor, cursor.values.count > query.orders.count { throw Refusal.invalidQuery(.cursorTooLong) }
        }
        let found = try await Refusal.ofDocuments {
            try await store.documents.aggregate(
                aggregates.map(\.aggregate), over: query, app: app.id, at: at, as: call.readingPrincipal, budget(of: call.caller))
        }
        return .response(
            .json { json in
                json.beginObject()
                json.field("stamp", found.stamp.microseconds)
                json.key("values")
                json.beginObject()
                for (aggregate, value) in zip(aggregates, found.values) {
                    json.key(aggregate.name)
                    json.value(value)
                }
                json.endObject()
                if explains { json.explanation(examined: found.examined, found.indexes) }
                json.endObject()
            })
    }

    /// Whether a client wants the number of examined documents. It counts also those that rules hide, so it is for servers.
    private func explains(_ body: DocumentReading, _ caller: Caller) throws(Refusal) -> Bool {
        guard try body.flag("explain") ?? false else { return false }
        if caller.rulePrincipal != nil { throw Refusal(.permissionDenied, "A query is explained to keys with the role data only.") }
        return true
    }

    func collections(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try reading(call)
        try body.allow("under", "limit", "after")
        let under = try body.path("under", isDocument: true)
        let limit = Int(try body.number("limit", 1...1_000) ?? 100)
        let after = try body.text("after")
        let cursor = after.flatMap { PathSegment($0) }
        guard after == nil || cursor != nil else { throw body.refuse("after", "must be the cursor of an earlier page") }
        let found = try await store.documents.collections(below: under, app: app.id, after: cursor, limit: limit + 1)
        return try .page(found, limit: limit, cursor: \.text.text) { $0.text.text }
    }

    func reading(_ call: Call) throws(Refusal) -> DocumentReading { try DocumentReading(try call.json(), parser) }
}
