// SPDX-License-Identifier: Apache-2.0

import Database
import TestSupport
import Testing

@testable import ingestd

/// Large results and long resumptions of users' streams, beside servers and short results.
@Suite struct LongListenTests {
    private static let rules = "service cloud.firestore { match /databases/{d}/documents { match /a/{id} { allow read; } } }"
    /// More than a short read may examine.
    private static let documents = 300
    private static let all = #"{"target": 1, "query": {"from": "a"}}"#

    private static func write(_ version: Int, _ client: DocumentClient) async throws {
        let writes = (0..<documents).map { #"{"set": "a/d\#($0)", "fields": {"n": \#($0), "version": \#(version)}}"# }
        _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
    }

    private static func use(_ body: @Sendable (DocumentClient) async throws -> Void) async throws {
        try await RuleWorld.use { _, client async throws in
            #expect(try await RuleWorld.set(rules, client).status == 200)
            try await write(1, client)
            try await body(client)
        }
    }

    private static func listen(
        _ target: String, _ client: DocumentClient, _ key: String, resume: String? = nil, results: [Int: [String: Int]] = [:]
    ) async throws -> DocumentFollower {
        let more = resume.map { #", "resume": "\#($0)""# } ?? ""
        return try await DocumentFollower(client, #"{"targets": [\#(target)]\#(more)}"#, key: key, results: results)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [ReaderPool.Cost.small, .large])
    func `results of users are not read in the lanes of servers`(cost: ReaderPool.Cost) async throws {
        try await Self.use { client in
            let key = client.keys.ingest
            let first = try await Self.listen(Self.all, client, key)
            try await first.follow(untilCurrent: [1])
            let (token, known) = (await first.token, await first.results)
            await first.close()
            try await Self.write(2, client)
            try await OccupiedReaders.use(client.live, cost, for: nil) {
                let anew = try await Self.listen(Self.all, client, key)
                try await anew.follow(untilCurrent: [1])
                let resumed = try await Self.listen(Self.all, client, key, resume: token, results: known)
                try await resumed.follow(untilCurrent: [1])
                let (newest, result) = (await anew.results, await resumed.results)
                #expect(newest[1]?.count == Self.documents && newest == result)
                #expect(await resumed.resets.isEmpty)
                for follower in [anew, resumed] { await follower.close() }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `results of users wait among their long queries, and nobody waits behind them`() async throws {
        try await Self.use { client in
            let (waiting, following) = try await OccupiedReaders.use(client.live, .large, for: OccupiedReaders.user) {
                var waiting: [DocumentFollower] = []
                for number in 0..<4 {
                    let target = #"{"target": 1, "query": {"from": "a", "where": ["n", ">=", \#(-number)]}}"#
                    waiting.append(try await Self.listen(target, client, client.keys.ingest))
                }
                let following = waiting.map { one in Task { try await one.follow(untilCurrent: [1]) } }
                let server = try await Self.listen(Self.all, client, client.key)
                try await server.follow(untilCurrent: [1])
                #expect(await server.results[1]?.count == Self.documents)
                let few = #"{"target": 1, "query": {"from": "a", "limit": 5}}, {"target": 2, "document": "a/d7"}"#
                let short = try await Self.listen(few, client, client.keys.ingest)
                try await short.follow(untilCurrent: [1, 2])
                for one in waiting { #expect(await one.current.isEmpty) }
                for follower in [server, short] { await follower.close() }
                return (waiting, following)
            }
            for (one, task) in zip(waiting, following) {
                try await task.value
                #expect(await one.results[1]?.count == Self.documents)
                await one.close()
            }
        }
    }
}
