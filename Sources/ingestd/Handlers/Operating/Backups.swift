// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform
import AcrossStores

/// Backups, for the operator of this machine.
enum Backups {
    @Sendable static func make(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let body = try Body(call.json())
        try body.allow("directory")
        let folder = try body.text("directory")
        guard folder.hasPrefix("/") else { throw Refusal.field("directory", "relative", "must be an absolute path") }
        let manifest = try await daemon.store.backUp(to: folder)
        return .response(
            .json { json in
                json.beginObject()
                json.field("files", manifest.entries.count)
                json.field("bytes", manifest.entries.reduce(0) { $0 + $1.bytes })
                json.endObject()
            })
    }
}
