// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import DocumentStore
import EventStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// Documents for servers: keys with the role `data` or `admin`, and the operator. No rules apply to them.
struct Documents: Sendable {
    /// The largest body of a commit, as Firestore has it.
    static let commitBytes = 10 << 20
    private static let queryBytes = 1 << 20
    private static let documentsAtOnce = 1_000

    let store: Stores
    let parser: JSONParser
    let disk: DiskGuard
    let quotas: AppQuotas
    let clock: WallClock

    private static let admission = Route.admission(\.documents, Documents.requireCapacity)

    static let routes = [
        Route(
            .post, "/v1/documents:commit", .role(.data), .begun(\.documents, Documents.commit), largest: commitBytes, most: commitBytes,
            admission: admission),
        Route(.post, "/v1/documents:get", .role(.data), .begun(\.documents, Documents.get), most: queryBytes),
        Route(.post, "/v1/documents:query", .role(.data), .task(\.documents, Documents.query), most: queryBytes),
        Route(.post, "/v1/documents:aggregate", .role(.data), .task(\.documents, Documents.aggregate), most: queryBytes),
        Route(.post, "/v1/documents:collections", .role(.data), .task(\.documents, Documents.collections), most: queryBytes),
    ]

    /// Rejects a commit that could not be stored now.
    func requireCapacity(for app: AppID?) throws(Refusal) {
        try disk.requireFree()
        try quotas.requireRoom(for: app)
        try store.documents.checkCapacity(for: app)
    }

    func commit(_ call: Call) async throws -> HTTPResponse {
        let app = try call.onlyApp(in: store)
        let commit = try reading(call).commit()
        let result = try await Refusal.ofDocuments { try await store.documents.commit(commit, app: app.id) }
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

    func get(_ call: Call) async throws -> HTTPResponse {
        let app = try call.onlyApp(in: store)
        let body = try reading(call)
        try body.allow("paths", "at")
        guard let places = try body.elements("paths", atMost: Self.documentsAtOnce) else { throw body.refuse("paths", "is required") }
        let paths = try places.enumerated().map { index, place in try body.path(at: place, "paths[\(index)]", isDocument: true) }
        let at = try body.stamp("at")
        let found = try await Refusal.ofDocuments { try await store.documents.documents(paths, app: app.id, at: at) }
        return .json { json in
            json.beginObject()
            json.field("stamp", found.stamp.microseconds)
            json.key("documents")
            json.beginArray()
            for (path, document) in zip(paths, found.documents) { json.document(document, path) }
            json.endArray()
            json.endObject()
        }
    }

    func query(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try reading(call)
        try body.allowQuery("at", "explain")
        let (query, at, explains) = (try body.query(), try body.stamp("at"), try body.flag("explain") ?? false)
        let found = try await Refusal.ofDocuments { try await store.documents.run(query, app: app.id, at: at) }
        return .response(
            .json { json in
                json.beginObject()
                json.field("stamp", found.stamp.microseconds)
                json.key("documents")
                json.beginArray()
                for document in found.documents { json.document(document, document.path) }
                json.endArray()
                if explains { json.explanation(examined: found.examined, found.indexes) }
                json.endObject()
            })
    }

    func aggregate(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try reading(call)
        try body.allowQuery("aggregates", "at", "explain")
        let (query, at, explains) = (try body.query(), try body.stamp("at"), try body.flag("explain") ?? false)
        let aggregates = try body.aggregates()
        let found = try await Refusal.ofDocuments {
            try await store.documents.aggregate(aggregates.map(\.aggregate), over: query, app: app.id, at: at)
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

extension DocumentReading {
    /// Reads aggregates: `{"sold": {"sum": "amount"}, "orders": {"count": true}, "some": {"count": 1000}}`.
    fileprivate func aggregates() throws(Refusal) -> [(name: String, aggregate: Aggregate)] {
        guard let place = self["aggregates"] else { throw refuse("aggregates", "is required") }
        let list = try DocumentReading(tape, at: place, named: "aggregates")
        guard (1...5).contains(list.memberNames.count) else { throw refuse("aggregates", "must have one to five members") }
        return try list.memberNames.map { name throws(Refusal) in
            guard let place = list[name] else { throw list.refuse(name, "is required") }
            return (name, try DocumentReading(tape, at: place, named: list.place(name)).aggregate())
        }
    }

    private func aggregate() throws(Refusal) -> Aggregate {
        try allow("count", "sum", "avg", "min", "max")
        guard memberNames.count == 1 else { throw DocumentReading.wrong(name, "must have one of count, sum, avg, min and max") }
        if let place = self["count"] {
            if tape[place].kind == .true { return .count(upTo: nil) }
            return .count(upTo: try number("count", 1...Int64(Int32.max)).map { Int($0) })
        }
        let member = memberNames[0]
        guard let text = try text(member), let field = FieldPath(text) else { throw refuse(member, "must be the path of a field") }
        switch member {
        case "sum": return .sum(field)
        case "avg": return .average(field)
        case "min": return .minimum(field)
        default: return .maximum(field)
        }
    }
}

extension JSONWriter {
    /// Writes a document; of one that is not there, its path only.
    mutating func document(_ document: StoredDocument?, _ path: DocumentPath) {
        beginObject()
        field("path", path.description)
        if let document {
            key("fields")
            fields(document.fields)
            field("version", document.version.microseconds)
            field("created", document.created.microseconds)
        }
        endObject()
    }

    /// Writes the result of a write; `version` is missing if there is no document.
    fileprivate mutating func result(_ write: CommitResult.Write) {
        beginObject()
        result(members: write)
        endObject()
    }

    mutating func result(members write: CommitResult.Write) {
        if let version = write.version { field("version", version.microseconds) }
        if !write.results.isEmpty {
            key("transforms")
            value(.array(write.results))
        }
    }

    fileprivate mutating func explanation(examined: Int, _ indexes: [IndexShape]) {
        key("explain")
        beginObject()
        field("plan", indexes.isEmpty ? "scan" : "index")
        field("examined", examined)
        if !indexes.isEmpty {
            key("indexes")
            beginArray()
            for index in indexes {
                beginObject()
                shape(index)
                endObject()
            }
            endArray()
        }
        endObject()
    }
}
