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

    @Test func `the largest users and folders, and the transfers of the last hour`() async throws {
        try await RuleWorld.use { accounts, client async throws in
            let body = #"{"source": "\#(Self.rules.replacing("\n", with: "\\n"))"}"#
            let api = client.live.api
            let set = try await api.request(
                "PUT", "/v1/files-rules", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            #expect(set.status == 200)
            let (ann, bob) = (try await accounts.user(), try await accounts.user("bob@example.org"))
            #expect(try await Self.put("users/a/1", 100, client, key: ann.token).status == 201)
            #expect(try await Self.put("users/b/x/1", 300, client, key: bob.token).status == 201)
            #expect(try await Self.put("docs/1", 50, client, key: client.keys.admin).status == 201)
            #expect(try await Self.put("top", 7, client, key: client.keys.admin).status == 201)
            #expect(try await api.get("/v1/files/\(client.keys.app)/docs/1", key: client.keys.admin).status == 200)
            let range = try await api.request("GET", "/v1/files/\(client.keys.app)/docs/1", key: client.keys.admin, headers: ["Range": "bytes=0-9"])
            #expect(range.status == 206)
            let copied = try await api.request("POST", "/v1/files/\(client.keys.app)/top?copy_to=copies/1", key: client.keys.admin)
            #expect(copied.status == 201, "a copy is no upload")
            #expect(try await api.request("DELETE", "/v1/files/\(client.keys.app)/copies/1", key: client.keys.admin).status == 204)
            let usage = try JSON(await api.get("/v1/files:usage?order=bytes&limit=1", key: client.keys.read))
            #expect(usage["items"].items.map(\.["uid"].text) == [bob.id] && !usage["next"].exists)
            let sums = ["uploads", "uploaded_bytes", "downloads", "downloaded_bytes"].map { name in
                usage["traffic"][name].items.map(\.number).reduce(0, +)
            }
            #expect(sums == [4, 457, 2, 60] && usage["traffic"]["uploads"].items.count == 60)
            #expect(try await api.get("/v1/files:usage?order=age", key: client.keys.read).status == 422)
            let folders = try JSON(await api.get("/v1/files:folders?limit=1", key: client.keys.read))
            #expect(folders["items"].items.map(\.["path"].text) == ["users/"] && folders["items"][0]["bytes"].number == 400)
            #expect(folders["bytes"].number == 7 && folders["files"].number == 1)
            let inner = try JSON(await api.get("/v1/files:folders?prefix=users/", key: client.keys.read))
            #expect(inner["items"].items.map(\.["path"].text) == ["users/b/", "users/a/"])
            let other = try await api.makeApp("other")
            #expect(try JSON(await api.get("/v1/files:folders", key: other.read))["items"].items.isEmpty)
            #expect(try await api.get("/v1/files:folders?prefix=\(String(repeating: "a", count: 1_025))", key: client.keys.read).status == 422)
        }
    }
}
