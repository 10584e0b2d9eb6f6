// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Reasons of decisions, which administrators see and clients do not.
@Suite struct RuleTrialTests {
    private static func explain(_ body: String, _ client: DocumentClient) async throws -> JSON {
        let reply = try await client.live.api.post("/v1/documents:rules/explain", key: client.keys.admin, body)
        #expect(reply.status == 200, "\(body): \(reply.text)")
        return try JSON(reply)
    }

    @Test func `an explanation has the statement and the value of each expression`() async throws {
        try await RuleWorld.use { _, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            _ = try await client.json("commit", #"{"writes": [{"set": "posts/p1", "fields": {"open": true, "n": 1}}]}"#)
            let own = try await Self.explain(#"{"as": {"uid": "ana"}, "get": "users/ana"}"#, client)
            #expect(own["allowed"].bool && own["allowed_by"].text == "5:7")
            #expect(own["steps"].items.contains { $0["line"].number == 5 && $0["value"].text == #""ana""# })
            let other = try await Self.explain(#"{"as": {"uid": "bob"}, "get": "users/ana"}"#, client)
            #expect(!other["allowed"].bool && other["refused_by"].items.map(\.text) == ["5:7"])
            let nobody = try await Self.explain(#"{"as": null, "get": "none/x"}"#, client)
            #expect(!nobody["allowed"].bool && nobody["refused_by"].items.isEmpty)
            let proved = try await Self.explain(#"{"query": {"from": "posts", "where": ["open", "==", true]}}"#, client)
            #expect(proved["allowed_by"].text == "8:7")
            let unproved = try await Self.explain(#"{"query": {"from": "posts"}}"#, client)
            #expect(!unproved["allowed"].bool && unproved["errors"].items.count == 1)
            let token = #"{"as": {"uid": "u", "token": {"email": "ana@example.org"}}, "write": {"set": "posts/p2", "fields": {"by": "u"}}}"#
            #expect(try await Self.explain(token, client)["allowed_by"].text == "9:7")
            let update = #"{"as": {"uid": "u"}, "write": {"update": "posts/p1", "fields": {"n": {"$increment": 1}}}}"#
            #expect(try await !Self.explain(update, client)["allowed"].bool)
            _ = try await client.json("commit", #"{"writes": [{"set": "editors/u", "fields": {}}]}"#)
            #expect(try await Self.explain(update, client)["allowed_by"].text == "10:7")
            #expect(try await client.fields("posts/p1") == #"{"n":1,"open":true}"#)
            let none = try await Self.explain(#"{"get": "users/ana", "source": "service cloud.firestore { }"}"#, client)
            #expect(!none["allowed"].bool)
            for key in [client.keys.ingest, client.keys.read, client.key] {
                let refused = try await client.live.api.post("/v1/documents:rules/explain", key: key, #"{"get": "users/ana"}"#)
                #expect(refused.status == 403)
            }
        }
    }

    private static let otherThings: [String] = [
        "{}", #"{"get": "users"}"#, #"{"get": "users/a", "query": {"from": "users"}}"#, #"{"get": "users/a", "as": {}}"#,
        #"{"get": "users/a", "as": {"uid": "a", "token": 1}}"#, #"{"write": {"set": "users"}}"#, #"{"get": "users/a", "source": "x"}"#,
    ]

    @Test func `an explanation of something else is refused`() async throws {
        try await RuleWorld.use { _, client async throws in
            for body in Self.otherThings {
                let reply = try await client.live.api.post("/v1/documents:rules/explain", key: client.keys.admin, body)
                #expect(reply.status == 422, "\(body): \(reply.text)")
            }
        }
    }

    @Test func `an explanation of two requests at once says that it takes one`() async throws {
        try await RuleWorld.use { _, client async throws in
            let body = #"{"get": "users/a", "query": {"from": "users"}}"#
            let reply = try await client.live.api.post("/v1/documents:rules/explain", key: client.keys.admin, body)
            let detail = "query cannot be beside get: a request must have one of get, query and write."
            #expect(try reply.status == 422 && JSON(reply)["detail"].text == detail, "\(reply.text)")
        }
    }

    @Test func `test cases run with the rules of the app or of the body`() async throws {
        try await RuleWorld.use { _, client async throws in
            let cases =
                #"[{"name": "owners read", "expectation": "ALLOW", "request": {"path": "users/ana", "method": "get", "auth": {"uid": "ana"}}}]"#
            func test(_ more: String = "") async throws -> Reply {
                try await client.live.api.post("/v1/documents:rules/test", key: client.keys.admin, #"{"testCases": \#(cases)\#(more)}"#)
            }
            #expect(try await test().status == 404)
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            let passed = try JSON(try await test())
            #expect(passed["passed"].number == 1 && passed["cases"][0]["allowed_by"].text == "5:7")
            let failed = try JSON(try await test(#", "source": "service cloud.firestore { }""#))
            #expect(failed["failed"].number == 1 && failed["cases"][0]["decision"].text == "DENY")
        }
    }

    @Test func `collections that clients make up take no room from those that are used`() async throws {
        try await RuleWorld.use { _, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            let key = client.keys.ingest
            for _ in 0..<3 { #expect(try await client.send("get", #"{"paths": ["locks/l"]}"#, key: key).status == 403) }
            for number in 0..<250 { #expect(try await client.send("get", #"{"paths": ["made-up-\#(number)/x"]}"#, key: key).status == 403) }
            let long = String(repeating: "x", count: 1_400)
            #expect(try await client.send("get", #"{"paths": ["\#(long)/x"]}"#, key: key).status == 403)
            let found = try JSON(try await client.live.api.get("/v1/documents:denials", key: client.keys.read))["collections"].items
            #expect(found.count <= 200 && found[0]["collection"].text == "locks" && found[0]["denied"].number == 3)
            #expect(found.allSatisfy { $0["collection"].text.utf8.count <= 259 })
        }
    }

    @Test func `a denial because of a limit names the limit to operators, and nothing to clients`() async throws {
        try await RuleWorld.use { _, client async throws in
            func reads(_ count: Int) -> String {
                (1...count).map { "exists(/databases/(default)/documents/o/$(id + '-\($0)')) == false" }.joined(separator: " && ")
            }
            let rules = """
                rules_version = '2';
                service cloud.firestore { match /databases/{database}/documents {
                  match /one/{id} { allow write: if \(reads(11)); }
                  match /batch/{id} { allow write: if \(reads(7)); }
                } }
                """
            #expect(try await RuleWorld.set(rules, client).status == 200)
            let key = client.keys.ingest
            let one = try await client.send("commit", #"{"writes": [{"set": "one/a", "fields": {}}]}"#, key: key)
            let writes = (1...3).map { #"{"set": "batch/\#($0)", "fields": {}}"# }.joined(separator: ",")
            let batch = try await client.send("commit", #"{"writes": [\#(writes)]}"#, key: key)
            for reply in [one, batch] { #expect(reply.status == 403 && !reply.text.contains("limit"), "\(reply.text)") }
            let denials = try JSON(try await client.live.api.get("/v1/documents:denials", key: client.keys.read))["items"].items
            let found = denials.map { "\($0["collection"].text) \($0["limit"].text) \($0["count"].number)" }.sorted()
            #expect(found == ["batch reads_of_batch 1", "one reads 1"], "\(found)")
            let metrics = try await client.live.api.get("/metrics").text
            for limit in ["reads", "reads_of_batch"] {
                #expect(metrics.contains("\nsignalbox_documents_rule_limits_total{limit=\"\(limit)\"} 1\n"), "\(limit)")
            }
            let explained = try await client.live.api.post(
                "/v1/documents:rules/explain", key: client.keys.admin, #"{"write": {"set": "one/a", "fields": {}}}"#)
            #expect(explained.status == 200 && explained.text.contains("at most 10 documents"), "\(explained.text)")
        }
    }

    @Test func `decisions are counted by statement, denials by kind and without IDs`() async throws {
        try await RuleWorld.use { world, client async throws in
            let empty = try await client.live.api.get("/v1/documents:denials", key: client.keys.read)
            #expect(try JSON(empty)["statements"].items.isEmpty)
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            let user = try await world.user()
            for id in ["secret-1", "secret-2"] {
                #expect(try await RuleWorld.commit(#"{"set": "users/\#(id)", "fields": {"name": "Ann"}}"#, client, user.token) == 403)
            }
            #expect(try await RuleWorld.commit(#"{"set": "users/\#(user.id)", "fields": {}}"#, client, user.token) == 200)
            #expect(try await client.send("query", #"{"from": "posts"}"#, key: client.keys.ingest).status == 403)
            #expect(try await client.send("get", #"{"paths": ["other/x/deep/y"]}"#, key: client.keys.ingest).status == 403)
            let reply = try await client.live.api.get("/v1/documents:denials", key: client.keys.read)
            let json = try JSON(reply)
            #expect(json["revision"].number == 1)
            #expect(json["statements"].items.map { $0["line"].number } == [5, 8, 9, 10, 13, 14])
            #expect(json["statements"].items.map { $0["allowed"].number } == [1, 0, 0, 0, 0, 0])
            let kinds = json["items"].items.map { "\($0["method"].text) \($0["collection"].text) \($0["count"].number) \($0["signed_in"].bool)" }
            let collections = json["collections"].items.map { "\($0["collection"].text) \($0["allowed"].number) \($0["denied"].number)" }
            #expect(collections == ["users 1 2", "deep 0 1", "posts 0 1"], "\(collections)")
            #expect(kinds.sorted() == ["create users 2 true", "get other/*/deep 1 false", "list posts 1 false"], "\(kinds)")
            #expect(!reply.text.contains("secret") && !reply.text.contains("Ann") && !reply.text.contains(user.id))
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            let anew = try JSON(try await client.live.api.get("/v1/documents:denials", key: client.keys.read))
            #expect(anew["revision"].number == 2 && anew["items"].items.isEmpty && anew["collections"].items.isEmpty)
            #expect(try await client.live.api.get("/v1/documents:denials", key: client.keys.ingest).status == 403)
        }
    }
}
