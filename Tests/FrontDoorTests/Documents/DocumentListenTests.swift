// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Streams of documents and results, over HTTP.
@Suite struct DocumentListenTests {
    /// Targets of many kinds over the documents that `write` makes.
    private static let queries = [
        #"{"from": "users"}"#, #"{"from": "users", "where": ["n", "==", 1]}"#, #"{"from": "users", "where": ["n", "in", [1, 2]]}"#,
        #"{"from": "users", "order": ["n"], "limit": 3}"#, #"{"from": "users", "order": [["n", "desc"]], "limit": 2, "offset": 1}"#,
        #"{"from": "users", "group": true, "where": ["tags", "contains", "a"]}"#,
        #"{"from": "users", "where": {"or": [["n", "<", 1], ["n", ">", 3]]}}"#, #"{"from": "users", "under": "rooms/r1"}"#,
    ]

    private static func target(_ number: Int) -> String { #"{"target": \#(number + 1), "query": \#(queries[number])}"# }

    private static func targets(_ numbers: [Int]) -> String { numbers.map(target).joined(separator: ",") }

    /// Makes a commit of some random writes. Returns its stamp.
    @discardableResult
    private static func write(_ client: DocumentClient, _ random: inout SeededGenerator, and more: [String] = []) async throws -> Int {
        var writes = more
        for _ in 0...Int(random.next() % 3) {
            let id = random.next() % 6
            let path = random.next() % 3 == 0 ? "rooms/r1/users/u\(id)" : "users/u\(id)"
            if random.next() % 4 == 0 {
                writes.append(#"{"delete": "\#(path)"}"#)
            } else {
                let tags = random.next() % 2 == 0 ? #"["a"]"# : "[]"
                writes.append(#"{"set": "\#(path)", "fields": {"n": \#(random.next() % 5), "tags": \#(tags), "x": \#(random.next() % 1_000)}}"#)
            }
        }
        return try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)["stamp"].number
    }

    private static func result(_ number: Int, at stamp: Int, _ client: DocumentClient) async throws -> [String: Int] {
        let query = queries[number].dropLast() + #", "at": \#(stamp)}"#
        let documents = try await client.json("query", String(query))["documents"].items
        return Dictionary(uniqueKeysWithValues: documents.map { ($0["path"].text, $0["version"].number) })
    }

    @Test func `after every change all results are those of queries at its stamp`() async throws {
        try await DocumentClient.use { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...3 as ClosedRange<UInt64> {
                    group.addTask {
                        var random = SeededGenerator(seed)
                        let numbers = (0..<Self.queries.count).filter { _ in random.next() % 3 != 0 }
                        let follower = try await DocumentFollower(client, #"{"targets": [\#(Self.targets(numbers))]}"#)
                        try await follower.follow(untilCurrent: Set(numbers.map { $0 + 1 }))
                        var checked = 0
                        while checked < 12 {
                            let last = await follower.stamp
                            try await follower.follow { $0.stamp > last }
                            let (stamp, results) = await (follower.stamp, follower.results)
                            for number in numbers {
                                let expected = try await Self.result(number, at: stamp, client)
                                #expect(results[number + 1] == expected, "\(Self.queries[number]) at \(stamp)")
                            }
                            checked += 1
                        }
                        await follower.close()
                    }
                }
                group.addTask {
                    var random = SeededGenerator(9)
                    while !Task.isCancelled { try await Self.write(client, &random) }
                }
                for _ in 1...3 { try await group.next() }
                group.cancelAll()
                while let ended = await group.nextResult() {
                    if case .failure(let error) = ended, !(error is CancellationError) { throw error }
                }
            }
        }
    }

    @Test func `a client that resumes gets the net change, also after a restart`() async throws {
        let folder = TemporaryFolder()
        let numbers = [0, 1, 5, 6]
        let saved = try await withDaemon(in: folder) { live in
            let client = try await DocumentClient.make(live)
            var random = SeededGenerator(3)
            for _ in 1...10 { try await Self.write(client, &random) }
            let follower = try await DocumentFollower(client, #"{"targets": [\#(Self.targets(numbers))]}"#)
            try await follower.follow(untilCurrent: Set(numbers.map { $0 + 1 }))
            await follower.close()
            for _ in 1...30 { try await Self.write(client, &random) }
            return (client.keys, client.key, try #require(await follower.token), await follower.results)
        }
        try await withDaemon(in: folder) { live in
            let client = DocumentClient(live: live, keys: saved.0, key: saved.1)
            let body = #"{"targets": [\#(Self.targets(numbers))], "resume": "\#(saved.2)"}"#
            let follower = try await DocumentFollower(client, body, results: saved.3)
            try await follower.follow(untilCurrent: Set(numbers.map { $0 + 1 }))
            let (results, received, resets) = await (follower.results, follower.received, follower.resets)
            let all = try await client.json("query", #"{"from": "users", "group": true}"#)
            for number in numbers { #expect(try await results[number + 1] == Self.result(number, at: all["stamp"].number, client)) }
            #expect(resets.isEmpty && received <= 12 * 4, "\(received)")
            await follower.close()
            // The same place once more: nothing is sent again.
            let again = #"{"targets": [\#(Self.targets(numbers))], "resume": "\#(try #require(await follower.token))"}"#
            let second = try await DocumentFollower(client, again, results: results)
            try await second.follow(untilCurrent: Set(numbers.map { $0 + 1 }))
            #expect(await second.received == 0)
            await second.close()
        }
    }

    @Test func `a client that resumes at any stamp has the results of queries`() async throws {
        try await DocumentClient.use { client in
            var random = SeededGenerator(11)
            for _ in 1...10 { try await Self.write(client, &random) }
            let numbers = [0, 1, 2, 5, 6, 7]
            let all = Set(numbers.map { $0 + 1 } + [20])
            let targets = #"\#(Self.targets(numbers)), {"target": 20, "document": "users/u1"}"#
            let follower = try await DocumentFollower(client, #"{"targets": [\#(targets)]}"#)
            try await follower.follow(untilCurrent: all)
            var places: [(token: String, results: [Int: [String: Int]])] = []
            for turn in 0...60 {
                if turn > 0 {
                    // Changes the first target, so that there is a token of each stamp.
                    let mark = #"{"set": "users/mark", "fields": {"n": \#(turn % 5), "x": \#(turn)}}"#
                    let stamp = try await Self.write(client, &random, and: [mark])
                    try await follower.follow { $0.stamp >= stamp }
                }
                let token = try #require(await follower.token)
                places.append((token, await follower.results))
            }
            await follower.close()
            let read = try await client.json("get", #"{"paths": ["users/u1"]}"#)
            let document = read["documents"][0]
            var expected: [Int: [String: Int]] = [20: document["version"].exists ? ["users/u1": document["version"].number] : [:]]
            for number in numbers { expected[number + 1] = try await Self.result(number, at: read["stamp"].number, client) }
            #expect(Set(places.map { $0.token }).count == 61 && places[60].results == expected)
            for (place, known) in places.enumerated() {
                let body = #"{"targets": [\#(targets)], "resume": "\#(known.token)"}"#
                let next = try await DocumentFollower(client, body, results: known.results)
                try await next.follow(untilCurrent: all)
                let (results, resets, received) = await (next.results, next.resets, next.received)
                #expect(results == expected && resets.isEmpty, "place \(place)")
                #expect((received == 0) == (known.results == expected), "place \(place): \(received)")
                await next.close()
            }
        }
    }

    @Test func `a token that is no token of this app begins anew`() async throws {
        try await DocumentClient.use { client in
            var random = SeededGenerator(5)
            for _ in 1...10 { try await Self.write(client, &random) }
            let follower = try await DocumentFollower(client, #"{"targets": [\#(Self.target(0))]}"#)
            try await follower.follow(untilCurrent: [1])
            let (token, results) = (try #require(await follower.token), await follower.results)
            let other = try await DocumentClient.make(client.live, "other")
            var flipped = Array(token)
            flipped[3] = flipped[3] == "A" ? "B" : "A"
            for (text, user) in [(String(flipped), client), ("x", client), ("", client), (token, other)] {
                let next = try await DocumentFollower(user, #"{"targets": [\#(Self.target(0))], "resume": "\#(text)"}"#, results: results)
                try await next.follow(untilCurrent: [1])
                #expect(await next.resets == [1])
                #expect(await next.results[1] == (user.key == client.key ? results[1] : [:]))
                await next.close()
            }
            // A target that the token does not have begins anew, and its client forgets what it has.
            let two = #"{"targets": [\#(Self.targets([0, 1]))], "resume": "\#(token)"}"#
            let both = try await DocumentFollower(client, two, results: [1: results[1] ?? [:], 2: ["users/x": 1]])
            try await both.follow(untilCurrent: [1, 2])
            #expect(await both.resets == [2])
            await both.close()
            await follower.close()
        }
    }

    @Test func `a client with a limited result gets only newer documents`() async throws {
        try await DocumentClient.use { client in
            for number in 1...4 { _ = try await client.json("commit", #"{"writes": [{"set": "users/u\#(number)", "fields": {"n": \#(number)}}]}"#) }
            let follower = try await DocumentFollower(client, #"{"targets": [\#(Self.target(3))]}"#)
            try await follower.follow(untilCurrent: [4])
            await follower.close()
            let known = try #require(await follower.results[4])
            #expect(known.keys.sorted() == ["users/u1", "users/u2", "users/u3"])
            _ = try await client.json("commit", #"{"writes": [{"delete": "users/u1"}, {"set": "users/u2", "fields": {"n": 2, "x": 1}}]}"#)
            let list = known.map { "\"\($0)\": \($1)" }.joined(separator: ",")
            let body = #"{"targets": [{"target": 4, "query": \#(Self.queries[3]), "known": {\#(list)}}]}"#
            let next = try await DocumentFollower(client, body, results: [4: known])
            try await next.follow(untilCurrent: [4])
            #expect(await next.results[4]?.keys.sorted() == ["users/u2", "users/u3", "users/u4"])
            #expect(await next.received == 3)
            await next.close()
        }
    }

    @Test func `targets are added to and removed from an open stream by its key`() async throws {
        try await DocumentClient.use { client in
            _ = try await client.json("commit", #"{"writes": [{"set": "users/u1", "fields": {"n": 1}}]}"#)
            let follower = try await DocumentFollower(client, #"{"targets": []}"#)
            let id = await follower.id
            let add = #"{"add": [{"target": 7, "document": "users/u1"}, \#(Self.target(1))]}"#
            #expect(try await client.send("listen/\(id)", add).status == 204)
            try await follower.follow(untilCurrent: [7, 2])
            #expect(await follower.results.mapValues { Array($0.keys) } == [7: ["users/u1"], 2: ["users/u1"]])
            let other = try await DocumentClient.make(client.live, "other")
            for (name, key) in [(id, client.keys.admin), (id, other.key), ("str_none", client.key)] {
                #expect(try await client.send("listen/\(name)", #"{"remove": [7]}"#, key: key).status == 404)
            }
            #expect(try await client.send("listen/\(id)", add).status == 422)
            // A target is not replaced in one request, as others are removed last.
            let replacement = try await client.send("listen/\(id)", #"{"add": [{"target": 7, "document": "users/u2"}], "remove": [7]}"#)
            #expect(try replacement.status == 422 && JSON(replacement)["errors"][0]["code"].text == "exists", "\(replacement.text)")
            let version = try await client.json("commit", #"{"writes": [{"set": "users/u1", "fields": {"n": 1, "m": 1}}]}"#)["stamp"].number
            try await follower.follow { $0.results[7] == ["users/u1": version] && $0.results[2] == ["users/u1": version] }
            #expect(try await client.send("listen/\(id)", #"{"remove": [7]}"#).status == 204)
            try await follower.follow { !$0.current.contains(7) }
            _ = try await client.json("commit", #"{"writes": [{"delete": "users/u1"}]}"#)
            try await follower.follow { $0.results[2] == [:] }
            #expect(await follower.results[7] == nil)
            await follower.close()
        }
    }

    @Test func `targets of one number that are added and removed at once leave one or none`() async throws {
        try await DocumentClient.use { client in
            let follower = try await DocumentFollower(client, #"{"targets": []}"#)
            let id = await follower.id
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 1...4 {
                    group.addTask {
                        for _ in 1...50 {
                            let body = task % 2 == 0 ? #"{"remove": [7]}"# : #"{"add": [{"target": 7, "document": "users/u1"}]}"#
                            let status = try await client.send("listen/\(id)", body).status
                            #expect(status == 204 || status == 422)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await client.send("listen/\(id)", #"{"remove": [7]}"#).status == 204)
            #expect(try await client.send("listen/\(id)", #"{"add": [{"target": 7, "document": "users/u1"}]}"#).status == 204)
            #expect(try await client.send("commit", #"{"writes": [{"set": "users/u1", "fields": {"n": 1}}]}"#).status == 200)
            try await follower.follow { $0.results[7]?["users/u1"] != nil }
            await follower.close()
            #expect(try await eventually { try await client.send("listen/\(id)", #"{"remove": [7]}"#).status == 404 })
        }
    }

    @Test func `a stream ends when its key is revoked`() async throws {
        try await DocumentClient.use { client in
            let follower = try await DocumentFollower(client, #"{"targets": [\#(Self.target(0))]}"#)
            try await follower.follow(untilCurrent: [1])
            let keys = try JSON(await client.live.api.asOperator("GET", "/v1/apps/\(client.keys.app)/keys"))["items"].items
            let id = try #require(keys.first { $0["role"].text == "data" })["id"].number
            #expect(try await client.live.api.asOperator("DELETE", "/v1/apps/\(client.keys.app)/keys/\(id)").status == 204)
            _ = try await client.send("commit", #"{"writes": [{"set": "users/u1", "fields": {"secret": 1}}]}"#, key: client.keys.admin)
            #expect(try await follower.message() == nil)
        }
    }

    private static let invalidTargets: [(String, String)] = [
        ("{}", "targets"), (#"{"targets": [{"target": 1}]}"#, "targets[0].query"), (#"{"targets": [{"document": "a/b"}]}"#, "targets[0].target"),
        (#"{"targets": [{"target": 0, "document": "a/b"}]}"#, "targets[0].target"),
        (#"{"targets": [{"target": 1, "document": "a"}]}"#, "targets[0].document"),
        (#"{"targets": [{"target": 1, "document": "a/b", "query": {"from": "a"}}]}"#, "targets[0].query"),
        (#"{"targets": [{"target": 1, "query": {"from": "a", "at": 1}}]}"#, "targets[0].query.at"),
        (#"{"targets": [{"target": 1, "document": "a/b"}, {"target": 1, "document": "a/c"}]}"#, "targets[1].target"),
        (#"{"targets": [{"target": 1, "document": "a/b", "known": {"a": 1}}]}"#, "targets[0].known"),
        (#"{"targets": [], "other": 1}"#, "other"),
    ]

    @Test func `an invalid target is refused by its place`() async throws {
        try await DocumentClient.use { client in
            for (body, place) in Self.invalidTargets {
                let reply = try await client.send("listen", body)
                #expect(try reply.status == 422 && JSON(reply)["errors"][0]["field"].text == place, "\(body): \(reply.text)")
            }
        }
    }
}
