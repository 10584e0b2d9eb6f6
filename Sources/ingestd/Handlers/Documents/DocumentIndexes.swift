// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import DocumentStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// The indexes of documents, declared by the file that Firebase deploys.
///
///     {"indexes": [{"collectionGroup": "orders", "queryScope": "COLLECTION",
///                   "fields": [{"fieldPath": "user", "order": "ASCENDING"}, {"fieldPath": "at", "order": "DESCENDING"}]}],
///      "fieldOverrides": [{"collectionGroup": "orders", "fieldPath": "tags", "indexes": [{"arrayConfig": "CONTAINS"}]}]}
///
/// Firestore indexes every field by itself. Here a field has an index if an override gives it one.
struct DocumentIndexes: Sendable {
    private static let bodyBytes = 1 << 20

    let store: Stores
    let parser: JSONParser

    static let routes = [
        Route(.get, "/v1/documents:indexes", .role(.admin), .task(\.documentIndexes, DocumentIndexes.list)),
        Route(
            .put, "/v1/documents:indexes", .role(.admin), .task(\.documentIndexes, DocumentIndexes.declare), audit: .documentIndexesChange,
            most: bodyBytes),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        try await response(try call.onlyApp(in: store).id)
    }

    /// Replaces the app's indexes. Documents get their entries in the background.
    func declare(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        let shapes = try DocumentReading(try call.json(), parser).indexShapes()
        try await store.documents.declare(shapes, app: app)
        return try await response(app)
    }

    private func response(_ app: AppID) async throws -> HandlerResponse {
        let indexes = try await store.documents.indexes(of: app)
        return .response(
            .json { json in
                json.beginObject()
                json.key("indexes")
                json.beginArray()
                for index in indexes { json.index(index) }
                json.endArray()
                json.endObject()
            })
    }
}

extension DocumentReading {
    private static let fieldsOfIndex = 100

    /// Reads `firestore.indexes.json`, each index once.
    func indexShapes() throws(Refusal) -> [IndexShape] {
        try allow("indexes", "fieldOverrides")
        var shapes: [IndexShape] = []
        for (index, place) in (try elements("indexes", atMost: DocumentBounds.indexes) ?? []).enumerated() {
            let reading = try DocumentReading(tape, at: place, named: self.place("indexes[\(index)]"))
            try reading.allow("collectionGroup", "queryScope", "fields", "density", "apiScope", "multikey")
            shapes.append(IndexShape(try reading.scope(), try reading.group(), try reading.indexFields()))
        }
        for (index, place) in (try elements("fieldOverrides", atMost: DocumentBounds.indexes) ?? []).enumerated() {
            shapes += try DocumentReading(tape, at: place, named: self.place("fieldOverrides[\(index)]")).override()
        }
        let different = shapes.enumerated().filter { entry in !shapes[..<entry.offset].contains(entry.element) }.map(\.element)
        if different.count > DocumentBounds.indexes { throw refuse("indexes", "has more than \(DocumentBounds.indexes) indexes with the overrides") }
        return different
    }

    /// Reads the indexes of one field.
    private func override() throws(Refusal) -> [IndexShape] {
        try allow("collectionGroup", "fieldPath", "indexes", "ttl")
        let (group, field) = (try group(), try field())
        return try (elements("indexes", atMost: 10) ?? []).enumerated().map { entry throws(Refusal) in
            let reading = try DocumentReading(tape, at: entry.element, named: place("indexes[\(entry.offset)]"))
            try reading.allow("order", "arrayConfig", "queryScope")
            return IndexShape(try reading.scope(), group, [IndexShape.Field(field, try reading.kind())])
        }
    }

    private func group() throws(Refusal) -> PathSegment {
        guard let text = try text("collectionGroup"), let group = PathSegment(text) else {
            throw refuse("collectionGroup", "must be the ID of a collection")
        }
        return group
    }

    private func scope() throws(Refusal) -> IndexShape.Scope {
        switch try text("queryScope") {
        case nil, "COLLECTION": .collection
        case "COLLECTION_GROUP": .group
        default: throw refuse("queryScope", "must be COLLECTION or COLLECTION_GROUP")
        }
    }

    private func field() throws(Refusal) -> FieldPath {
        guard let text = try text("fieldPath"), let path = FieldPath(text) else {
            throw refuse("fieldPath", "must be the path of a field, such as address.city")
        }
        return path
    }

    private func kind() throws(Refusal) -> IndexShape.Kind {
        switch (try text("order"), try text("arrayConfig")) {
        case ("ASCENDING", nil): .ascending
        case ("DESCENDING", nil): .descending
        case (nil, "CONTAINS"): .contains
        default: throw refuse("order", "must be ASCENDING or DESCENDING, or arrayConfig CONTAINS")
        }
    }

    /// Reads the fields of an index. The name at the end is implied.
    private func indexFields() throws(Refusal) -> [IndexShape.Field] {
        var fields: [IndexShape.Field] = []
        for (index, place) in (try elements("fields", atMost: Self.fieldsOfIndex) ?? []).enumerated() {
            let reading = try DocumentReading(tape, at: place, named: self.place("fields[\(index)]"))
            try reading.allow("fieldPath", "order", "arrayConfig", "vectorConfig")
            let field = try reading.field()
            if !field.isName { fields.append(IndexShape.Field(field, try reading.kind())) }
        }
        if fields.isEmpty { throw refuse("fields", "must have a field") }
        if fields.count(where: { $0.kind == .contains }) > 1 { throw refuse("fields", "may have one field with arrayConfig") }
        return fields
    }
}

extension JSONWriter {
    fileprivate mutating func index(_ index: StoredIndex) {
        beginObject()
        shape(index.shape)
        field("state", index.isReady ? "ready" : "building")
        field("origin", DocumentIndexOrigin(index.origin).rawValue)
        if !index.reason.isEmpty { field("reason", index.reason) }
        key("progress")
        real(index.progress)
        endObject()
    }

    /// Writes the members of an index as `firestore.indexes.json` has them.
    mutating func shape(_ shape: IndexShape) {
        field("collectionGroup", shape.collection.text.text)
        field("queryScope", shape.scope == .group ? "COLLECTION_GROUP" : "COLLECTION")
        key("fields")
        beginArray()
        for part in shape.fields {
            beginObject()
            field("fieldPath", part.path.description)
            switch part.kind {
            case .ascending: field("order", "ASCENDING")
            case .descending: field("order", "DESCENDING")
            case .contains: field("arrayConfig", "CONTAINS")
            }
            endObject()
        }
        endArray()
    }
}
