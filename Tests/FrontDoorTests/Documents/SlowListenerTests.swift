// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentStore
import Foundation
import TestSupport
import Testing

@testable import ingestd

/// Clients that read their streams slowly or not at all, over HTTP, beside others.
@Suite struct SlowListenerTests {
    private static let documentBytes = 480 << 10

    /// A target whose read is not a short one, as nothing limits it.
    private static let small = #"{"target": 1, "query": {"from": "small"}}"#

    /// Listens to a target until it is current.
    private static func follow(_ target: String, _ client: DocumentClient) async throws {
        let follower = try await DocumentFollower(client, #"{"targets": [\#(target)]}"#)
        try await follower.follow(untilCurrent: [1])
        await follower.close()
    }

    /// A client that reads its stream when it is told to. Its kernel keeps little for it.
    private struct SlowReader {
        let connection: HTTPConnection
        private(set) var text = [UInt8]()

        init(_ client: DocumentClient, _ targets: String) async throws {
            connection = try HTTPConnection(.port(client.live.api.port), receiveBuffer: 16 << 10)
            let body = Array(#"{"targets": [\#(targets)]}"#.utf8)
            try await connection.send(TestClient.bytes("POST", "/v1/documents:listen", key: client.key, body: body))
            #expect(try await connection.head().status == 200)
        }

        /// The name of the stream.
        mutating func id() async throws -> String {
            while !has("\n\n") { text += try #require(try await connection.chunk()) }
            let opening = String(decoding: text, as: UTF8.self)
            let start = try #require(opening.range(of: "str_"))
            return String(opening[start.lowerBound...].prefix { $0 != "\"" })
        }

        /// Reads some bytes; false at the end of the stream.
        mutating func read() async throws -> Bool {
            let more = try await connection.raw(atLeast: 1)
            text = text.suffix(2_000) + more
            return !more.isEmpty
        }

        func has(_ text: String) -> Bool { self.text.holds(Array(text.utf8)) }
    }

    /// Runs a daemon with a collection `big` of some documents, and bounds of what the streams of an app have not sent.
    private static func use(
        documents: Int, unsentBytes: Int, patience: Duration, _ body: @Sendable (DocumentClient) async throws -> Void
    ) async throws {
        try await withDaemon(configure: {
            $0.store.documents.unsentBytes = 2 * unsentBytes
            $0.store.documents.unsentPatience = patience
        }) { live in
            let client = try await DocumentClient.make(live)
            let text = String(repeating: "x", count: documentBytes)
            for number in 0..<documents {
                _ = try await client.json("commit", #"{"writes": [{"set": "big/b\#(number)", "fields": {"n": \#(number), "text": "\#(text)"}}]}"#)
            }
            _ = try await client.json("commit", #"{"writes": [{"set": "small/s", "fields": {}}]}"#)
            try await body(client)
        }
    }

    @Test func `a client that reads slowly gets its whole event while others wait for memory`() async throws {
        let patience = Duration.seconds(4)
        try await Self.use(documents: 6, unsentBytes: 1 << 20, patience: patience) { client in
            var slow = try await SlowReader(client, #"{"target": 1, "query": {"from": "big"}}"#)
            _ = try await slow.id()
            #expect(try await eventually { client.live.daemon.store.documents.listening.unsentBytes > 1 << 20 })
            async let other: Void = Self.follow(Self.small, client)
            let begin = ContinuousClock.now
            while !slow.has(#""state":"current"}"#) {
                guard try await slow.read() else {
                    Issue.record("the stream was cut")
                    break
                }
                let read = ContinuousClock.now
                while ContinuousClock.now - read < .milliseconds(60) { _ = try await client.json("get", #"{"paths": ["small/s"]}"#) }
            }
            #expect(ContinuousClock.now - begin > patience)
            await slow.connection.close()
            try await other
        }
    }

    @Test func `a client that reads nothing is cut when others wait for memory`() async throws {
        try await Self.use(documents: 8, unsentBytes: 1 << 20, patience: .milliseconds(100)) { client in
            var silent = try await SlowReader(client, #"{"target": 1, "query": {"from": "big"}}"#)
            _ = try await silent.id()
            #expect(try await eventually { client.live.daemon.store.documents.listening.unsentBytes > 1 << 20 })
            try await Self.follow(Self.small, client)
            #expect(client.live.daemon.store.documents.listening.unsentBytes < 1 << 20)
            await silent.connection.close()
        }
    }

    @Test func `a removed target gives the room of its result back`() async throws {
        // The event of the first target and the result of the second are too much, each alone is not.
        try await Self.use(documents: 8, unsentBytes: 5 << 20, patience: .seconds(3_600)) { client in
            var silent = try await SlowReader(
                client, #"{"target": 1, "query": {"from": "big"}}, {"target": 2, "query": {"from": "big", "where": ["n", ">=", 0]}}"#)
            let id = try await silent.id()
            #expect(try await eventually { client.live.daemon.store.documents.listening.unsentBytes > 6 << 20 })
            async let other: Void = Self.follow(Self.small, client)
            #expect(try await client.send("listen/\(id)", #"{"remove": [2]}"#).status == 204)
            try await other
            await silent.connection.close()
        }
    }

    @Test func `documents are read for new streams while large results wait for memory`() async throws {
        try await Self.use(documents: 19, unsentBytes: 8 << 20, patience: .seconds(3_600)) { client in
            var silent = try await SlowReader(client, #"{"target": 1, "query": {"from": "big"}}"#)
            _ = try await silent.id()
            #expect(try await eventually { client.live.daemon.store.documents.listening.unsentBytes > 8 << 20 })
            var waiting: [SlowReader] = []
            for number in 1...3 {
                var next = try await SlowReader(client, #"{"target": 1, "query": {"from": "big", "where": ["n", ">=", \#(number)]}}"#)
                _ = try await next.id()
                waiting.append(next)
            }
            let targets = #"{"target": 1, "document": "small/s"}, {"target": 2, "query": {"from": "small", "limit": 5}}"#
            let follower = try await DocumentFollower(client, #"{"targets": [\#(targets)]}"#)
            try await follower.follow(untilCurrent: [1, 2])
            #expect(await follower.results.mapValues { Array($0.keys) } == [1: ["small/s"], 2: ["small/s"]])
            await follower.close()
            for reader in waiting + [silent] { await reader.connection.close() }
        }
    }

    @Test func `listeners of other apps, and users, do not wait for clients that read nothing`() async throws {
        try await Self.use(documents: 12, unsentBytes: 8 << 20, patience: .seconds(3_600)) { client in
            let rules = "service cloud.firestore { match /databases/{d}/documents { match /{all=**} { allow read: if true; } } }"
            let set = try await client.live.api.request(
                "PUT", "/v1/documents:rules", key: client.keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200, "\(set.text)")
            let anyone = DocumentClient(live: client.live, keys: client.keys, key: client.keys.ingest)
            var silent: [SlowReader] = []
            for number in 0..<3 {
                var next = try await SlowReader(anyone, #"{"target": 1, "query": {"from": "big", "where": ["n", ">", -\#(number + 1)]}}"#)
                _ = try await next.id()
                silent.append(next)
            }
            #expect(try await eventually { client.live.daemon.store.documents.listening.unsentBytes > 4 << 20 })
            let other = try await DocumentClient.make(client.live, "theirs")
            try await Self.follow(Self.small, other)
            try await Self.follow(Self.small, client)
            // A stream of the address itself waits.
            var waiting = try await SlowReader(anyone, Self.small)
            _ = try await waiting.id()
            #expect(!waiting.has(#""state":"current"}"#))
            for reader in silent + [waiting] { await reader.connection.close() }
        }
    }

    @Test func `a target whose changes are too many bytes begins anew`() async throws {
        try await withDaemon(configure: { $0.store.documents.resultBytes = 64 << 10 }) { live in
            let client = try await DocumentClient.make(live)
            // Ten documents are less than a result may have, both versions of them are more.
            func write(_ version: Int, _ ids: Range<Int>) async throws {
                let text = String(repeating: "x", count: 5_000)
                let writes = ids.map { #"{"set": "users/u\#($0)", "fields": {"v": \#(version), "text": "\#(text)"}}"# }
                _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            }
            try await write(1, 0..<10)
            let targets = #"{"target": 1, "query": {"from": "users"}}, {"target": 2, "document": "users/u1"}"#
            let follower = try await DocumentFollower(client, #"{"targets": [\#(targets)]}"#)
            try await follower.follow(untilCurrent: [1, 2])
            await follower.close()
            for (changed, resets) in [(2, [] as Set), (10, [1])] {
                try await write(changed, 0..<changed)
                let body = #"{"targets": [\#(targets)], "resume": "\#(try #require(await follower.token))"}"#
                let next = try await DocumentFollower(client, body, results: await follower.results)
                try await next.follow(untilCurrent: [1, 2])
                let all = try await client.json("query", #"{"from": "users"}"#)["documents"].items
                #expect(await next.results[1] == Dictionary(uniqueKeysWithValues: all.map { ($0["path"].text, $0["version"].number) }))
                #expect(await next.resets == resets, "\(changed) changed documents")
                await next.close()
            }
        }
    }
}
