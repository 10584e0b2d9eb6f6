// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import AcrossStores
import Crypto
import Database
import DocumentStore
import EventStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// One document or collection by its path: `/v1/documents/users/u1`, `/v1/documents/users`.
struct DocumentPaths: Sendable {
    private static let pattern = "/v1/documents/{path}"
    private static let deletedAtOnce = 500
    private static let admission = Route.admission(\.documents, Documents.requireCapacity)
    /// The admission of writes that may only remove fields.
    private static let updateAdmission = Route.admission(\.documents, Documents.checkQueue)

    let documents: Documents

    static let routes = [
        Route(.get, pattern, Documents.access, .read(\.documentPaths, DocumentPaths.get), takesRest: true),
        Route(
            .put, pattern, Documents.access, .begun(\.documentPaths, DocumentPaths.put), most: Documents.commitBytes, admission: admission,
            takesRest: true),
        Route(
            .patch, pattern, Documents.access, .begun(\.documentPaths, DocumentPaths.patch), most: Documents.commitBytes,
            admission: updateAdmission, takesRest: true),
        Route(.delete, pattern, Documents.access, .task(\.documentPaths, DocumentPaths.delete), takesRest: true),
        Route(
            .post, pattern, Documents.access, .begun(\.documentPaths, DocumentPaths.add), most: Documents.commitBytes, admission: admission,
            takesRest: true),
    ]

    static let unreadableID = "has an encoded slash, or bytes that are not UTF-8"

    /// The refusal of a path without a route because of an ID in it; nil for other paths.
    static func unreadable(_ path: String) -> Refusal? {
        path.hasPrefix("/v1/documents/") && hasUnreadableID(path) ? .field("path", "invalid", "has an ID that \(unreadableID)") : nil
    }

    static func hasUnreadableID(_ path: String) -> Bool {
        PercentDecoding.segments(of: path)?.contains { $0.utf8.contains(UInt8(ascii: "/")) } ?? true
    }

    /// Returns a document, or a page of a collection.
    func get(_ call: Call) async throws -> HTTPResponse {
        let query = try call.query()
        try query.allow("app", "at", "fields", "limit", "after")
        let (app, path) = (try call.app(in: documents.store), try call.documentPath())
        let at = try query.stamp("at")
        let selection = try query.fields()
        guard path.isDocument else { return try await list(path, app.id, query, at, selection, call) }
        let found = try await Refusal.ofDocuments {
            try await documents.store.documents.encodedDocuments(
                [path], selecting: selection, app: app.id, at: at, as: call.readingPrincipal)
        }
        guard let document = found.documents[0] else { throw Refusal(.notFound, "There is no such document.") }
        // The tag is compared after the rules allowed the read, so that 304 tells nothing to others.
        let tag = EntityTag(String(document.version.microseconds))
        if call.clientHas(tag) { return HTTPResponse(status: 304, headers: [("ETag", tag.text)]) }
        var response = HTTPResponse.json(reserving: document.bytes) { $0.document(document, path) }
        response.headers.append(("ETag", tag.text))
        return response
    }

    private func list(
        _ path: DocumentPath, _ app: AppID, _ query: QueryString, _ at: DocumentTime?, _ selection: [FieldPath]?, _ call: Call
    ) async throws -> HTTPResponse {
        let limit = try query.number("limit", 1...1_000, default: 100)
        var asked = DocumentQuery(collection: path.id, below: path.parent)
        (asked.limit, asked.select) = (limit, selection)
        if let after = try query.one("after") {
            guard let id = PathSegment(after), let last = DocumentPath(path.segments + [id]) else {
                throw Refusal.field("after", "bad_cursor", "must be the next cursor of an earlier page")
            }
            asked.start = DocumentQuery.Cursor([.reference(DocumentReference(last))], isBefore: false)
        }
        var wanted = asked
        wanted.limit = limit + 1
        let found = try await Refusal.ofDocuments { [asked, wanted] in
            try await documents.store.documents.encoded(
                wanted, asked: asked, app: app, at: at, as: call.readingPrincipal, documents.budget(of: call.caller))
        }
        return .json { json in
            json.beginObject()
            json.key("items")
            json.beginArray()
            for document in found.documents.prefix(limit) { json.document(document, document.path) }
            json.endArray()
            if found.documents.count > limit { json.field("next", found.documents[limit - 1].path.id.text.text) }
            json.endObject()
        }
    }

    /// Replaces a document, with `?merge=true` the fields that the body has, or with `?fields=` those that the URL names.
    func put(_ call: Call) async throws -> HTTPResponse {
        let query = try call.query()
        try query.allow("app", "merge", "fields")
        let app = try call.app(in: documents.store)
        let (merges, mask) = (try query.flag("merge"), try query.fields())
        if merges, mask != nil { throw Refusal.field("fields", "invalid", "cannot be beside merge") }
        let form: NativeWrite.Form = merges ? .merge : mask.map { .masked($0) } ?? .whole
        return try await write(
            try documents.reading(call).wholeWrite(try call.documentPath(isDocument: true), form, try call.precondition()), app.id, call)
    }

    /// Changes the fields whose paths the body names. The document must exist.
    func patch(_ call: Call) async throws -> HTTPResponse {
        let app = try call.onlyApp(in: documents.store)
        let condition = try call.precondition() ?? .exists(true)
        return try await write(try documents.reading(call).wholeWrite(try call.documentPath(isDocument: true), .paths, condition), app.id, call)
    }

    /// Deletes a document, or with `?recursive=true` also those below it.
    func delete(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "recursive")
        let (app, path) = (try call.app(in: documents.store), try call.documentPath(isDocument: true))
        let isRecursive = try query.flag("recursive")
        if isRecursive, call.caller.rulePrincipal != nil {
            throw Refusal(.permissionDenied, "Documents below others are deleted with a key of the role data only.")
        }
        let precondition = try call.precondition()
        if isRecursive {
            if precondition != nil {
                let check = DocumentCommit([DocumentWrite(path, .verify, if: precondition)])
                _ = try await documents.commit(check, app.id, call, names: .document)
            }
            try await deleteAll(below: path, app.id, call)
        }
        _ = try await documents.commit(DocumentCommit([DocumentWrite(path, .delete, if: precondition)]), app.id, call, names: .document)
        return .noContent
    }

    /// Deletes some hundred documents a commit, fewer on a full disk, and each collection once. It ends although others add documents, of which
    /// it may leave some. A repeated request finds what an interrupted one left.
    private func deleteAll(below path: DocumentPath, _ app: AppID, _ call: Call) async throws {
        var last: DocumentPath?
        try await SpareSpace.inPieces(atMost: Self.deletedAtOnce) { limit in
            try Task.checkCancellation()
            let found = try await documents.store.documents.paths(below: path, after: last, atMost: limit, app: app)
            if found.isEmpty { return 0 }
            _ = try await documents.commit(DocumentCommit(found.map { DocumentWrite($0, .delete) }), app, call)
            last = found.last
            return found.count
        }
    }

    /// Adds a document with an ID of the server to a collection.
    func add(_ call: Call) async throws -> HTTPResponse {
        let app = try call.onlyApp(in: documents.store)
        let collection = try call.documentPath(isDocument: false)
        guard let id = PathSegment(DocumentID.new(at: documents.clock.now())), let path = DocumentPath(collection.segments + [id]) else {
            throw Refusal.field("path", "invalid", "is too long")
        }
        return try await write(try documents.reading(call).wholeWrite(path, .whole, .exists(false)), app.id, call, status: 201)
    }

    private func write(_ write: DocumentWrite, _ app: AppID, _ call: Call, status: Int = 200) async throws -> HTTPResponse {
        let result = try await documents.commit(DocumentCommit([write]), app, call, names: .document)
        return .json(status: status) { json in
            json.beginObject()
            json.field("path", write.path.description)
            json.result(members: result.writes[0])
            json.endObject()
        }
    }
}

/// IDs that the server gives: 20 letters and digits. The first eight are the time, so documents are stored in the order of their creation.
enum DocumentID {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    static func new(at now: Timestamp) -> String {
        var time = UInt64(max(0, now.milliseconds))
        var digits: [UInt8] = []
        for _ in 0..<8 {
            digits.append(alphabet[Int(time % 62)])
            time /= 62
        }
        return String(decoding: digits.reversed(), as: UTF8.self) + String(randomToken(prefix: "", bits: 71).prefix(12))
    }
}

extension DocumentReading {
    /// Reads `{"fields": {…}}`.
    fileprivate func wholeWrite(
        _ path: DocumentPath, _ form: NativeWrite.Form, _ condition: DocumentWrite.Precondition?
    ) throws(Refusal) -> DocumentWrite {
        try allow("fields")
        return try set(path, form, if: condition)
    }
}

extension Call {
    /// The path in the URL. Each segment is decoded alone, so an encoded slash is part of no ID.
    fileprivate func documentPath() throws(Refusal) -> DocumentPath {
        guard let path = DocumentPath(parameter("path")) else {
            throw Refusal.field("path", "invalid", "must be the path of a document, such as users/u1, or of a collection, such as users")
        }
        return path
    }

    fileprivate func documentPath(isDocument: Bool) throws(Refusal) -> DocumentPath {
        let path = try documentPath()
        guard path.isDocument == isDocument else {
            throw Refusal.field("path", "invalid", "must be the path of a \(isDocument ? "document, such as users/u1" : "collection, such as users")")
        }
        return path
    }

    /// Whether the client has this state of the document already (`If-None-Match`).
    fileprivate func clientHas(_ tag: EntityTag) -> Bool {
        switch EntityTagList(head.headers("If-None-Match")) {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesWeakly(tag) }
        case .malformed: false
        }
    }

    /// The precondition of `If-Match: "version"` or `If-None-Match: *`.
    fileprivate func precondition() throws(Refusal) -> DocumentWrite.Precondition? {
        switch (head.header("If-Match"), head.header("If-None-Match")) {
        case (nil, nil): return nil
        case (nil, let none?) where none == "*": return .exists(false)
        case (let match?, nil) where match == "*": return .exists(true)
        case (let match?, nil):
            let digits = match.hasPrefix("\"") && match.hasSuffix("\"") ? match.dropFirst().dropLast() : ""
            guard let version = Int64(digits), let time = DocumentTime(microseconds: version) else { break }
            return .changed(time)
        default: break
        }
        throw Refusal(.badRequest, "If-Match takes a document's version in quotes or *, and If-None-Match takes *.")
    }
}

extension QueryString {
    fileprivate func stamp(_ name: String) throws(Refusal) -> DocumentTime? {
        guard let text = try one(name) else { return nil }
        guard let number = Int64(text), number >= 0, let stamp = DocumentTime(microseconds: number) else {
            throw .field(name, "out_of_range", "must be a stamp: microseconds since 1970")
        }
        return stamp
    }

    fileprivate func fields() throws(Refusal) -> [FieldPath]? {
        let texts = try all("fields", atMost: 100)
        if texts.isEmpty { return nil }
        return try texts.map { text throws(Refusal) in
            guard let path = FieldPath(text) else { throw .field("fields", "invalid", "must be the path of a field, such as address.city") }
            return path
        }
    }
}
