// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import API
import AcrossStores
import DocumentStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// The patterns of documents that belong to persons, which erasure, anonymisation and the export of a person take.
///
///     {"patterns": [{"path": "users/{uid}/**"}, {"collection": "orders", "field": "owner", "private": ["address"]}]}
struct DocumentPersons: Sendable {
    private static let bodyBytes = 256 << 10

    let store: Stores
    let parser: JSONParser

    static let routes = [
        Route(.get, "/v1/documents:persons", .role(.admin), .task(\.documentPersons, DocumentPersons.show)),
        Route(
            .put, "/v1/documents:persons", .role(.admin), .task(\.documentPersons, DocumentPersons.set), audit: .documentPersonsChange,
            most: bodyBytes),
    ]

    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        return try .json(DocumentPersonsResponse(try await store.documents.personPatterns(of: app)))
    }

    func set(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        let patterns = try DocumentReading(try call.json(), parser).personPatterns()
        try await store.documents.setPersonPatterns(patterns, app: app)
        return try .json(DocumentPersonsResponse(patterns))
    }
}

extension DocumentPersonsResponse {
    init(_ patterns: [PersonPattern]) {
        self.init(
            patterns: patterns.map { pattern in
                switch pattern {
                case .path(let path): Pattern(path: path.description)
                case .field(let field):
                    Pattern(
                        collection: field.collection.description, group: field.isGroup, field: field.field.description,
                        private: field.privateFields.map { $0.map(\.description) })
                }
            })
    }
}
