// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Streams of a daemon that stops.
@Suite struct DocumentDrainTests {
    @Test func `a daemon that stops ends its streams at once, and they resume`() async throws {
        let folder = TemporaryFolder()
        let body = #"{"targets": [{"target": 1, "query": {"from": "a"}}]"#
        let (client, token) = try await withDaemon(in: folder, configure: { $0.server.drainGrace = .seconds(120) }) { live in
            let client = try await DocumentClient.make(live)
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {}}]}"#)
            let follower = try await DocumentFollower(client, body + "}")
            try await follower.follow(untilCurrent: [1])
            live.daemon.beginDrain()
            // Without an end of its own the stream would last as long as requests may.
            #expect(try await !follower.follow { _ in false })
            return (client, await follower.token)
        }
        try await withDaemon(in: folder) { (live: LiveDaemon) async throws -> Void in
            let client = DocumentClient(live: live, keys: client.keys, key: client.key)
            let follower = try await DocumentFollower(client, body + #", "resume": "\#(token ?? "")"}"#)
            try await follower.follow(untilCurrent: [1])
            #expect(await follower.received == 0)
            await follower.close()
        }
    }
}
