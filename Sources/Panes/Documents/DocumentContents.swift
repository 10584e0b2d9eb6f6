// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// A document as a response has it.
struct ShownDocument: Sendable {
    let path: String
    /// The stamp of its last change, in microseconds since 1970.
    let version: Int64
    let created: Moment
    let fields: JSONValue

    fileprivate init(_ json: JSONValue) throws(RequestError) {
        guard let path = json["path"]?.string, let version = json["version"]?.integer, let created = json["created"]?.integer,
            let fields = json["fields"]
        else { throw .unexpectedResponse }
        (self.path, self.version, self.created, self.fields) = (path, version, Moment(microseconds: created), fields)
    }

    var updated: Moment { Moment(microseconds: version) }

    /// The last part of the path.
    var id: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// A page of documents, in the order of their paths.
struct DocumentList: PageContent {
    struct Item: Sendable {
        let document: ShownDocument
        /// The first fields in one line: `name="Ann", address=2 fields`.
        let summary: String

        var path: String { document.path }
    }

    let items: [Item]
    let next: String?

    private static let (mostFields, mostCharacters) = (12, 60)

    /// - Parameter limit: The documents of a page. The result of a query with as many may go on.
    init(_ body: [UInt8], limit: Int) throws(RequestError) {
        let json = try JSONValue(response: body)
        guard let found = json["items"] ?? json["documents"] else { throw .unexpectedResponse }
        items = try found.elements.map { element throws(RequestError) in
            let document = try ShownDocument(element)
            return Item(document: document, summary: DocumentList.summary(of: document.fields))
        }
        let cursor = json["items"] == nil && items.count >= limit ? items.last?.path : nil
        next = json["next"]?.string ?? cursor
    }

    private static func summary(of fields: JSONValue) -> String {
        let all = ShownValue(untagged: fields).fields
        let parts = all.prefix(mostFields).map { "\($0.name.escaped(atMost: mostCharacters))=\($0.value.line(atMost: mostCharacters))" }
        return (parts + (all.count > mostFields ? ["…"] : [])).joined(separator: ", ")
    }
}

/// One document, and the lines of its fields.
struct DocumentContent: Sendable {
    let document: ShownDocument
    let lines: FieldLines

    init(_ body: [UInt8]) throws(RequestError) {
        document = try ShownDocument(try JSONValue(response: body))
        lines = FieldLines(document.fields)
    }
}

extension JSONValue {
    /// Parses the body of a response whose names are data.
    fileprivate init(response body: [UInt8]) throws(RequestError) {
        do throws(JSONError) {
            self = try JSONValue(body)
        } catch {
            guard [.tooLarge, .tooManyTokens, .tooManyMembers].contains(error.reason) else { throw .unexpectedResponse }
            throw RequestError(kind: .tooLarge, what: "The response is too large to show", hint: "Use `ingestd documents export` instead.")
        }
    }
}

extension Moment {
    fileprivate init(microseconds: Int64) { self.init(Timestamp(milliseconds: microseconds / 1_000)) }
}
