// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Firestore's REST API for users, about whom rules decide.
@Suite struct FirestoreUserTests {
    private static let denied = #"{"error":{"code":403,"message":"Missing or insufficient permissions.","status":"PERMISSION_DENIED"}}"#

    private static func use(_ body: @Sendable (AccountWorld, FirestoreClient) async throws -> Void) async throws {
        try await RuleWorld.use { world, client in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            try await body(world, FirestoreClient(documents: client))
        }
    }

    @Test func `rules decide about documents of users and of clients without a token`() async throws {
        try await Self.use { world, client in
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            let own = "/users/\(ana.id)?key=\(client.documents.keys.ingest)"
            let made = try await client.send("PATCH", own, #"{"fields":{"n":{"integerValue":"1"}}}"#, key: ana.token)
            #expect(made.status == 200 && made.text.contains("integerValue"))
            #expect(try await client.send("GET", own, key: ana.token).status == 200)
            for (method, body) in [("GET", ""), ("PATCH", "{}"), ("DELETE", "")] {
                for key in [bob.token, client.documents.keys.ingest] {
                    let reply = try await client.send(method, own, body, key: key)
                    #expect(reply.status == 403 && reply.text == Self.denied, "\(method): \(reply.text)")
                }
            }
            // Without a bearer the API key names the app.
            let target = "/v1/\(client.root)/locks/l1"
            let key = client.documents.keys.ingest
            let places: [(String, [String: String])] = [("?key=\(key)", [:]), ("", ["X-Goog-Api-Key": key])]
            for (place, headers) in places {
                let reply = try await client.documents.live.api.request("PATCH", target + place, headers: headers, body: Array("{}".utf8))
                // It may write the document and not read it.
                #expect(reply.status == 200 && reply.text == #"{"name":"\#(client.root)/locks/l1"}"#, "\(reply.text)")
            }
        }
    }

    @Test func `queries are proved, and what is for servers is denied`() async throws {
        try await Self.use { world, client in
            let user = try await world.user()
            func post(_ path: String, open: Bool) -> String {
                #"{"update":{"name":"~/posts/\#(path)","fields":{"open":{"booleanValue":\#(open)}}}}"#
            }
            _ = try await client.commit(post("a", open: true) + "," + post("b", open: false))
            func query(_ open: Bool) -> String {
                let condition = #"{"fieldFilter":{"field":{"fieldPath":"open"},"op":"EQUAL","value":{"booleanValue":\#(open)}}}"#
                return #""structuredQuery":{"from":[{"collectionId":"posts"}],"where":\#(condition)}"#
            }
            let found = try await client.send("POST", ":runQuery", "{\(query(true))}", key: user.token)
            #expect(try found.status == 200 && JSON(found).items.count == 1)
            // An explanation counts what rules hide.
            for options in ["{}", #"{"analyze":true}"#] {
                let reply = try await client.send("POST", ":runQuery", #"{\#(query(true)),"explainOptions":\#(options)}"#, key: user.token)
                #expect(reply.status == 403 && reply.text == "[\(Self.denied)]", "\(reply.text)")
            }
            let counts = #"{"structuredAggregationQuery":{\#(query(false)),"aggregations":[{"count":{}}]}}"#
            let gets = #"{"documents":["~/posts/a","~/posts/b"]}"#
            for (verb, body) in [("runQuery", "{\(query(false))}"), ("runAggregationQuery", counts), ("batchGet", gets)] {
                let reply = try await client.send("POST", ":\(verb)", body, key: user.token)
                #expect(reply.status == 403 && reply.text == "[\(Self.denied)]", "\(verb): \(reply.text)")
            }
            let batch = try await client.send("POST", ":batchWrite", #"{"writes":[\#(post("c", open: true))]}"#, key: user.token)
            #expect(try batch.status == 200 && JSON(batch)["status"][0]["code"].number == 7)
            for (method, path) in [
                ("POST", ":listCollectionIds"), ("POST", ":partitionQuery"), ("POST", "/posts/a:listCollectionIds"),
                ("POST", "/posts/a:partitionQuery"), ("GET", "/posts?showMissing=true"), ("GET", "/posts"),
            ] {
                let reply = try await client.send(method, path, method == "GET" ? "" : "{}", key: user.token)
                #expect(try reply.status == 403 && JSON(reply)["error"]["status"].text == "PERMISSION_DENIED", "\(path): \(reply.text)")
            }
        }
    }

    @Test func `the writes of a batch have the bytes of one request together`() async throws {
        try await RuleWorld.use { _, documents async throws in
            let client = FirestoreClient(documents: documents)
            let rules = "service cloud.firestore { match /databases/{d}/documents { match /open/{id} { allow read, write; } } }"
            #expect(try await RuleWorld.set(rules, documents).status == 200)
            let text = String(repeating: "x", count: 1_000_000)
            for number in 0..<35 {
                _ = try await documents.json("commit", #"{"writes": [{"set": "open/\#(number)", "fields": {"text": "\#(text)"}}]}"#)
            }
            let writes = (0..<35).map { number in
                #"{"update":{"name":"~/open/\#(number)","fields":{"n":{"integerValue":"1"}}},"updateMask":{"fieldPaths":["n"]}}"#
            }
            let body = #"{"writes":[\#(writes.joined(separator: ","))]}"#
            let batch = try await client.send("POST", ":batchWrite", body, key: documents.keys.ingest)
            let states = try JSON(batch)["status"].items
            // Each of them reads 1 MB and makes 1 MB.
            #expect(states.count == 35 && states[33]["code"].number == 3 && states[34]["code"].number == 7, "\(batch.text)")
            let found = try await documents.json("aggregate", #"{"from": "open", "aggregates": {"n": {"sum": "n"}}}"#)
            #expect(found["values"]["n"].number == 33)
        }
    }

    @Test func `a transaction of a user is decided and is no server's`() async throws {
        try await Self.use { world, client in
            let user = try await world.user()
            let begun = try JSON(await client.send("POST", ":beginTransaction", "{}", key: user.token))["transaction"].text
            let get = #"{"documents":["~/users/\#(user.id)"],"transaction":"\#(begun)"}"#
            #expect(try await client.send("POST", ":batchGet", get, key: user.token).status == 200)
            let own = FirestoreClient.set("users/\(user.id)", 1)
            let commit = #"{"transaction":"\#(begun)","writes":[\#(own)]}"#
            #expect(try await client.send("POST", ":commit", commit).status == 400)
            #expect(try await client.send("POST", ":commit", commit, key: user.token).status == 200)
            let foreign = #"{"writes":[\#(own),\#(FirestoreClient.set("users/other", 1))]}"#
            #expect(try await client.send("POST", ":commit", foreign, key: user.token).text == Self.denied)
            let many = (0...500).map { FirestoreClient.set("users/\(user.id)", $0) }.joined(separator: ",")
            #expect(try await client.send("POST", ":commit", #"{"writes":[\#(many)]}"#, key: user.token).status == 400)
        }
    }
}
