// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import CrashStore
import HTTPServer
import Platform

/// Files that were sent with crash reports.
struct Attachments: Sendable {
    let store: Stores

    static let routes = [Route(.get, "/v1/attachments/{id}", .role(.read), .task(\.attachments, Attachments.download))]

    /// Sends the file as a download. A browser must neither show nor run it, whatever its sender says it is.
    func download(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        guard let row = Int64(call.parameter("id")), let found = try await store.crashes.attachment(row, app: app.id) else {
            throw Refusal(.notFound, "There is no such attachment.", hint: "GET /v1/issues/{id}/events lists attachments.")
        }
        guard let bytes = found.bytes else {
            throw Refusal(.notFound, "The attachment is not stored.", hint: "Its `reason` in GET /v1/issues/{id}/events says why.")
        }
        let headers = [
            ("Content-Type", "application/octet-stream"), ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "sandbox"),
            ("Content-Disposition", Attachments.disposition(found.attachment.name ?? "attachment-\(row)")),
        ]
        return .response(HTTPResponse(status: 200, headers: headers, body: bytes))
    }

    /// Returns the header field that names the download: `attachment; filename*=UTF-8''screen%20shot.png` (RFC 6266).
    static func disposition(_ name: String) -> String {
        "attachment; filename*=UTF-8''\(name.percentEncoded)"
    }
}
