// SPDX-License-Identifier: Apache-2.0

import API
import HTTPServer
import Platform
import AcrossStores

/// Backups, for the operator of this machine.
struct Backups: Sendable {
    let store: Stores

    static let routes = [Route(.post, "/v1/backup", .operatorOnly, .task(\.backups, Backups.make), audit: .backupCreate)]

    func make(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("directory")
        let folder = try body.text("directory")
        guard folder.hasPrefix("/") else { throw Refusal.field("directory", "relative", "must be an absolute path") }
        call.audit?.note(folder)
        let manifest = try await store.backUp(to: folder)
        return try .json(BackupResponse(files: manifest.entries.count, bytes: manifest.entries.reduce(0) { $0 + Int64($1.bytes) }))
    }
}
