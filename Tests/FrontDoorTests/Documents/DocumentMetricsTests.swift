// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Metrics of documents, over HTTP.
@Suite struct DocumentMetricsTests {
    private static func metrics(_ client: DocumentClient) async throws -> [String: Double] {
        let lines = try await client.live.api.get("/metrics").text.split(separator: "\n")
        let pairs = lines.filter { $0.hasPrefix("signalbox_documents_") }.map { $0.split(separator: " ") }
        return Dictionary(uniqueKeysWithValues: pairs.compactMap { pair in Double(pair[1]).map { (String(pair[0].dropFirst(20)), $0) } })
    }

    @Test func `listeners, commits and index builds are counted`() async throws {
        try await DocumentClient.use { client async throws in
            _ = try await client.json("commit", #"{"writes": [{"set": "users/u1", "fields": {"n": 1}}]}"#)
            let all = #"{"target": 1, "query": {"from": "users"}}"#
            let first = try await DocumentFollower(client, #"{"targets": [\#(all), {"target": 2, "query": {"from": "orders"}}]}"#)
            let second = try await DocumentFollower(client, #"{"targets": [\#(all)]}"#)
            try await first.follow(untilCurrent: [1, 2])
            try await second.follow(untilCurrent: [1])
            let listened = try await Self.metrics(client)
            #expect(listened["streams"] == 2 && listened["listeners"] == 3 && listened["targets"] == 2, "\(listened)")
            #expect(listened["commit_duration_seconds_count"].map { $0 >= 1 } == true && listened["queue_refused_total"] == 0, "\(listened)")
            await first.close()
            await second.close()
            #expect(try await eventually { try await Self.metrics(client)["listeners"] == 0 })

            let fields = #"[{"fieldPath": "n", "order": "ASCENDING"}]"#
            let index = #"{"indexes": [{"collectionGroup": "users", "queryScope": "COLLECTION", "fields": \#(fields)}]}"#
            let declared = try await client.live.api.request(
                "PUT", "/v1/documents:indexes", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: Array(index.utf8))
            #expect(declared.status == 200, "\(declared.text)")
            #expect(
                try await eventually {
                    let metrics = try await Self.metrics(client)
                    return metrics["index_builds_total"] == 1 && metrics["indexes_building"] == 0
                })
        }
    }
}
