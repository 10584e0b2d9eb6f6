// SPDX-License-Identifier: Apache-2.0

import SQLite
import TestSupport
import Testing

@testable import ingestd

@Suite struct RuleRevisionTests {
    @Test func `rules hold from the next request on, and every revision is kept`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            let user = try await world.user()
            let write = #"{"set": "users/\#(user.id)", "fields": {}}"#
            #expect(try await RuleWorld.commit(write, client, user.token) == 200)
            #expect(try await RuleWorld.set("service cloud.firestore { }", client).status == 200)
            #expect(try await RuleWorld.commit(write, client, user.token) == 403)
            let broken = try await RuleWorld.set("service cloud.firestore {\n match /a { allow read: if 1 +; } }", client)
            #expect(broken.status == 422 && broken.text.contains("2:") && !broken.text.contains(".."), "\(broken.text)")
            let kept = try JSON(try await client.live.api.get("/v1/documents:rules?limit=100", key: client.keys.admin))["items"].items
            #expect(kept.map { $0["revision"].number } == [2, 1] && kept[1]["source"].text == RuleWorld.rules)
            let other = try await client.live.api.makeApp("other")
            #expect(try JSON(try await client.live.api.get("/v1/documents:rules", key: other.admin))["items"].items.isEmpty)
        }
    }

    @Test func `each revision names its author as the audit log does`() async throws {
        try await RuleWorld.use { _, client async throws in
            let (api, source) = (client.live.api, #"{"source": "service cloud.firestore { }"}"#)
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            #expect(try await api.asOperator("PUT", "/v1/documents:rules?app=\(client.keys.app)", source).status == 200)
            let imported = try await api.request(
                "POST", "/v1/documents:import", key: client.keys.admin, headers: ["Content-Type": "application/x-ndjson"],
                body: Array(#"{"setting": "rules", "value": \#(source)}"#.utf8))
            #expect(try imported.status == 200 && JSON(imported)["failed"].number == 0, "\(imported.text)")
            let entries = try JSON(try await api.get("/v1/audit", key: client.keys.admin))["items"].items
            let callers = entries.filter { ["rules.store", "documents.import"].contains($0["action"].text) }
            let revisions = try JSON(try await api.get("/v1/documents:rules?limit=10", key: client.keys.admin))["items"].items
            #expect(revisions.map { $0["by"]["role"].text } == ["admin", "operator", "admin"])
            #expect(callers.map { $0["role"].text } == ["admin", "operator", "admin"])
            #expect(revisions.map { $0["by"]["key"].exists } == [true, false, true])
            for (revision, caller) in zip(revisions, callers) where caller["key"].exists {
                #expect(revision["by"]["key"].number == caller["key"].number)
            }
        }
    }

    @Test func `a revision of an earlier version has no author`() async throws {
        let folder = TemporaryFolder()
        let keys = try await withDaemon(in: folder) { live async throws in
            let client = try await DocumentClient.make(live)
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            return client.keys
        }
        try Connection(folder.path + "/documents.db", .write).execute("UPDATE rules SET role = NULL, key = NULL")
        try await withDaemon(in: folder) { live async throws in
            let revisions = try JSON(try await live.api.get("/v1/documents:rules", key: keys.admin))["items"]
            #expect(revisions[0]["source"].text == RuleWorld.rules && !revisions[0]["by"].exists)
        }
    }

    @Test func `rules that deny everything by mistake are refused, and warnings are in the answer`() async throws {
        try await RuleWorld.use { _, client async throws in
            for source in ["", " // nothing", "rules_version = '2';"] {
                let refused = try await RuleWorld.set(source, client)
                #expect(refused.status == 422 && refused.text.contains("service cloud.firestore"), "\(source): \(refused.text)")
            }
            func rules(_ condition: String) -> String {
                "service cloud.firestore {\n match /databases/{d}/documents/c/{id} { allow read: if \(condition); }\n}"
            }
            let warned = try await RuleWorld.set(rules("firestore.get(/x/y) != null"), client)
            #expect(try warned.status == 200 && JSON(warned)["warnings"][0]["line"].number == 2, "\(warned.text)")
            #expect(try JSON(warned)["warnings"][0]["message"].text.contains("firestore"))
            #expect(try !JSON(await RuleWorld.set(rules("request.auth != null"), client))["warnings"].exists)
        }
    }

    @Test func `a user writes a bounded number of documents`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            func locks(_ count: Int) -> String {
                (0..<count).map { #"{"set": "locks/l\#($0)", "fields": {}}"# }.joined(separator: ",")
            }
            #expect(try await RuleWorld.commit(locks(501), client, client.keys.ingest) == 413)
            #expect(try await RuleWorld.commit(locks(500), client, client.keys.ingest) == 200)
            #expect(try await RuleWorld.commit(locks(500), client, client.keys.ingest) == 200)
            let limited = try await client.send("commit", #"{"writes": [\#(locks(1))]}"#, key: client.keys.ingest)
            #expect(limited.status == 429 && limited.headers["retry-after"] == "1")
            #expect(try await RuleWorld.commit(locks(1), client, client.key) == 200)
        }
    }

    @Test func `rules with a failing test case are not taken`() async throws {
        try await RuleWorld.use { _, client async throws in
            func cases(_ expectation: String) -> String {
                let request = #"{"path": "users/ana", "method": "get", "auth": {"uid": "ana"}}"#
                return #", "testCases": [{"name": "owners read", "expectation": "\#(expectation)", "request": \#(request)}]"#
            }
            let refused = try await RuleWorld.set(RuleWorld.rules, client, more: cases("DENY"))
            #expect(refused.status == 422 && refused.text.contains("owners read: DENY expected, but allowed by 5:"), "\(refused.text)")
            #expect(try await RuleWorld.set(RuleWorld.rules, client, more: #", "testCases": [{}]"#).status == 422)
            let empty = try await RuleWorld.set(RuleWorld.rules, client, more: #", "testCases": []"#)
            #expect(empty.status == 422 && empty.text.contains("is expected here.\"") && !empty.text.contains(".."), "\(empty.text)")
            let none = try await client.live.api.get("/v1/documents:rules", key: client.keys.admin)
            #expect(try JSON(none)["items"].items.isEmpty)
            #expect(try await RuleWorld.set(RuleWorld.rules, client, more: cases("ALLOW")).status == 200)
        }
    }

    @Test func `rules read a bounded number of documents for a request`() async throws {
        try await RuleWorld.use { _, client async throws in
            let reads = { (count: Int) in
                (0..<count).map { "!exists(/databases/$(database)/documents/d/$(id + '\($0)'))" }.joined(separator: " && ")
            }
            let text = """
                service cloud.firestore {
                  match /databases/{database}/documents {
                    match /ten/{id} { allow read, write: if \(reads(10)); }
                    match /eleven/{id} { allow read, write: if \(reads(11)); }
                  }
                }
                """
            #expect(try await RuleWorld.set(text, client).status == 200)
            let key = client.keys.ingest
            #expect(try await RuleWorld.commit(#"{"set": "ten/a", "fields": {}}"#, client, key) == 200)
            #expect(try await RuleWorld.commit(#"{"set": "eleven/a", "fields": {}}"#, client, key) == 403)
            let writes = ["a", "b", "c"].map { #"{"set": "ten/\#($0)", "fields": {}}"# }
            #expect(try await RuleWorld.commit(writes[..<2].joined(separator: ","), client, key) == 200)
            #expect(try await RuleWorld.commit(writes.joined(separator: ","), client, key) == 403)
            #expect(try await client.send("get", #"{"paths": ["ten/a", "ten/b"]}"#, key: key).status == 200)
            #expect(try await client.send("get", #"{"paths": ["ten/a", "ten/b", "ten/c"]}"#, key: key).status == 403)
        }
    }
}
