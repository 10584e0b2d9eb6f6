// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import API
import AcrossStores
import Database
import AppDirectory
import DocumentStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// Exports and imports of all documents of an app with their settings, as lines of JSON, in constant memory for any number.
///
///     {"export":"documents","stamp":1795428000000001}
///     {"setting":"indexes","value":{"indexes":[…]}}
///     {"path":"users/u1","created":…,"version":…,"fields":{…}}
///     {"end":true,"documents":1}
struct DocumentTransfers: Sendable {
    static let importBytes = 16 << 20
    private static let writesAtOnce = 100
    /// More than a body of documents can have, as the shortest line of a document has 26 bytes.
    private static let linesAtOnce = 1_000_000

    let store: Stores
    let documents: Documents
    let slots: ExportSlots

    static let routes = [
        Route(.get, "/v1/documents:export", .role(.admin), .task(\.documentTransfers, DocumentTransfers.export), audit: .documentExport),
        Route(
            .post, "/v1/documents:import", .role(.admin), .task(\.documentTransfers, DocumentTransfers.add), audit: .documentImport,
            largest: importBytes, most: importBytes, admission: Route.admission(\.documentTransfers, DocumentTransfers.requireCapacity)),
    ]

    func requireCapacity(for app: AppID?) throws(Refusal) { try documents.requireCapacity(for: app) }

    // MARK: Export

    func export(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "after")
        let app = try call.app(in: store)
        let after = try query.one("after")
        let path = after.flatMap { DocumentPath($0) }
        if after != nil, !(path?.isDocument ?? false) {
            throw Refusal.field("after", "bad_cursor", "must be the path of the last document of an export")
        }
        let head = try await path == nil ? head(app.id) : []
        let store = store
        return try slots.stream(call, of: app, in: store, [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store")]) { write in
            try await write(head)
            var export = DocumentExport(after: path)
            while true {
                let lines = try await store.documents.next(&export, app: app.id)
                if lines.isEmpty { break }
                try await write(lines)
            }
            try await write(
                Self.line { json in
                    json.field("end", true)
                    json.field("documents", export.documents)
                })
        }
    }

    /// The lines before the documents. Changes after their stamp may or may not be in the export.
    private func head(_ app: AppID) async throws -> [UInt8] {
        let stamp = try await store.documents.newestStamp(app: app)
        let indexes = try await store.documents.indexes(of: app).filter { $0.origin == .declared }
        let exemptions = try await store.documents.exemptions(of: app)
        let expiry = try await store.documents.expiry(of: app).map(\.field)
        let persons = try await store.documents.personPatterns(of: app)
        var lines = Self.line { json in
            json.field("export", "documents")
            json.field("stamp", stamp.microseconds)
        }
        lines += Self.setting("indexes") { json in
            json.key("indexes")
            json.beginArray()
            for index in indexes {
                json.beginObject()
                json.shape(index.shape)
                json.endObject()
            }
            json.endArray()
            json.key("fieldOverrides")
            json.exemptions(exemptions)
        }
        lines += Self.setting("ttl") { json in
            json.key("fields")
            json.beginArray()
            for field in expiry {
                json.beginObject()
                json.field("collection", field.collection.text.text)
                json.field("field", field.field.description)
                json.endObject()
            }
            json.endArray()
        }
        lines += try Self.line { json in
            json.field("setting", "persons")
            json.key("value")
            try json.encode(DocumentPersonsResponse(persons))
        }
        if let rules = try await store.documents.rules(of: app, before: .max, limit: 1).first {
            lines += Self.setting("rules") { json in json.field("source", rules.source) }
        }
        return lines
    }

    private static func line(_ build: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        try build(&json)
        json.endObject()
        return json.bytes + [0x0a]
    }

    private static func setting(_ name: String, _ build: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
        try line { json in
            json.field("setting", name)
            json.key("value")
            json.beginObject()
            try build(&json)
            json.endObject()
        }
    }

    // MARK: Import

    /// Writes the documents and settings of some lines. Documents that are there are replaced; lines that are wrong are listed.
    func add(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        let body = call.request.body
        if body.count(where: { $0 == 0x0a }) > Self.linesAtOnce {
            throw Refusal(.tooLarge, "The request has more than \(Self.linesAtOnce) lines.", hint: "Send them in several requests.")
        }
        var (result, number) = (DocumentImportResponse(), 0)
        var writes: [(line: Int, write: DocumentWrite)] = []
        var pending: Task<[Result<CommitResult, any Error>], any Error>?
        var sent: [Int] = []
        var rest = body[...]
        while !rest.isEmpty {
            // Lines are taken one after the other, as a list of millions of empty ones would be far larger than the body.
            let line = rest.prefix { $0 != 0x0a }
            rest = rest.dropFirst(line.count + 1)
            number += 1
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) { continue }
            do throws(Refusal) {
                switch try DocumentReading(Array(line), documents.parser).importedLine() {
                case .document(let write): writes.append((number, write))
                case .setting(let setting):
                    try await refusing { try await self.set(setting, app, by: call.ruleAuthor) }
                    if case .indexes(let declaration) = setting { result.note(line: number, declaration.leftOut) }
                case .other: break
                }
            } catch { result.note(line: number, error) }
            guard writes.count == Self.writesAtOnce else { continue }
            if let task = pending { result.note(try await task.value, lines: sent) }
            (sent, pending) = (writes.map(\.line), write(writes.map(\.write), app))
            writes = []
        }
        if let task = pending { result.note(try await task.value, lines: sent) }
        if !writes.isEmpty { result.note(try await write(writes.map(\.write), app).value, lines: writes.map(\.line)) }
        call.audit?.note("\(result.documents) documents, \(result.failed) lines failed")
        return try .json(result)
    }

    /// Writes documents in one commit while the next lines are read; each alone if one of them is refused.
    private func write(_ writes: [DocumentWrite], _ app: AppID) -> Task<[Result<CommitResult, any Error>], any Error> {
        Task { [documents = store.documents] in
            do {
                let result = try await documents.commit(DocumentCommit(writes), app: app)
                return writes.map { _ in .success(result) }
            } catch is CommitFault {
                return try await documents.write(each: writes, app: app)
            }
        }
    }

    private func set(_ setting: ImportedLine.Setting, _ app: AppID, by author: RuleAuthor) async throws {
        switch setting {
        case .indexes(let declaration): try await store.documents.declare(declaration, app: app)
        case .expiry(let fields): try await store.documents.setExpiry(fields, app: app)
        case .persons(let patterns): try await store.documents.setPersonPatterns(patterns, app: app)
        case .rules(let source): _ = try await store.documents.setRules(source, app: app, by: author)
        }
    }

    private func refusing(_ body: () async throws -> Void) async throws(Refusal) {
        do { try await Refusal.ofDocuments(body) } catch { throw Refusal.ofRead(error) }
    }
}

extension DocumentImportResponse: LineImport {
    fileprivate mutating func note(line: Int, _ leftOut: [IndexDeclaration.LeftOut]) {
        for index in leftOut {
            note(
                line: line,
                "\(index.place) of the collections \(index.collection.text.text) is left out, as indexes here do not have its \(index.property)")
        }
    }

    fileprivate mutating func note(_ results: [Result<CommitResult, any Error>], lines: [Int]) {
        for (result, line) in zip(results, lines) {
            switch result {
            case .success: documents += 1
            case .failure(let error): note(line: line, Refusal.ofWrite(error))
            }
        }
    }
}
