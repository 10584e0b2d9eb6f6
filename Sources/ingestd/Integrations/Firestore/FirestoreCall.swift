// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentStore
import Firestore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// A request of the Firestore API: the app and the database that its URL names.
struct FirestoreCall {
    /// The parameters that all of Google's methods take.
    private static let standardParameters: Set = [
        "key", "alt", "$alt", "prettyPrint", "$prettyPrint", "fields", "$fields", "quotaUser", "$quotaUser", "access_token", "oauth_token",
        "bearer_token", "callback", "$callback", "upload_protocol", "uploadType", "upload_type", "$.xgafv", "$httpHeaders", "$httpMethod",
    ]
    /// The forms of answers; Google's clients in Python ask for the second.
    private static let forms: Set = ["json", "json;enum-encoding=int"]

    let call: Call
    let app: App
    let database: FirestoreDatabase
    /// The user about whom rules decide; nil for servers.
    let principal: RulePrincipal?
    private let parser: JSONParser

    /// - Parameter names: The parameters of the method. Others are refused, as a misspelled precondition would make a write unconditional.
    init(_ call: Call, _ documents: Documents, taking names: Set<String> = []) throws {
        try FirestoreCall.check(try call.query().values, names)
        guard call.parameter("database").utf8.elementsEqual("(default)".utf8) else {
            throw FirestoreFault(.notFound, "The database \(call.parameter("database")) does not exist; an app has the database (default).")
        }
        (self.call, parser) = (call, documents.parser)
        app = try call.project(in: documents.store)
        principal = call.readingPrincipal
        database = FirestoreDatabase(project: call.parameter("app"))
    }

    private static func check(_ parameters: [(name: String, value: String)], _ names: Set<String>) throws {
        for (name, value) in parameters where !names.contains(camelCase(name)) {
            guard standardParameters.contains(name) else {
                throw FirestoreFault(
                    .invalidArgument,
                    "Invalid JSON payload received. Unknown name \"\(shown(name))\": Cannot bind query parameter. Field '\(shown(name))' could not be found in request message."
                )
            }
            if name == "alt" || name == "$alt", !forms.contains(value) {
                throw FirestoreFault(.invalidArgument, "Unsupported Output Format: answers are JSON.")
            }
        }
    }

    var holding: HoldingRequest { call.holding(in: app.id) }
    var owner: FirestoreTransactions.Owner { holding.holder.group }

    /// The body, `{}` if it is empty. Its media type does not matter: browsers send text/plain.
    func reader() throws -> ProtoReader {
        let body = call.request.body.isEmpty ? Array("{}".utf8) : call.request.body
        do throws(JSONError) {
            let tape = try parser.withReader { reader throws(JSONError) in try reader.parse(body, limits: ProtoReader.limits) }
            return ProtoReader(tape, database)
        } catch {
            throw FirestoreFault(.invalidArgument, "Invalid JSON payload received. The body \(error.explanation).")
        }
    }

    /// The path in the URL.
    func path() throws -> DocumentPath {
        let text = call.parameter("path")
        guard let path = DocumentPath(text) else { throw FirestoreFault(.invalidArgument, "Document name \"\(Self.shown(text))\" is invalid.") }
        return path
    }

    func document() throws -> DocumentPath {
        let path = try path()
        guard path.isDocument else {
            throw FirestoreFault(.invalidArgument, "Document name \"\(Self.shown(path.description))\" is invalid: it names a collection.")
        }
        return path
    }

    /// The document below which a query searches; nil for the database.
    func parent() throws -> DocumentPath? { call.parameters["path"] == nil ? nil : try document() }

    /// The beginning of a text from outside, for an error.
    private static func shown(_ text: String) -> String { String(text.unicodeScalars.prefix(200)) }

    /// The value of a parameter, whose name may be in either spelling.
    func parameter(_ name: String) throws -> String? { try all(name).last }

    private func all(_ name: String) throws -> [String] {
        try call.query().values.filter { FirestoreCall.camelCase($0.name) == name }.map(\.value)
    }

    private static func camelCase(_ name: String) -> String {
        name.split(separator: ".").map { ProtoReader.camelCase(String($0)) }.joined(separator: ".")
    }

    func mask(_ name: String) throws -> [FieldPath]? {
        let texts = try all(name + ".fieldPaths")
        if texts.isEmpty { return nil }
        guard texts.count <= FieldSelection.maximumPaths else {
            throw FirestoreFault(.invalidArgument, "\(name) has more than \(FieldSelection.maximumPaths) fields.")
        }
        return try texts.map { text in
            guard let field = FieldPath(text) else { throw FirestoreFault(.invalidArgument, "Invalid property path \"\(Self.shown(text))\".") }
            return field
        }
    }

    func precondition() throws -> DocumentWrite.Precondition? {
        switch (try parameter("currentDocument.exists"), try parameter("currentDocument.updateTime")) {
        case (nil, nil): return nil
        case ("true"?, nil): return .exists(true)
        case ("false"?, nil): return .exists(false)
        case (nil, let text?): return .changed(try FirestoreCall.time(text))
        default: throw FirestoreFault(.invalidArgument, "A Precondition has one condition: exists, true or false, or updateTime.")
        }
    }

    func moment() throws -> FirestoreMoment {
        if let text = try parameter("transaction"), !text.isEmpty { return .transaction(try ProtoReader.bytes(text)) }
        return try parameter("readTime").map { .time(try FirestoreCall.time($0)) } ?? .latest
    }

    private static func time(_ text: String) throws -> DocumentTime {
        guard let time = DocumentTime(rfc3339: text) else {
            throw FirestoreFault(.invalidArgument, "A time such as 2026-01-31T23:59:59Z is expected.")
        }
        return time
    }

    /// Whether a parameter is `true`.
    func flag(_ name: String) throws -> Bool { try parameter(name) == "true" }

    /// The size of a page: 100 unless the parameter names one.
    func pageSize(most: Int) throws -> Int {
        guard let size = Int32(try parameter("pageSize") ?? "0"), size >= 0 else {
            throw FirestoreFault(.invalidArgument, "Page size must be a nonnegative number.")
        }
        return size == 0 ? 100 : min(Int(size), most)
    }

    /// An empty answer.
    var done: HTTPResponse { .json(Array("{}".utf8)) }

    /// Writes an answer of about this many bytes.
    func answer(reserving bytes: Int = 256, _ write: (inout ProtoWriter) throws -> Void) rethrows -> HTTPResponse {
        var writer = ProtoWriter(database, reserving: bytes)
        try write(&writer)
        return .json(writer.json.bytes)
    }

    /// Writes a stream, which is an array.
    func stream(reserving bytes: Int = 256, _ write: (inout ProtoWriter) throws -> Void) rethrows -> HTTPResponse {
        try answer(reserving: bytes) { writer in
            writer.json.beginArray()
            try write(&writer)
            writer.json.endArray()
        }
    }
}
