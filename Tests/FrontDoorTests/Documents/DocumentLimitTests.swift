// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Limits of documents over HTTP: the most that is taken, and one more.
@Suite struct DocumentLimitTests {
    private static func declare(_ body: String, _ client: DocumentClient) async throws -> Reply {
        try await client.live.api.request(
            "PUT", "/v1/documents:indexes", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    @Test func `a document has forty thousand entries in indexes, and no more`() async throws {
        try await DocumentClient.use { client async throws in
            let index = #"{"collectionGroup": "a", "fieldPath": "l", "indexes": [{"arrayConfig": "CONTAINS", "queryScope": "COLLECTION"}]}"#
            #expect(try await Self.declare(#"{"indexes": [], "fieldOverrides": [\#(index)]}"#, client).status == 200)
            for (count, status) in [(40_001, 413), (40_000, 200), (40_001, 413)] {
                let list = (0..<count).map(String.init).joined(separator: ",")
                let reply = try await client.send("commit", #"{"writes": [{"set": "a/x", "fields": {"l": [\#(list)]}}]}"#)
                #expect(reply.status == status, "\(count): \(reply.text.prefix(300))")
            }
            let contains = #"{"from": "a", "where": ["l", "contains", 39999]}"#
            #expect(try await client.paths(contains) == ["a/x"])
            #expect(try await client.paths(contains.replacing("39999", with: "40000")).isEmpty)
        }
    }

    @Test func `an app has two hundred indexes, and no more`() async throws {
        func index(_ number: Int) -> String {
            let fields = #"[{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]"#
            return #"{"collectionGroup": "g\#(number)", "queryScope": "COLLECTION", "fields": \#(fields)}"#
        }
        func declaration(_ count: Int, and more: String = "") -> String {
            #"{"indexes": [\#((0..<count).map(index).joined(separator: ","))]\#(more)}"#
        }
        let order = #"{"collectionGroup": "h", "fieldPath": "c", "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION"}]}"#
        let single = #", "fieldOverrides": [\#(order)]"#
        let bodies = [
            (declaration(200), 200), (declaration(201), 422), (declaration(199, and: single), 200), (declaration(200, and: single), 422),
        ]
        try await DocumentClient.use { client async throws in
            for (place, (body, status)) in bodies.enumerated() {
                let reply = try await Self.declare(body, client)
                #expect(reply.status == status, "\(place): \(reply.text.prefix(300))")
                let count = try JSON(try await client.live.api.get("/v1/documents:indexes", key: client.keys.admin))["indexes"].items.count
                #expect(count == 200, "\(place)")
            }
        }
    }

    @Test func `a stream has a hundred targets, and no more`() async throws {
        try await DocumentClient.use { client async throws in
            func targets(_ numbers: ClosedRange<Int>) -> String {
                numbers.map { #"{"target": \#($0), "document": "a/d\#($0)"}"# }.joined(separator: ",")
            }
            let refused = try await client.send("listen", #"{"targets": [\#(targets(1...101))]}"#)
            #expect(try refused.status == 422 && JSON(refused)["errors"][0]["field"].text == "targets", "\(refused.text)")
            let follower = try await DocumentFollower(client, #"{"targets": [\#(targets(1...100))]}"#)
            try await follower.follow(untilCurrent: Set(1...100))
            let id = await follower.id
            let one = #"{"add": [\#(targets(101...101))]}"#
            let more = try await client.send("listen/\(id)", one)
            #expect(more.status == 413, "\(more.text)")
            #expect(try await client.send("listen/\(id)", #"{"remove": [7]}"#).status == 204)
            #expect(try await client.send("listen/\(id)", one).status == 204)
            try await follower.follow(untilCurrent: [101])
            await follower.close()
        }
    }
}
