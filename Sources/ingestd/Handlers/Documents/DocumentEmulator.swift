// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import AcrossStores
import DocumentStore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// The routes of Google's Firestore emulator with which test suites set rules and begin anew. `AccountEmulator` decides who is admitted.
///
///     PUT    /emulator/v1/projects/shop:securityRules   {"rules": {"files": [{"name": "firestore.rules", "content": "service …"}]}}
///     DELETE /emulator/v1/projects/shop/databases/(default)/documents
struct DocumentEmulator: Sendable {
    let documents: Documents

    static let routes = [
        Route(
            .put, "/emulator/v1/projects/{app}:securityRules", .emulator, .task(\.documentEmulator, DocumentEmulator.setRules),
            most: DocumentRules.bodyBytes),
        Route(
            .delete, "/emulator/v1/projects/{app}/databases/{database}/documents", .emulator,
            .task(\.documentEmulator, DocumentEmulator.deleteAll)),
    ]

    func setRules(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: documents.store)
        let body = try documents.reading(call)
        try body.allow("rules", "ignore_errors", "ignoreErrors")
        guard let index = body["rules"] else { throw body.missing("rules") }
        let rules = try DocumentReading(body.tape, at: index, named: "rules")
        guard let files = try rules.elements("files", atMost: 10), files.count == 1 else { throw rules.refuse("files", "must have one file") }
        let file = try DocumentReading(body.tape, at: files[0], named: "rules.files[0]")
        guard let source = try file.text("content") else { throw file.missing("content") }
        _ = try await Refusal.ofDocuments { try await documents.store.documents.setRules(source, app: app.id, by: call.ruleAuthor) }
        return Self.done
    }

    func deleteAll(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: documents.store)
        guard call.parameter("database") == "(default)" else {
            throw Refusal(.notFound, "There is no such database.", hint: "An app has the database (default).")
        }
        try await documents.store.documents.deleteAll(of: app.id)
        return Self.done
    }

    private static var done: HandlerResponse {
        .response(
            .json { json in
                json.beginObject()
                json.endObject()
            })
    }
}
