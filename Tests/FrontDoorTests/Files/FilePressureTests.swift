// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// Uploads beyond a limit: they are refused by each protocol, while events are accepted.
@Suite struct FilePressureTests {
    private struct Client: Sendable {
        let live: LiveDaemon
        let keys: AppKeys

        /// Begins an upload of several requests by each protocol, and returns the replies.
        func starts(_ name: String) async throws -> [Reply] {
            let metadata = "path \(Base64.encode(Array(name.utf8)))"
            let tus = ["Tus-Resumable": "1.0.0", "Upload-Length": "10", "Upload-Metadata": metadata]
            let firebase = ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"]
            let (api, key) = (live.api, keys.admin)
            return [
                try await api.request("POST", "/v1/uploads/\(keys.app)", key: key, headers: tus, body: []),
                try await api.request("POST", "/v0/b/\(keys.app)/o?name=\(name)", key: key, headers: firebase, body: []),
                try await api.request(
                    "POST", "/upload/storage/v1/b/\(keys.app)/o?uploadType=resumable", key: key, headers: ["Content-Type": "application/json"],
                    body: Array(#"{"name": "\#(name)"}"#.utf8)),
            ]
        }

        func sendsEvents() async throws -> Bool { try await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "a"}]"#).status == 200 }
    }

    private static func use(
        _ configure: @escaping @Sendable (inout FileBounds) -> Void, _ body: @Sendable (Client) async throws -> Void
    ) async throws {
        try await withDaemon(
            configure: {
                $0.store.files.reserveBytes = 0
                configure(&$0.store.files)
            }
        ) { live in try await body(Client(live: live, keys: try await live.api.makeApp())) }
    }

    @Test func `beyond the open uploads new ones are 429, and an ended one makes room`() async throws {
        try await Self.use({ $0.openUploads = 30 }) { client in
            var last: [Reply] = []
            for number in 0..<10 { last = try await client.starts("a\(number)") }
            #expect(last.map(\.status) == [201, 200, 200])
            let over = try await client.starts("b")
            #expect(over.map(\.status) == [429, 429, 429] && over.allSatisfy { $0.headers["retry-after"] == "60" })
            #expect(try await client.sendsEvents())
            #expect(try await client.live.api.request("PUT", "/v1/files/\(client.keys.app)/c", key: client.keys.admin, body: [1]).status == 201)
            let ended = try await client.live.api.request(
                "DELETE", try #require(last[0].headers["location"]), key: client.keys.admin, headers: ["Tus-Resumable": "1.0.0"])
            #expect(ended.status == 204)
            #expect(try await client.starts("d").map(\.status) == [201, 429, 429])
        }
    }

    @Test func `a disk without room for uploads takes events`() async throws {
        try await Self.use({ $0.reserveBytes = 1 << 45 }) { client in
            #expect(try await client.starts("a").map(\.status) == [503, 503, 503])
            let put = try await client.live.api.request("PUT", "/v1/files/\(client.keys.app)/a", key: client.keys.admin, body: [1])
            #expect(try put.status == 503 && JSON(put)["code"].text == "storage_full")
            #expect(try await client.sendsEvents())
        }
    }
}
