// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Limited results of clients with an ingest key alone.
@Suite struct DocumentWindowTests {
    private static let rules = """
        service cloud.firestore { match /databases/{database}/documents { match /win/{id} { allow read; } } }
        """

    @Test func `limited listeners that take too much memory are removed, and those of servers stay`() async throws {
        try await RuleWorld.use { _, client in
            #expect(try await RuleWorld.set(Self.rules, client).status == 200)
            let text = String(repeating: "q", count: 3_000)
            let writes = (0..<30).map { #"{"set": "win/d\#($0)", "fields": {"s": "\#(100 + $0)\#(text)"}}"# }
            _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            // 100 targets of 30 rows, each with 1,500 bytes of its key.
            let targets = (1...100).map { #"{"target": \#($0), "query": {"from": "win", "order": ["s"], "limit": \#(100 + $0)}}"# }
            let body = #"{"targets": [\#(targets.joined(separator: ","))]}"#
            for (key, isBounded) in [(client.keys.ingest, true), (client.key, false)] {
                let follower = try await DocumentFollower(client, body, key: key)
                try await follower.follow { $0.current.count + $0.denied.count == 100 }
                let denied = await follower.denied
                #expect(denied.isEmpty != isBounded && denied.count < 50, "\(denied.count)")
                #expect(denied.values.allSatisfy { $0 == "too_expensive" })
                await follower.close()
            }
        }
    }
}
