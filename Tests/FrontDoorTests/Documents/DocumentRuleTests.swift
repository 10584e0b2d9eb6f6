// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct DocumentRuleTests {
    @Test func `without rules users and ingest keys are denied everything`() async throws {
        try await RuleWorld.use { world, client async throws in
            _ = try await client.json("commit", #"{"writes": [{"set": "users/u1", "fields": {}}]}"#)
            let user = try await world.user()
            for key in [user.token, client.keys.ingest] {
                for (verb, body) in [
                    ("get", #"{"paths": ["users/u1"]}"#), ("get", #"{"paths": ["users/none"]}"#), ("query", #"{"from": "users"}"#),
                    ("aggregate", #"{"from": "users", "aggregates": {"n": {"count": true}}}"#),
                    ("commit", #"{"writes": [{"delete": "users/u1"}]}"#),
                    ("commit", #"{"writes": [{"verify": "users/u1", "if": {"exists": true}}]}"#),
                    ("commit", #"{"writes": [], "reads": [{"path": "users/u1", "version": 0}]}"#),
                    ("commit", #"{"writes": [], "queries": [{"query": {"from": "users"}, "stamp": 0}]}"#),
                ] {
                    let reply = try await client.send(verb, body, key: key)
                    #expect(try reply.status == 403 && JSON(reply)["code"].text == "permission_denied", "\(verb) \(body): \(reply.text)")
                }
                #expect(try await client.live.api.get("/v1/documents/users/u1", key: key).status == 403)
                #expect(try await client.live.api.get("/v1/documents/users", key: key).status == 403)
                #expect(try await client.send("collections", "{}", key: key).status == 403)
                #expect(try await RuleWorld.set(RuleWorld.rules, client, key: key).status == 403)
            }
        }
    }

    @Test func `rules decide by the user, its claims and other documents`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            #expect(try await RuleWorld.commit(#"{"set": "users/\#(ana.id)", "fields": {"n": 1}}"#, client, ana.token) == 200)
            #expect(try await RuleWorld.commit(#"{"set": "users/\#(ana.id)", "fields": {}}"#, client, bob.token) == 403)
            #expect(try await client.live.api.get("/v1/documents/users/\(ana.id)", key: ana.token).status == 200)
            #expect(try await client.live.api.get("/v1/documents/users/\(ana.id)", key: bob.token).status == 403)
            let post = #"{"set": "posts/p1", "fields": {"open": true, "n": 1, "by": "\#(ana.id)"}}"#
            #expect(try await RuleWorld.commit(post, client, bob.token) == 403)
            #expect(try await RuleWorld.commit(post, client, ana.token) == 200)
            let update = #"{"update": "posts/p1", "fields": {"n": {"$increment": 1}}}"#
            #expect(try await RuleWorld.commit(update, client, ana.token) == 403)
            _ = try await client.json("commit", #"{"writes": [{"set": "editors/\#(ana.id)", "fields": {}}]}"#)
            #expect(try await RuleWorld.commit(update, client, ana.token) == 200)
            #expect(try await RuleWorld.commit(#"{"update": "posts/p1", "fields": {"n": 9}}"#, client, ana.token) == 403)
            let both = #"{"set": "counters/c", "fields": {}}, {"set": "locks/c", "fields": {"open": true}}"#
            #expect(try await RuleWorld.commit(#"{"set": "counters/c", "fields": {}}"#, client, client.keys.ingest) == 403)
            #expect(try await RuleWorld.commit(both, client, client.keys.ingest) == 200)
        }
    }

    @Test func `many writes of a large document are refused, and tell nothing to one who may not read it`() async throws {
        try await RuleWorld.use { world, client async throws in
            let rules = """
                service cloud.firestore { match /databases/{d}/documents {
                  match /open/{id} { allow read, write; }
                  match /hidden/{id} { allow write: if request.resource.data.n < 1000; }
                } }
                """
            #expect(try await RuleWorld.set(rules, client).status == 200)
            let text = String(repeating: "x", count: 1_000_000)
            for collection in ["open", "hidden"] {
                _ = try await client.json("commit", #"{"writes": [{"set": "\#(collection)/a", "fields": {"n": 0, "text": "\#(text)"}}]}"#)
            }
            let updates = { (path: String, count: Int) in
                Array(repeating: #"{"update": "\#(path)", "fields": {"n": {"$increment": 1}}}"#, count: count).joined(separator: ",")
            }
            let key = client.keys.ingest
            #expect(try await RuleWorld.commit(updates("open/a", 10), client, key) == 200)
            #expect(try await RuleWorld.commit(updates("open/a", 80), client, key) == 413)
            #expect(try await RuleWorld.commit(updates("hidden/a", 10), client, key) == 200)
            #expect(try await RuleWorld.commit(updates("hidden/a", 80), client, key) == 403)
            let found = try await client.json("aggregate", #"{"from": "open", "aggregates": {"n": {"sum": "n"}}}"#)
            #expect(found["values"]["n"].number == 10)
        }
    }

    @Test func `the bytes of documents that a client reads and writes are limited, not those of a server`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await DocumentClient.use(clock: clock.clock) { client async throws in
            let rules = "service cloud.firestore { match /databases/{d}/documents { match /open/{id} { allow read, write; } } }"
            #expect(try await RuleWorld.set(rules, client).status == 200)
            let text = String(repeating: "x", count: 1_000_000)
            _ = try await client.json("commit", #"{"writes": [{"set": "open/a", "fields": {"n": 0, "text": "\#(text)"}}]}"#)
            let updates = { (path: String, count: Int) in
                Array(repeating: #"{"update": "\#(path)", "fields": {"n": {"$increment": 1}}}"#, count: count).joined(separator: ",")
            }
            let key = client.keys.ingest
            // Of 128 MiB, each reads the document of 1 MB once and makes it 60 times.
            for _ in 0..<2 { #expect(try await RuleWorld.commit(updates("open/a", 60), client, key) == 200) }
            let refused = try await client.send("commit", #"{"writes": [\#(updates("open/a", 15))]}"#, key: key)
            #expect(try refused.status == 429 && JSON(refused)["code"].text == "rate_limited" && refused.headers["retry-after"] == "1")
            #expect(try await RuleWorld.commit(#"{"set": "open/b", "fields": {}}"#, client, key) == 200)
            #expect(try await RuleWorld.commit(updates("open/a", 15), client, client.key) == 200)
            clock.advance(by: .seconds(1))
            #expect(try await RuleWorld.commit(updates("open/a", 15), client, key) == 200)
            let found = try await client.json("aggregate", #"{"from": "open", "aggregates": {"n": {"sum": "n"}}}"#)
            #expect(found["values"]["n"].number == 150)
        }
    }

    @Test func `a query is proved by its conditions and never filtered`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            let writes = (0..<4).map { #"{"set": "posts/p\#($0)", "fields": {"open": \#($0 % 2 == 0)}}"# }.joined(separator: ",")
            _ = try await client.json("commit", #"{"writes": [\#(writes)]}"#)
            let user = try await world.user()
            let open = try await client.send("query", #"{"from": "posts", "where": ["open", "==", true]}"#, key: user.token)
            #expect(try open.status == 200 && JSON(open)["documents"].items.count == 2)
            for query in [#"{"from": "posts"}"#, #"{"from": "posts", "limit": 1}"#, #"{"from": "posts", "where": ["open", "==", false]}"#] {
                #expect(try await client.send("query", query, key: user.token).status == 403, "\(query)")
            }
            #expect(try await client.live.api.get("/v1/documents/posts", key: user.token).status == 403)
        }
    }

    @Test func `a page of a collection is decided with the limit that the client asks for`() async throws {
        try await RuleWorld.use { world, client async throws in
            let rules =
                "service cloud.firestore { match /databases/{database}/documents { match /posts/{id} { allow list: if request.query.limit <= 2; } } }"
            #expect(try await RuleWorld.set(rules, client).status == 200)
            let writes = (0..<3).map { #"{"set": "posts/p\#($0)", "fields": {}}"# }.joined(separator: ",")
            _ = try await client.json("commit", #"{"writes": [\#(writes)]}"#)
            let user = try await world.user()
            let page = try await client.live.api.get("/v1/documents/posts?limit=2", key: user.token)
            #expect(try page.status == 200 && JSON(page)["items"].items.count == 2 && JSON(page)["next"].text == "p1", "\(page.text)")
            let last = try await client.live.api.get("/v1/documents/posts?limit=2&after=p1", key: user.token)
            #expect(try last.status == 200 && JSON(last)["items"].items.count == 1 && !JSON(last)["next"].exists, "\(last.text)")
            #expect(try await client.live.api.get("/v1/documents/posts?limit=3", key: user.token).status == 403)
        }
    }

    @Test func `a denial does not tell what is there`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            _ = try await client.json("commit", #"{"writes": [{"set": "users/there", "fields": {}}, {"set": "closed/there", "fields": {}}]}"#)
            let user = try await world.user()
            for collection in ["users", "closed"] {
                for write in [
                    #"{"set": "\#(collection)/ID", "fields": {}, "if": {"exists": false}}"#, #"{"update": "\#(collection)/ID", "fields": {}}"#,
                    #"{"delete": "\#(collection)/ID", "if": {"exists": true}}"#, #"{"set": "\#(collection)/ID", "fields": {}, "if": {"version": 7}}"#,
                ] {
                    var replies: [String] = []
                    for id in ["there", "none"] {
                        let body = #"{"writes": [\#(write.replacing("ID", with: id))]}"#
                        let reply = try await client.send("commit", body, key: user.token)
                        #expect(reply.status == 403, "\(body)")
                        replies.append(reply.text)
                    }
                    #expect(replies[0] == replies[1])
                }
            }
        }
    }

    @Test func `a batch of one user is none of another`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            func batch(_ user: AccountWorld.Session) async throws -> Reply {
                let body = #"{"writes": [{"set": "users/\#(user.id)", "fields": {"n": 1}}], "client": "phone", "batch": 1}"#
                return try await client.send("commit", body, key: user.token)
            }
            let (first, second) = (try await batch(ana), try await batch(bob))
            #expect(first.status == 200 && second.status == 200 && first.text != second.text)
            #expect(try await batch(ana).text == first.text)
            #expect(try await client.fields("users/\(bob.id)") == #"{"n":1}"#)
        }
    }

    @Test func `a lost right is lost for earlier states, too`() async throws {
        try await RuleWorld.use { _, client async throws in
            let text = """
                service cloud.firestore {
                  match /databases/{database}/documents {
                    match /rooms/{id} { allow read: if exists(/databases/$(database)/documents/open/door); }
                  }
                }
                """
            #expect(try await RuleWorld.set(text, client).status == 200)
            let both = #"{"set": "rooms/r1", "fields": {}}, {"set": "open/door", "fields": {}}"#
            let stamp = try await client.json("commit", #"{"writes": [\#(both)]}"#)["stamp"].number
            let requests = [
                ("get", #"{"paths": ["rooms/r1"], "at": \#(stamp)}"#), ("query", #"{"from": "rooms", "at": \#(stamp)}"#),
                ("aggregate", #"{"from": "rooms", "at": \#(stamp), "aggregates": {"n": {"count": true}}}"#),
            ]
            for (verb, body) in requests { #expect(try await client.send(verb, body, key: client.keys.ingest).status == 200, "\(verb)") }
            _ = try await client.json("commit", #"{"writes": [{"delete": "open/door"}]}"#)
            for (verb, body) in requests { #expect(try await client.send(verb, body, key: client.keys.ingest).status == 403, "\(verb)") }
        }
    }
}
