// SPDX-License-Identifier: Apache-2.0

import JSON

/// A query that the daemon takes in the body of a POST request.
enum PostedQuery: Hashable, Sendable {
    /// The documents of all collections with an ID, in the order of their paths.
    case documents(group: String, limit: Int)
    /// The IDs of the collections directly below a document, or at the top.
    case collections(below: String?, limit: Int)

    var path: String {
        switch self {
        case .documents: "/v1/documents:query"
        case .collections: "/v1/documents:collections"
        }
    }

    /// - Parameter cursor: The path of the last document, or the ID of the last collection, of the page before.
    func json(after cursor: String?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        switch self {
        case .documents(let group, let limit):
            json.field("from", group)
            json.key("group")
            json.bool(true)
            json.field("limit", limit)
            if let cursor { PostedQuery.start(behind: cursor, &json) }
        case .collections(let document, let limit):
            if let document { json.field("under", document) }
            json.field("limit", limit)
            if let cursor { json.field("after", cursor) }
        }
        json.endObject()
        return json.bytes
    }

    /// The place behind a document in the order of names. The document need not be there any more.
    private static func start(behind path: String, _ json: inout JSONWriter) {
        json.key("startAfter")
        json.beginArray()
        json.beginObject()
        json.field("$ref", path)
        json.endObject()
        json.endArray()
    }
}
