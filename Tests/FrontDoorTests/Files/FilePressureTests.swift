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

    @Test func `each refusal is counted once by its reason, whatever the protocol`() async throws {
        try await Self.use({ ($0.openUploads, $0.fileBytes, $0.appBytes) = (1, 100_000, 150_000) }) { client in
            let (api, app, admin) = (client.live.api, client.keys.app, client.keys.admin)
            let (native, google, firebase) = ("/v1/files/\(app)", "/storage/v1/b/\(app)/o", "/v0/b/\(app)/o")
            let media = "/upload/storage/v1/b/\(app)/o?uploadType=media&name="
            let large = [UInt8](repeating: 1, count: 90_000)
            #expect(try await api.request("PUT", native + "/a", key: admin, body: large).status == 201)
            #expect(try await client.starts("open")[0].status == 201)
            func counts() async throws -> [String: Int] {
                let lines = try await api.get("/metrics").text.split(separator: "\n").filter { $0.hasPrefix("signalbox_files_refused_total{") }
                let pairs = lines.map { $0.split(whereSeparator: { "\"} ".contains($0) }) }
                return Dictionary(uniqueKeysWithValues: pairs.compactMap { part in part.last.flatMap { Int($0) }.map { (String(part[1]), $0) } })
            }
            let absent = Array(#"{"path": "none", "generation": 1, "allow": true}"#.utf8)
            let requests: [(reason: String, method: String, target: String, headers: [String: String], key: String?, body: [UInt8]?)] = [
                ("condition", "PUT", native + "/a", ["If-None-Match": "*"], admin, [1]),
                ("condition", "DELETE", native + "/a", ["If-Match": "\"1\""], admin, nil),
                ("condition", "PATCH", native + "/a", ["If-Match": "\"1\"", "Content-Type": "application/json"], admin, Array("{}".utf8)),
                ("condition", "GET", native + "/a", ["If-Match": "\"1\""], admin, nil),
                ("condition", "POST", native + "/a?copy_to=a", ["If-None-Match": "*"], admin, nil),
                ("condition", "POST", media + "a&ifGenerationMatch=0", [:], admin, [1]),
                ("condition", "DELETE", google + "/a?ifGenerationMatch=1", [:], admin, nil),
                ("condition", "GET", google + "/a?ifMetagenerationMatch=7", [:], admin, nil),
                ("quota", "POST", native + "/a?copy_to=b", [:], admin, nil), ("quota", "PUT", native + "/b", [:], admin, large),
                ("quota", "POST", media + "b", [:], admin, large),
                ("size", "PUT", native + "/b", [:], admin, large + large), ("size", "POST", media + "b", [:], admin, large + large),
                ("checksum", "PUT", native + "/b", ["Content-Digest": "sha-256=:\(Base64.encode(SHA256.hash([]))):"], admin, [1]),
                ("rules", "GET", native + "/a", [:], client.keys.ingest, nil), ("rules", "GET", native + "?prefix=", [:], client.keys.ingest, nil),
                ("rules", "PUT", native + "/b", [:], client.keys.ingest, [1]), ("rules", "GET", firebase + "/a", [:], nil, nil),
                ("missing", "GET", native + "/none", [:], admin, nil), ("missing", "GET", google + "/none", [:], admin, nil),
                ("missing", "HEAD", "/v1/uploads/\(app)/00", ["Tus-Resumable": "1.0.0"], admin, nil),
                ("other", "GET", native + "/a", ["Range": "bytes=1000000-"], admin, nil),
                ("other", "POST", "/v1/files:import", [:], client.keys.ingest, Array("{}".utf8)),
                ("other", "PUT", "/v1/files:import", [:], admin, Array("{}\n".utf8)),
                ("missing", "POST", "/v1/files:pending", ["Content-Type": "application/json"], admin, absent),
                ("other", "GET", native + "?limit=none", [:], admin, nil), ("other", "GET", native + "/a", [:], "unknown", nil),
            ]
            for request in requests {
                let before = try await counts()
                let reply = try await api.request(request.method, request.target, key: request.key, headers: request.headers, body: request.body)
                #expect(reply.status >= 400, "\(request)")
                var expected = before
                expected[request.reason, default: 0] += 1
                #expect(try await counts() == expected, "\(request.method) \(request.target) \(request.headers)")
            }
            let before = try await counts()
            #expect(try await client.starts("more").map(\.status) == [429, 429, 429])
            #expect(try await counts()["uploads"] == (before["uploads"] ?? 0) + 3)
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
