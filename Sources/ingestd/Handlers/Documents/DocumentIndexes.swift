// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
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
/// Firestore indexes every field by itself. Here a field has an index if an override gives it one, and none is learned if it has none.
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
        let declaration = try DocumentReading(try call.json(), parser).indexDeclaration()
        try await store.documents.declare(declaration, app: app)
        return try await response(app, leftOut: declaration.leftOut)
    }

    /// - Parameter leftOut: The indexes of a declaration that were not made.
    private func response(_ app: AppID, leftOut: [IndexDeclaration.LeftOut] = []) async throws -> HandlerResponse {
        let (indexes, exemptions) = (try await store.documents.indexes(of: app), try await store.documents.exemptions(of: app))
        return .response(
            .json { json in
                json.beginObject()
                json.key("indexes")
                json.beginArray()
                for index in indexes { json.index(index) }
                json.endArray()
                json.key("exemptions")
                json.exemptions(exemptions)
                if !leftOut.isEmpty {
                    json.key("leftOut")
                    json.leftOut(leftOut)
                }
                json.endObject()
            })
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

    /// Writes exemptions as overrides of `firestore.indexes.json` without indexes.
    mutating func exemptions(_ exemptions: [IndexExemption]) {
        beginArray()
        for one in exemptions {
            beginObject()
            field("collectionGroup", one.collection.text.text)
            field("fieldPath", one.field?.description ?? "*")
            key("indexes")
            beginArray()
            endArray()
            endObject()
        }
        endArray()
    }

    fileprivate mutating func leftOut(_ indexes: [IndexDeclaration.LeftOut]) {
        beginArray()
        for one in indexes {
            beginObject()
            field("place", one.place)
            field("collectionGroup", one.collection.text.text)
            field("property", one.property)
            endObject()
        }
        endArray()
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
