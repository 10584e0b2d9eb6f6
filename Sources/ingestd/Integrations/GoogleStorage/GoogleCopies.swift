// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import Files
import HTTPServer
import JSON
import Platform

/// Copies within the bucket of an app, for clients of Google's JSON API. A copy is made at once, however large the file is.
struct GoogleCopies: Sendable {
    let store: Stores

    func rewrite(_ call: Call) async throws -> HandlerResponse {
        let copy = try await made(call)
        return .response(
            .json(reserving: 1_024) { json in
                json.beginObject()
                json.field("kind", "storage#rewriteResponse")
                json.field("totalBytesRewritten", "\(copy.file.size)")
                json.field("objectSize", "\(copy.file.size)")
                json.field("done", true)
                json.key("resource")
                copy.write(to: &json)
                json.endObject()
            })
    }

    func copy(_ call: Call) async throws -> HandlerResponse { .response(try await made(call).response()) }

    private func made(_ call: Call) async throws -> StorageObject {
        let (access, source, query) = (try call.bucketAccess(in: store), try call.filePath(), try call.query())
        let other = try call.bucketAccess(in: store, named: "destination")
        guard other.app.id == access.app.id else { throw Refusal(.badRequest, "A file can be copied within its bucket only.") }
        let target = try StorageUpload.path(call.parameter("name"))
        let (ofSource, wanted) = (try StorageConditions(query, isSource: true), try StorageConditions(query))
        let details = try details(call)
        return try await Refusal.ofFiles {
            let file = try await store.files.copy(
                source, to: target, app: access.app.id, details: details, if: wanted.ofChange, reading: { _ = try ofSource.require($0) },
                depth: access.depth)
            return access.object(file, call.parameter("destination"))
        }
    }

    /// Returns the details of the body, which take the place of those of the source; nil if it has none.
    private func details(_ call: Call) throws(Refusal) -> FileDetails? {
        if call.request.body.isEmpty { return nil }
        var edit = try DetailsEdit(Body(call.json()), .google)
        // A copy has tokens of its own.
        _ = edit.take(StorageObject.tokensName)
        if edit.isEmpty { return nil }
        var details = FileDetails()
        edit.apply(to: &details)
        try details.requireValid()
        return details
    }
}
