// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import CrashStore
import HTTPServer
import Platform

/// Files that were sent with crash reports, and their minidumps.
struct Attachments: Sendable {
    let store: Stores

    static let routes = [
        Route(.get, "/v1/attachments/{id}", .role(.read), .task(\.attachments, Attachments.download)),
        Route(.get, "/v1/issues/{id}/events/{event}/minidump", .role(.admin), .task(\.attachments, Attachments.minidump)),
    ]

    /// Sends the file as a download. A browser must neither show nor run it, whatever its sender says it is.
    func download(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        guard let row = Int64(call.parameter("id")), let found = try await store.crashes.attachment(row, app: app.id) else {
            throw Refusal(.notFound, "There is no such attachment.", hint: "GET /v1/issues/{id}/events lists attachments.")
        }
        guard let bytes = found.bytes else {
            throw Refusal(.notFound, "The attachment is not stored.", hint: "Its `reason` in GET /v1/issues/{id}/events says why.")
        }
        return Attachments.file(bytes, name: found.attachment.name ?? "attachment-\(row)")
    }

    /// Sends the minidump of a crash. It has memory of the user's process, so only administrators get it.
    func minidump(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let (issue, event) = (call.parameter("id"), call.parameter("event"))
        let found = try await store.crashes.crash(event, app: app.id)?.crash
        guard let crash = found, try await store.crashes.issue(issue, app: app.id, days: 1).summary.id.utf8.elementsEqual(crash.issue.utf8),
            let bytes = try await store.crashes.minidump(of: crash.row)
        else {
            throw Refusal(
                .notFound, "There is no minidump of such a crash of this issue.",
                hint: "The oldest are removed first, beyond `crashes.minidump_bytes` of an app.")
        }
        return Attachments.file(bytes, name: "\(crash.id).dmp")
    }

    private static func file(_ bytes: [UInt8], name: String) -> HandlerResponse {
        let headers = [
            ("Content-Type", "application/octet-stream"), ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "sandbox"),
            ("Content-Disposition", disposition(name)),
        ]
        return .response(HTTPResponse(status: 200, headers: headers, body: bytes))
    }

    /// Returns the header field that names the download: `attachment; filename*=UTF-8''screen%20shot.png` (RFC 6266).
    static func disposition(_ name: String) -> String {
        "attachment; filename*=UTF-8''\(name.percentEncoded)"
    }
}
