// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

@testable import SignalboxDocuments

/// The result that the listeners of a query show according to a specification: the sum of its events.
struct ExpectedView {
    struct Document: Equatable {
        let fields: DocumentFields
        let isPending: Bool
    }

    private(set) var documents: [DocumentPath: Document] = [:]
    private(set) var isFromCache = false
    private(set) var hasPendingWrites = false

    /// Adds an event.
    mutating func add(_ event: JSONNode) throws {
        isFromCache = event["fromCache"] == .bool(true)
        hasPendingWrites = event["hasPendingWrites"] == .bool(true)
        for node in event["removed"]?.elements ?? [] { documents[try SpecJSON.path(node["key"])] = nil }
        for kind in ["added", "modified", "metadata"] {
            for node in event[kind]?.elements ?? [] {
                let isPending = node["options"]?["hasLocalMutations"] == .bool(true)
                documents[try SpecJSON.path(node["key"])] = Document(fields: try SpecJSON.fields(node["value"]), isPending: isPending)
            }
        }
    }

    /// Returns how a view differs; nil if it does not.
    ///
    /// - Parameters:
    ///   - undecided: The documents with writes that the server has not decided about. Others may be shown as confirmed before the
    ///     specification does: it waits for the stream to tell of a confirmed write.
    ///   - isBroken: Whether the stream has ended and told nothing since. The view may be one of the cache at once.
    func difference(from view: FeedView, undecided: Set<DocumentPath>, isBroken: Bool) -> String? {
        let shown = Dictionary(view.documents.map { ($0.path, $0) }) { $1 }
        guard Set(shown.keys) == Set(documents.keys) else { return "shows \(view.documents.map(\.path)), expected \(documents.keys.sorted())" }
        for (path, document) in documents {
            guard let own = shown[path] else { continue }
            if own.fields != document.fields { return "\(path) is \(own.fields), expected \(document.fields)" }
            if own.hasPendingWrites != document.isPending, own.hasPendingWrites || undecided.contains(path) {
                return "\(path) has pending writes: \(own.hasPendingWrites)"
            }
        }
        if view.isFromCache != isFromCache, !(view.isFromCache && isBroken) { return "is from the cache: \(view.isFromCache)" }
        let isUndecided = documents.keys.contains(where: undecided.contains)
        if view.hasPendingWrites != hasPendingWrites, view.hasPendingWrites || isUndecided { return "has pending writes: \(view.hasPendingWrites)" }
        return nil
    }
}

/// Readers of the JSON of specifications.
enum SpecJSON {
    static func path(_ node: JSONNode?) throws -> DocumentPath {
        guard let path = node?.text.flatMap({ DocumentPath($0) }) else { throw SpecMismatch(description: "no path: \(String(describing: node))") }
        return path
    }

    static func fields(_ node: JSONNode?) throws -> DocumentFields {
        guard let fields = node.flatMap(NativeText.fields) else { throw SpecMismatch(description: "no fields: \(String(describing: node))") }
        return fields
    }

    /// Fields of a write, in which `<DELETE>` deletes.
    static func written(_ node: JSONNode?) throws -> [String: FieldValue] {
        FieldValue.fields(try fields(node)).mapValues { $0 == "<DELETE>" ? .delete : $0 }
    }

    /// Builds a query as an app does.
    private static func query(_ node: JSONNode, of documents: Documents) throws -> Query {
        let path = node["path"]?.text ?? ""
        var query = node["collectionGroup"]?.text.map { documents.collectionGroup($0) } ?? documents.collection(path).query
        for filter in node["filters"]?.elements ?? [] { query = query.where(try condition(filter.elements ?? [])) }
        for order in node["orderBys"]?.elements ?? [] {
            guard let parts = order.elements, parts.count == 2, let field = parts[0].text else { continue }
            query = query.order(field, descending: parts[1].text == "desc")
        }
        guard let limit = node["limit"]?.integer else { return query }
        return node["limitType"]?.text == "LimitToLast" ? query.limit(toLast: Int(limit)) : query.limit(Int(limit))
    }

    private static func condition(_ parts: [JSONNode]) throws -> QueryFilter {
        guard parts.count == 3, let field = parts[0].text, let value = NativeText.value(parts[2]).map({ FieldValue($0) }) else {
            throw SpecMismatch(description: "no filter: \(parts)")
        }
        switch parts[1].text {
        case "==": return .equal(field, value)
        case ">=": return .greaterOrEqual(field, value)
        case "<=": return .lessOrEqual(field, value)
        case "array-contains": return .arrayContains(field, value)
        default: throw SpecMismatch(description: "no filter: \(parts)")
        }
    }

    /// The text by which a query is found again.
    static func key(_ query: JSONNode) -> String { String(describing: query) }

    /// Returns the document or query that a listener of a specification is about.
    static func kind(_ node: JSONNode, of documents: Documents) throws -> StreamTarget.Kind {
        if let path = node["path"]?.text.flatMap({ DocumentPath($0) }), path.isDocument, node["collectionGroup"] == nil { return .document(path) }
        return .query(try query(node, of: documents).model.get())
    }

    /// The client's error of a code of gRPC.
    static func error(_ node: JSONNode?) -> DocumentError {
        let codes: [DocumentError.Code] = [
            .internalError, .cancelled, .internalError, .invalidArgument, .unavailable, .notFound, .alreadyExists, .permissionDenied,
            .resourceExhausted, .failedPrecondition, .aborted, .invalidArgument, .invalidArgument, .internalError, .unavailable, .dataLoss,
            .unauthenticated,
        ]
        let code = codes[Int(node?["code"]?.integer ?? 0)]
        // The daemon says when a request that was one too many may come again.
        return DocumentError(code, "By the specification.", retryAfter: code == .resourceExhausted ? 0.01 : nil)
    }
}
