// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Candidate rules that decide beside those of an app.
@Suite struct RuleShadowTests {
    private static let target = "/v1/documents:rules/shadow"
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)

    private static func begin(_ rules: String, _ client: DocumentClient, hours: Int? = nil, key: String? = nil) async throws -> Reply {
        let source = rules.replacing("\n", with: "\\n")
        let more = hours.map { #", "hours": \#($0)"# } ?? ""
        return try await client.live.api.post(target, key: key ?? client.keys.admin, #"{"source": "\#(source)"\#(more)}"#)
    }

    private static func shadow(_ client: DocumentClient) async throws -> Reply {
        let reply = try await client.live.api.get(target, key: client.keys.read)
        #expect(reply.status == 200, "\(reply.text)")
        return reply
    }

    private static func match(_ statements: String) -> String {
        "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents {\n\(statements)\n} }"
    }

    @Test func `a candidate changes no decision, and differences are counted by kind without IDs and values`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(RuleWorld.rules, client).status == 200)
            _ = try await client.json("commit", #"{"writes": [{"set": "posts/p1", "fields": {"open": true}}, {"set": "gates/g", "fields": {}}]}"#)
            let user = try await world.user()
            let candidate = Self.match(
                """
                match /users/{uid} { allow read; }
                match /posts/{id} { allow read: if exists(/databases/$(database)/documents/gates/g); }
                match /secrets/{id} { allow create: if request.resource.data.name == 'Ann'; }
                """)
            #expect(try await Self.begin(candidate, client).status == 200)
            func create(_ path: String) async throws -> Int {
                try await RuleWorld.commit(#"{"set": "\#(path)", "fields": {"name": "Ann"}}"#, client, user.token)
            }
            #expect(try await create("secrets/hidden-1") == 403)
            #expect(try await create("secrets/hidden-2") == 403)
            #expect(try await create("users/\(user.id)") == 200)
            #expect(try await client.send("get", #"{"paths": ["posts/p1"]}"#, key: client.keys.ingest).status == 200)
            #expect(try await client.send("query", #"{"from": "posts"}"#, key: client.keys.ingest).status == 403)
            let reply = try await Self.shadow(client)
            let json = try JSON(reply)
            #expect(json["active"].bool && json["revision"].number == 1 && json["skipped"].number == 0)
            #expect(json["compared"].number == 5 && json["newly_allowed"].number == 3 && json["newly_denied"].number == 1, "\(reply.text)")
            let kinds = json["items"].items.map { item in
                let places = [item["by"].text, item["candidate_by"].text]
                return "\(item["method"].text) \(item["collection"].text) \(item["candidate"].text) \(item["count"].number) \(places)"
            }
            #expect(
                kinds.sorted() == [
                    #"create secrets ALLOW 2 ["", "4:23"]"#, #"create users DENY 1 ["5:7", ""]"#, #"list posts ALLOW 1 ["8:7", "3:21"]"#,
                ], "\(kinds)")
            #expect(!reply.text.contains("hidden") && !reply.text.contains("Ann") && !reply.text.contains(user.id))
        }
    }

    @Test func `a candidate ends with its time, when it is stopped, and counts anew with other rules`() async throws {
        let clock = ManualClock(Self.start)
        try await DocumentClient.use(clock: clock.clock) { client in
            #expect(try await !JSON(Self.shadow(client))["active"].bool)
            #expect(try await Self.begin(Self.match("match /{path=**} { allow read; }"), client, hours: 2).status == 200)
            func read() async throws { _ = try await client.send("get", #"{"paths": ["a/b"]}"#, key: client.keys.ingest) }
            func compared() async throws -> Int { Int(try JSON(try await Self.shadow(client))["compared"].number) }
            try await read()
            let first = try JSON(try await Self.shadow(client))
            #expect(first["revision"].number == 0 && first["newly_allowed"].number == 1)
            #expect(try await RuleWorld.set(Self.match("match /{path=**} { allow read; }"), client).status == 200)
            try await read()
            let second = try JSON(try await Self.shadow(client))
            #expect(second["revision"].number == 1 && second["compared"].number == 1 && second["items"].items.isEmpty)
            clock.advance(by: .hours(2))
            try await read()
            let ended = try JSON(try await Self.shadow(client))
            #expect(!ended["active"].bool && ended["compared"].number == 1)
            #expect(try await client.live.api.request("DELETE", Self.target, key: client.keys.admin).status == 204)
            #expect(try await compared() == 0)
        }
    }

    @Test func `decisions beyond the budget of a second are skipped`() async throws {
        try await DocumentClient.use(clock: ManualClock(Self.start).clock) { client in
            #expect(try await RuleWorld.set(Self.match("match /{path=**} { allow write; }"), client).status == 200)
            let costly = Array(repeating: "request.time == request.time", count: 190).joined(separator: " && ")
            #expect(try await Self.begin(Self.match("match /{path=**} { allow write: if \(costly); }"), client).status == 200)
            let writes = (0..<400).map { #"{"set": "a/d\#($0)", "fields": {}}"# }.joined(separator: ",")
            #expect(try await client.send("commit", #"{"writes": [\#(writes)]}"#, key: client.keys.ingest).status == 200)
            let json = try JSON(try await Self.shadow(client))
            let (compared, skipped) = (json["compared"].number, json["skipped"].number)
            #expect(compared + skipped == 400 && compared > 100 && skipped > 100, "\(compared) \(skipped)")
            // A request has a budget of 20,000 expressions, which the candidate used up as the app's rules would have.
            #expect(json["newly_denied"].number == compared - 21, "\(json["newly_denied"].number)")
        }
    }

    @Test func `sixteen apps have candidates, and ended ones make room`() async throws {
        let clock = ManualClock(Self.start)
        try await DocumentClient.use(clock: clock.clock) { client in
            let rules = Self.match("match /{path=**} { allow read; }")
            for number in 0..<15 {
                let other = try await DocumentClient.make(client.live, "app\(number)")
                #expect(try await Self.begin(rules, other, hours: number == 7 ? 1 : 24).status == 200)
            }
            #expect(try await Self.begin(rules, client).status == 200)
            #expect(try await Self.begin(rules, client).status == 200)
            let last = try await DocumentClient.make(client.live, "last")
            let refused = try await Self.begin(rules, last)
            #expect(refused.status == 429 && refused.text.contains("limit_reached"))
            clock.advance(by: .hours(1))
            #expect(try await Self.begin(rules, last).status == 200)
        }
    }

    @Test(arguments: [
        "{}", #"{"source": 1}"#, #"{"source": "x"}"#, #"{"source": "service cloud.firestore { }", "hours": 0}"#,
        #"{"source": "service cloud.firestore { }", "hours": 169}"#, #"{"source": "service cloud.firestore { }", "days": 1}"#,
    ])
    func `an unreadable candidate is refused`(body: String) async throws {
        try await DocumentClient.use { client async throws in
            #expect(try await client.live.api.post(Self.target, key: client.keys.admin, body).status == 422)
            #expect(try await !JSON(Self.shadow(client))["active"].bool)
            for key in [client.keys.ingest, client.keys.read, client.key] {
                #expect(try await client.live.api.post(Self.target, key: key, #"{"source": "service cloud.firestore { }"}"#).status == 403)
            }
        }
    }
}
