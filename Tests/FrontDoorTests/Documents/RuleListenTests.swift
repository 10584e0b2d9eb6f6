// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// Streams of users, to whom rules apply as long as they are open.
@Suite struct RuleListenTests {
    private static let rules = """
        service cloud.firestore {
          match /databases/{database}/documents {
            match /rooms/{id} { allow read: if exists(/databases/$(database)/documents/members/$(request.auth.uid)); }
            match /posts/{id} { allow read: if resource.data.open == true; }
            match /open/{id} { allow read; allow write: if request.auth != null; }
          }
        }
        """

    private static func use(
        keepAlive: Duration = .seconds(3_600), _ body: @Sendable (AccountWorld, DocumentClient, AccountWorld.Session) async throws -> Void
    ) async throws {
        try await RuleWorld.use(configure: { $0.stream.keepAlive = keepAlive }) { world, client async throws in
            #expect(try await RuleWorld.set(rules, client).status == 200)
            try await body(world, client, try await world.user())
        }
    }

    private static func write(_ writes: String, _ client: DocumentClient) async throws -> Int {
        try await client.json("commit", #"{"writes": [\#(writes)]}"#)["stamp"].number
    }

    private static func listen(
        _ targets: String, _ client: DocumentClient, _ key: String, resume: String? = nil, results: [Int: [String: Int]] = [:]
    ) async throws -> DocumentFollower {
        let more = resume.map { #", "resume": "\#($0)""# } ?? ""
        return try await DocumentFollower(client, #"{"targets": [\#(targets)]\#(more)}"#, key: key, results: results)
    }

    @Test func `a target is denied after a multiple of 50 ms, so its time tells nothing of documents that rules read`() async throws {
        try await Self.use { _, client, ana in
            for number in 1...3 {
                let start = ContinuousClock.now
                let follower = try await Self.listen(#"{"target": 1, "document": "posts/p\#(number)"}"#, client, ana.token)
                try await follower.follow { !$0.denied.isEmpty }
                #expect(ContinuousClock.now - start >= .milliseconds(50))
                await follower.close()
            }
        }
    }

    @Test func `a user follows what rules allow, and other targets are removed alone`() async throws {
        try await Self.use { _, client, ana in
            _ = try await Self.write(#"{"set": "open/o1", "fields": {}}, {"set": "posts/p1", "fields": {"open": false}}"#, client)
            let targets = """
                {"target": 1, "query": {"from": "open"}}, {"target": 2, "query": {"from": "rooms"}}, {"target": 3, "query": {"from": "posts"}},
                {"target": 4, "document": "posts/p1"}, {"target": 5, "document": "posts/none"},
                {"target": 6, "query": {"from": "posts", "where": ["open", "==", true]}}, {"target": 7, "document": "open/o1"}
                """
            for key in [ana.token, client.keys.ingest] {
                let follower = try await Self.listen(targets, client, key)
                try await follower.follow(untilCurrent: [1, 6, 7])
                #expect(await follower.denied == [2: "permission_denied", 3: "permission_denied", 4: "permission_denied", 5: "permission_denied"])
                #expect(await follower.results.mapValues(\.keys.count) == [1: 1, 6: 0, 7: 1])
                let stamp = try await Self.write(#"{"set": "open/o2", "fields": {}}"#, client)
                try await follower.follow { $0.results[1]?.count == 2 || $0.stamp > stamp }
                _ = try await Self.write(#"{"delete": "open/o2"}"#, client)
                await follower.close()
            }
        }
    }

    @Test func `nothing is sent of commits after the one that takes a right`() async throws {
        try await Self.use { _, client, ana in
            _ = try await Self.write(#"{"set": "members/\#(ana.id)", "fields": {}}"#, client)
            let targets =
                #"{"target": 1, "query": {"from": "rooms"}}, {"target": 2, "document": "rooms/r1"}, {"target": 3, "query": {"from": "open"}}"#
            let follower = try await Self.listen(targets, client, ana.token)
            try await follower.follow(untilCurrent: [1, 2, 3])
            let isOver = Mutex(false)
            async let writing: Void = {
                var n = 0
                while !isOver.withLock({ $0 }), !Task.isCancelled {
                    n += 1
                    _ = try await Self.write(#"{"set": "rooms/r\#(n % 3)", "fields": {"n": \#(n)}}"#, client)
                }
            }()
            try await follower.follow { $0.received > 10 }
            let lost = try await Self.write(#"{"delete": "members/\#(ana.id)"}"#, client)
            // Changes of the other target bound the wait, so that a stream that goes on fails and does not hang.
            for n in 0..<20 where await follower.denied.count < 2 {
                let mark = try await Self.write(#"{"set": "open/o\#(n)", "fields": {}}"#, client)
                try await follower.follow { $0.denied.count == 2 || $0.stamp >= mark }
            }
            isOver.withLock { $0 = true }
            try await writing
            #expect(await follower.denied == [1: "permission_denied", 2: "permission_denied"])
            for target in [1, 2] { #expect(await follower.stamps[target, default: 0] < lost) }
            // The other target goes on.
            _ = try await Self.write(#"{"set": "open/last", "fields": {}}"#, client)
            try await follower.follow { $0.results[3]?["open/last"] != nil }
            await follower.close()
        }
    }

    @Test func `new rules decide about open streams`() async throws {
        try await Self.use { _, client, ana in
            let follower = try await Self.listen(#"{"target": 1, "query": {"from": "open"}}"#, client, ana.token)
            try await follower.follow(untilCurrent: [1])
            #expect(try await RuleWorld.set(Self.rules.replacing("allow read; allow", with: "allow get; allow"), client).status == 200)
            try await follower.follow { !$0.denied.isEmpty }
            #expect(try await client.send("listen/\(follower.id)", #"{"add": [{"target": 1, "document": "open/o1"}]}"#, key: ana.token).status == 204)
            try await follower.follow(untilCurrent: [1])
            await follower.close()
        }
    }

    @Test func `a single document is decided on at each version`() async throws {
        try await Self.use { _, client, ana in
            _ = try await Self.write(#"{"set": "posts/p1", "fields": {"open": true}}"#, client)
            let follower = try await Self.listen(#"{"target": 1, "document": "posts/p1"}"#, client, ana.token)
            try await follower.follow(untilCurrent: [1])
            let (first, token) = (await follower.results[1], try #require(await follower.token))
            #expect(first?.count == 1)
            let closed = try await Self.write(#"{"set": "posts/p1", "fields": {"open": false}}"#, client)
            try await follower.follow { !$0.denied.isEmpty }
            #expect(await follower.stamp < closed)
            await follower.close()
            // Nor does a client learn it that resumes.
            let next = try await Self.listen(#"{"target": 1, "document": "posts/p1"}"#, client, ana.token, resume: token, results: [1: first ?? [:]])
            try await next.follow { !$0.denied.isEmpty }
            #expect(await next.received == 0)
            await next.close()
        }
    }

    @Test func `a stream ends with its session`() async throws {
        try await Self.use { world, client, ana in
            let follower = try await Self.listen(#"{"target": 1, "query": {"from": "open"}}"#, client, ana.token)
            try await follower.follow(untilCurrent: [1])
            let reply = try await world.live.api.request("POST", "/v1/auth/accounts/\(ana.id)/sign-out", key: world.keys.admin)
            #expect(reply.status == 204)
            #expect(try await follower.message() == nil)
        }
    }

    @Test func `a stream goes on with a newer token of its user, and ends with the last one`() async throws {
        try await Self.use(keepAlive: .milliseconds(20)) { world, client, ana in
            let bob = try await world.user("bob@example.org")
            let follower = try await Self.listen(#"{"target": 1, "query": {"from": "open"}}"#, client, ana.token)
            try await follower.follow(untilCurrent: [1])
            world.clock.advance(by: .seconds(59 * 60 + 30))
            try await follower.follow { $0.renewals == 1 }
            let newer = try await AccountWorld.Session(world.refresh(ana.refresh))
            let id = await follower.id
            #expect(try await client.send("listen/\(id)", "{}", key: bob.token).status == 404)
            #expect(try await client.send("listen/\(id)", "{}", key: client.keys.ingest).status == 404)
            #expect(try await client.send("listen/\(id)", "{}", key: newer.token).status == 204)
            world.clock.advance(by: .minutes(2))
            _ = try await Self.write(#"{"set": "open/o1", "fields": {}}"#, client)
            try await follower.follow { $0.results[1]?.count == 1 }
            world.clock.advance(by: .minutes(60))
            #expect(try await follower.follow { _ in false } == false)
        }
    }

    @Test func `a token of one user is none of another`() async throws {
        try await Self.use { world, client, ana in
            _ = try await Self.write(#"{"set": "open/o1", "fields": {}}"#, client)
            let (target, bob) = (#"{"target": 1, "query": {"from": "open"}}"#, try await world.user("bob@example.org"))
            let follower = try await Self.listen(target, client, ana.token)
            try await follower.follow(untilCurrent: [1])
            let (token, results) = (try #require(await follower.token), await follower.results)
            await follower.close()
            let callers: [(String, Set<Int>)] = [(ana.token, []), (bob.token, [1]), (client.keys.ingest, [1]), (client.key, [1])]
            for (key, resets) in callers {
                let next = try await Self.listen(target, client, key, resume: token, results: results)
                try await next.follow(untilCurrent: [1])
                #expect(await next.resets == resets)
                #expect(await next.results == results)
                await next.close()
            }
        }
    }

    @Test func `a user has a bounded number of streams`() async throws {
        try await Self.use(keepAlive: .milliseconds(20)) { world, client, ana in
            var open: [DocumentFollower] = []
            for _ in 1...10 { open.append(try await Self.listen(#"{"target": 1, "query": {"from": "open"}}"#, client, ana.token)) }
            let refused = try await client.send("listen", #"{"targets": []}"#, key: ana.token)
            #expect(try refused.status == 429 && JSON(refused)["code"].text == "limit_reached")
            let bob = try await world.user("bob@example.org")
            open.append(try await Self.listen(#"{"target": 1, "query": {"from": "open"}}"#, client, bob.token))
            await open[0].close()
            #expect(
                try await eventually {
                    let stream = try await EventStream(client.live.api, "/v1/documents:listen", key: ana.token, body: #"{"targets": []}"#)
                    await stream.close()
                    return stream.head.status == 200
                })
            for follower in open { await follower.close() }
        }
    }
}
