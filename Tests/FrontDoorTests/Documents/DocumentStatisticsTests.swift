// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Statistics of documents and learned indexes, over HTTP.
@Suite struct DocumentStatisticsTests {
    private static let query = #"{"from": "users", "where": ["city", "==", "valuesecret"], "order": [["n", "desc"]], "limit": 5, "explain": true}"#

    private static func fill(_ client: DocumentClient) async throws {
        let writes = (0..<2_500).map { number in
            let city = number % 100 == 0 ? "valuesecret" : "other"
            return #"{"set": "users/idsecret\#(number)", "fields": {"city": "\#(city)", "n": \#(number)}}"#
        }
        _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
    }

    private static func get(_ client: DocumentClient, _ verb: String, key: String? = nil) async throws -> Reply {
        try await client.live.api.get("/v1/documents:\(verb)", key: key ?? client.keys.read)
    }

    @Test func `three wasteful queries teach an index, which declarations leave`() async throws {
        let folder = TemporaryFolder()
        let saved = try await withDaemon(in: folder) { live in
            let client = try await DocumentClient.make(live)
            try await Self.fill(client)
            // A cheap query, and one that finds most of what it examines, teach nothing.
            for _ in 0..<5 {
                _ = try await client.json("query", #"{"from": "users", "limit": 5}"#)
                _ = try await client.json("query", #"{"from": "users", "where": ["n", ">=", 0], "order": ["n"]}"#)
            }
            for _ in 0..<2 { #expect(try await client.json("query", Self.query)["explain"]["examined"].number == 2_500) }
            #expect(try JSON(await Self.get(client, "indexes", key: client.keys.admin))["indexes"].items.isEmpty)
            let third = try await client.json("query", Self.query)
            let isUsed = try await eventually { try await client.json("query", Self.query)["explain"]["plan"].text == "index" }
            #expect(isUsed)
            let found = try await client.json("query", Self.query)
            #expect(found["explain"]["examined"].number == 5)
            #expect(found["documents"].items.map { $0["path"].text } == third["documents"].items.map { $0["path"].text })
            let declared = try await live.api.request(
                "PUT", "/v1/documents:indexes", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
            let index = try JSON(declared)["indexes"][0]
            #expect(index["origin"].text == "learned" && index["reason"].text.contains("users where city == order n desc limit"), "\(declared.text)")
            return (client.keys, client.key)
        }
        try await withDaemon(in: folder) { (live: LiveDaemon) async throws -> Void in
            let client = DocumentClient(live: live, keys: saved.0, key: saved.1)
            #expect(try await client.json("query", Self.query)["explain"]["plan"].text == "index")
        }
    }

    @Test func `statistics show structure and counts, never values or IDs`() async throws {
        try await DocumentClient.use { client in
            try await Self.fill(client)
            let order = #"{"set": "users/idsecret1/orders/idsecret2", "fields": {"text": "valuesecret"}}"#
            _ = try await client.json("commit", #"{"writes": [\#(order)]}"#)
            for _ in 0..<4 { _ = try await client.json("query", Self.query) }
            let reply = try await Self.get(client, "statistics")
            #expect(reply.status == 200 && !reply.text.contains("secret"), "\(reply.text)")
            let statistics = try JSON(reply)
            #expect(statistics["documents"].number == 2_501 && statistics["bytes"].number > 50_000)
            #expect(statistics["collections"].items.map { $0["collection"].text } == ["users", "orders"])
            #expect(statistics["collections"].items.map { $0["documents"].number } == [2_500, 1])
            let costly = statistics["queries"][0]
            #expect(costly["shape"].text == "users where city == order n desc limit" && costly["examined"].number >= 3 * 2_500)
            #expect(try await eventually { try JSON(await Self.get(client, "statistics"))["indexes"][0]["entries"].number == 2_500 })
            let other = try await DocumentClient.make(client.live, "theirs")
            let theirs = try JSON(await Self.get(other, "statistics"))
            #expect(theirs["documents"].number == 0 && theirs["queries"].items.isEmpty && theirs["indexes"].items.isEmpty)
        }
    }

    @Test func `growth is shown for the app and each collection, and follows the clock by day`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await DocumentClient.use(clock: clock.clock) { client in
            func add(_ ids: Range<Int>, to collection: String) async throws {
                let writes = ids.map { #"{"set": "\#(collection)/idsecret\#($0)", "fields": {"n": \#($0)}}"# }
                _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
                _ = try await client.live.daemon.store.retain()
            }
            func growth(_ json: JSON) -> [String] { json["growth"].items.map { "\($0["days"].number) \($0["documents"].number)" } }
            try await add(0..<5, to: "users")
            #expect(try growth(JSON(await Self.get(client, "statistics"))).isEmpty)
            clock.advance(by: .days(6))
            try await add(5..<7, to: "users")
            clock.advance(by: .days(1))
            try await add(0..<1, to: "users/idsecret1/orders")
            let reply = try await Self.get(client, "statistics")
            let found = try JSON(reply)
            #expect(growth(found) == ["1 1", "7 3"] && !reply.text.contains("secret"), "\(reply.text)")
            #expect(found["days"].items.map { "\($0["day"].text) \($0["documents"].number)" } == ["2026-11-21 5", "2026-11-27 7"])
            let byID = found["collections"].items.map { "\($0["collection"].text): \(growth($0))" }
            #expect(byID.sorted() == [#"orders: ["1 1", "7 1"]"#, #"users: ["1 0", "7 2"]"#])
        }
    }

    @Test func `listeners are counted by the shape of their queries`() async throws {
        try await DocumentClient.use { client in
            let targets = #"""
                {"target": 1, "query": {"from": "orders", "under": "users/idsecret", "where": ["state", "==", "valuesecret"]}},
                {"target": 2, "query": {"from": "orders", "under": "users/other", "where": ["state", "==", "b"]}}, {"target": 3, "document": "users/idsecret"}
                """#
            let follower = try await DocumentFollower(client, #"{"targets": [\#(targets)]}"#)
            try await follower.follow(untilCurrent: [1, 2, 3])
            let second = try await DocumentFollower(client, #"{"targets": [{"target": 1, "document": "users/idsecret"}]}"#)
            try await second.follow(untilCurrent: [1])
            let reply = try await Self.get(client, "listeners")
            #expect(!reply.text.contains("secret"), "\(reply.text)")
            let found = try JSON(reply)
            #expect([found["streams"], found["targets"], found["listeners"]].map(\.number) == [2, 3, 4])
            #expect(found["shapes"].items.map { $0["shape"].text } == ["users/*", "users/*/orders where state == order __name__"])
            #expect(found["shapes"].items.map { [$0["targets"].number, $0["listeners"].number] } == [[1, 2], [2, 2]])
        }
    }
}
