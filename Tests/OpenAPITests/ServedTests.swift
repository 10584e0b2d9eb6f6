// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import HTTPClient
import Platform
import Testing

@testable import ingestd

/// The tests run serially, because the client and the daemon's store share a few threads.
@Suite(.serialized)
struct ServedTests {
    @Test func `the document is public and served unchanged`() async throws {
        try await RunningDaemon.use { daemon in
            let answer = try await daemon.get("/v1/openapi.json")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/json")
            #expect(answer.body == OpenAPI.document)
            #expect(answer.body.count > 1_000)
        }
    }

    @Test func `an exported event is one line whatever its parameters' white space`() async throws {
        try await RunningDaemon.use { daemon in
            let body = Array("[{\"id\": \"1\", \"name\": \"many_lines\", \"params\": {\r\n  \"a\": 1\n}}]".utf8)
            #expect(try await daemon.send("POST", "/v1/events", as: .ingest, body).status == 200)
            let lines = try await daemon.get("/v1/export", as: .read).body.split(separator: UInt8(ascii: "\n"))
            #expect(lines.count == 1)
            let event = try JSONSerialization.jsonObject(with: Data(lines.first ?? [])) as? [String: Any]
            #expect(event?["params"] as? [String: Int] == ["a": 1])
        }
    }

    @Test(arguments: [
        ("a\"b", "\"a\"\"b\""), ("\"\u{301}a", "\"\"\"\u{301}a\""), ("a,b", "\"a,b\""), ("=1+1", "'=1+1"), ("=\u{301}", "'=\u{301}"),
        ("plain", "plain"),
    ])
    func `a text in CSV is one field and no formula`(_ user: String, _ field: String) async throws {
        try await RunningDaemon.use { daemon in
            let event = try JSONSerialization.data(withJSONObject: [["id": "1", "name": "quoted", "user_id": user]])
            #expect(try await daemon.send("POST", "/v1/events", as: .ingest, Array(event)).status == 200)
            let lines = String(decoding: try await daemon.get("/v1/export?format=csv", as: .read).body, as: UTF8.self).components(separatedBy: "\r\n")
            #expect(lines.count == 3)
            #expect(Array(lines[1].utf8).contains(Array(",\(field),".utf8)))
        }
    }

    @Test func `a quarantined line with invalid UTF-8 is shown in a valid response`() async throws {
        try await RunningDaemon.use { daemon in
            let answer = try await daemon.send("POST", "/v1/events", as: .ingest, type: "application/x-ndjson", [0xff, 0x7b])
            #expect(answer.status == 200)
            let list = try #require(String(validating: try await daemon.get("/v1/quarantine", as: .read).body, as: UTF8.self))
            #expect(list.contains("\"raw\":\"\u{fffd}{\""))
        }
    }

    @Test(arguments: [
        ("/v1/quarantine?reason=no_such_reason", "reason"), ("/v1/query/series?from=-1000000w&to=-999999w", "from"),
        ("/v1/export?to=-1000000w", "to"), ("/v1/app?limit=1", "limit"),
    ])
    func `an invalid parameter is rejected by name`(_ path: String, _ field: String) async throws {
        try await RunningDaemon.use { daemon in
            let answer = try await daemon.get(path, as: .read)
            #expect(answer.status == 422)
            let problem = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            #expect((problem?["errors"] as? [[String: String]])?.first?["field"] == field)
        }
    }

    @Test(arguments: [(1 << 20, 422), ((1 << 20) + 1, 413)])
    func `settings above 1 MiB are rejected`(_ size: Int, _ status: Int) async throws {
        try await RunningDaemon.use { daemon in
            let body = Array("{}".utf8) + [UInt8](repeating: 0x20, count: size - 2)
            let answer = try await daemon.send("PATCH", "/v1/app", as: .admin, body)
            #expect(answer.status == status)
        }
    }
}
