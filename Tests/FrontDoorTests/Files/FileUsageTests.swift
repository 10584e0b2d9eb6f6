// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import TestSupport
import Testing

@testable import ingestd

/// The usage of an app and its users, and their quotas.
@Suite struct FileUsageTests {
    private static let rules = """
        rules_version = '2';
        service firebase.storage { match /b/{bucket}/o { match /{file=**} { allow read, write: if request.auth != null; } } }
        """

    private static func put(_ path: String, _ bytes: Int, _ client: DocumentClient, key: String) async throws -> Reply {
        try await client.live.api.request("PUT", "/v1/files/\(client.keys.app)/\(path)", key: key, body: Array(repeating: 1, count: bytes))
    }

    @Test func `usage counts files of the app and of each user, and quotas hold`() async throws {
        let configure: (inout Configuration) -> Void = { ($0.store.files.appBytes, $0.store.files.userBytes) = (3 << 20, 1 << 20) }
        try await RuleWorld.use(configure: configure) { accounts, client async throws in
            let body = #"{"source": "\#(Self.rules.replacing("\n", with: "\\n"))"}"#
            let set = try await client.live.api.request(
                "PUT", "/v1/files-rules", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            #expect(set.status == 200)
            let ann = try await accounts.user()
            #expect(try await Self.put("a", 600_000, client, key: ann.token).status == 201)
            let over = try await Self.put("b", 600_000, client, key: ann.token)
            #expect(try over.status == 413 && JSON(over)["code"].text == "quota_exceeded")
            #expect(try await Self.put("a", 900_000, client, key: ann.token).status == 200, "a replacement frees what it replaces")
            #expect(try await Self.put("s1", 1_500_000, client, key: client.keys.admin).status == 201, "servers have no quota of a user")
            #expect(try await Self.put("s2", 1_500_000, client, key: client.keys.admin).status == 413, "but the app has one")
            let usage = try JSON(await client.live.api.request("GET", "/v1/files:usage", key: client.keys.read))
            #expect(usage["bytes"].number == 2_400_000 && usage["files"].number == 2 && usage["most_bytes"].number == 3 << 20)
            #expect(usage["items"].items.count == 1 && usage["items"][0]["uid"].text == ann.id && usage["items"][0]["bytes"].number == 900_000)
            #expect(try await client.live.api.request("DELETE", "/v1/files/\(client.keys.app)/a", key: ann.token).status == 204)
            #expect(try await Self.put("b", 600_000, client, key: ann.token).status == 201)
        }
    }
}
