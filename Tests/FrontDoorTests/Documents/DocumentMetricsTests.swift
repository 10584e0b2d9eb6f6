// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentStore
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

    @Test func `writes, decisions, examined and expired documents are counted, and what an app has`() async throws {
        try await RuleWorld.use(configure: { $0.store.documents.examinedByUser = 1_000 }) { _, client async throws in
            let rules = "service cloud.firestore { match /databases/{d}/documents { match /a/{id} { allow read: if true; } } }"
            #expect(try await RuleWorld.set(rules, client).status == 200)
            let writes = (0..<1_001).map { #"{"set": "a/d\#($0)", "fields": {"n": \#($0)}}"# }
            _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            let refused = #"{"writes": [{"set": "a/new", "fields": {}}, {"set": "a/d0", "fields": {}, "if": {"exists": false}}]}"#
            #expect(try await client.send("commit", refused).status == 409)
            let written = try await Self.metrics(client)
            #expect(written[#"writes_total{result="applied"}"#] == 1_001 && written[#"writes_total{result="refused"}"#] == 2, "\(written)")
            #expect(written["queries_slow_total"] == 0 && written["examined_total"] == 0 && written["expired_total"] == 0, "\(written)")

            let key = client.keys.ingest
            #expect(try await client.send("get", #"{"paths": ["a/d1"]}"#, key: key).status == 200)
            #expect(try await client.send("commit", #"{"writes": [{"delete": "a/d1"}]}"#, key: key).status == 403)
            #expect(try await client.send("query", #"{"from": "a", "where": ["n", "==", 1]}"#, key: key).status == 503)
            let read = try await Self.metrics(client)
            #expect(read[#"rule_decisions_total{result="allowed"}"#].map { $0 >= 1 } == true, "\(read)")
            #expect(read[#"rule_decisions_total{result="denied"}"#].map { $0 >= 1 } == true, "\(read)")
            #expect(read["queries_slow_total"].map { $0 >= 1 } == true && read["examined_total"].map { $0 > 1_000 } == true, "\(read)")
            #expect(try await eventually { try await Self.metrics(client)["queue"] == 0 })

            try await client.live.daemon.store.measureStorage()
            let (app, stored) = (client.keys.app, try await Self.metrics(client))
            let bytes = stored[#"stored_bytes{app="\#(app)"}"#]
            #expect(stored[#"stored{app="\#(app)"}"#] == 1_001 && bytes.map { $0 > 1_001 } == true, "\(stored)")

            let past = #"{"writes": [{"set": "codes/c", "fields": {"expires": {"$time": "2020-01-01T00:00:00Z"}}}]}"#
            _ = try await client.json("commit", past)
            let fields = Array(#"{"fields": [{"collection": "codes", "field": "expires"}]}"#.utf8)
            let set = try await client.live.api.request("PUT", "/v1/documents:ttl", key: client.keys.admin, body: fields)
            #expect(set.status == 200, "\(set.text)")
            #expect(try await eventually { try await Self.metrics(client)["expired_total"] == 1 })
        }
    }
}
