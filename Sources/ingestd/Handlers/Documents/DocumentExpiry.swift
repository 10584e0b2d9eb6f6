// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import API
import AcrossStores
import DocumentStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// The fields with the times at which documents expire.
///
///     {"fields": [{"collection": "sessions", "field": "expires"}]}
struct DocumentExpiry: Sendable {
    private static let bodyBytes = 256 << 10

    let store: Stores
    let parser: JSONParser

    static let routes = [
        Route(.get, "/v1/documents:ttl", .role(.admin), .task(\.documentExpiry, DocumentExpiry.show)),
        Route(.put, "/v1/documents:ttl", .role(.admin), .task(\.documentExpiry, DocumentExpiry.set), audit: .documentExpiryChange, most: bodyBytes),
    ]

    func show(_ call: Call) async throws -> HandlerResponse {
        try await response(try call.onlyApp(in: store).id)
    }

    /// Replaces the fields. What has expired is deleted once their indexes are built.
    func set(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        let fields = try DocumentReading(try call.json(), parser).expiryFields()
        try await store.documents.setExpiry(fields, app: app)
        return try await response(app)
    }

    private func response(_ app: AppID) async throws -> HandlerResponse {
        let fields = try await store.documents.expiry(of: app).map { one, progress in
            DocumentExpiryResponse.Field(
                collection: one.collection.text.text, field: one.field.description, state: .known(progress < 1 ? .building : .active),
                progress: progress)
        }
        return try .json(DocumentExpiryResponse(fields: fields))
    }
}
