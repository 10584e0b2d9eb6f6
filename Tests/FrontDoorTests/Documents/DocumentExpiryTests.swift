// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Documents that expire, over HTTP.
@Suite struct DocumentExpiryTests {
    private static func put(_ client: DocumentClient, _ route: String, _ body: String) async throws -> Reply {
        try await client.live.api.request(
            "PUT", "/v1/documents:\(route)", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private static let fields = #"{"fields": [{"collection": "sessions", "field": "until.at"}, {"collection": "codes", "field": "expires"}]}"#
    private static let (past, future) = (#"{"$time": "2020-01-01T00:00:00Z"}"#, #"{"$time": "2999-01-01T00:00:00Z"}"#)

    private static func fill(_ client: DocumentClient) async throws {
        let writes = [
            "sessions/old": #"{"until": {"at": \#(past)}}"#, "users/u1/sessions/old": #"{"until": {"at": \#(past)}}"#,
            "sessions/new": #"{"until": {"at": \#(future)}}"#, "sessions/text": #"{"until": {"at": "2020-01-01T00:00:00Z"}}"#,
            "sessions/number": #"{"until": {"at": 1}}"#, "sessions/none": "{}", "sessions/null": #"{"until": {"at": null}}"#,
            "sessions/flat": #"{"until.at": \#(past)}"#, "codes/c": #"{"expires": \#(past)}"#, "other/o": #"{"expires": \#(past)}"#,
        ].map { #"{"set": "\#($0)", "fields": \#($1)}"# }
        _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
    }

    private static let staying = ["sessions/flat", "sessions/new", "sessions/none", "sessions/null", "sessions/number", "sessions/text"]

    @Test func `documents expire by the times of their fields, and listeners see it`() async throws {
        let folder = TemporaryFolder()
        let saved = try await withDaemon(in: folder) { live in
            let client = try await DocumentClient.make(live)
            try await Self.fill(client)
            let follower = try await DocumentFollower(client, #"{"targets": [{"target": 1, "query": {"from": "sessions", "group": true}}]}"#)
            try await follower.follow(untilCurrent: [1])
            #expect(await follower.results[1]?.count == 8)
            let reply = try await Self.put(client, "ttl", Self.fields)
            #expect(try reply.status == 200 && JSON(reply)["fields"].items.map { $0["field"].text } == ["until.at", "expires"], "\(reply.text)")
            try await follower.follow { $0.results[1]?.keys.sorted() == Self.staying }
            #expect(try await eventually { try await client.paths(#"{"from": "codes"}"#).isEmpty })
            #expect(try await client.paths(#"{"from": "other"}"#) == ["other/o"])
            // A document that expires later, with the index that is there already.
            #expect(try JSON(await live.api.get("/v1/documents:ttl", key: client.keys.admin))["fields"][0]["state"].text == "active")
            return (client.keys, client.key)
        }
        // The index of a field is no declared one, and declarations leave it; a start continues.
        try await withDaemon(in: folder) { (live: LiveDaemon) async throws -> Void in
            let client = DocumentClient(live: live, keys: saved.0, key: saved.1)
            #expect(try await Self.put(client, "indexes", "{}").status == 200)
            try await Self.fill(client)
            #expect(try await Self.put(client, "ttl", Self.fields).status == 200)
            #expect(try await eventually { try await client.paths(#"{"from": "sessions"}"#) == Self.staying })
        }
    }

    @Test func `an index that is declared stays when the field no longer expires, and the other way round`() async throws {
        try await DocumentClient.use { (client: DocumentClient) async throws -> Void in
            let declared = #"""
                {"fieldOverrides": [{"collectionGroup": "codes", "fieldPath": "expires", "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]}
                """#
            func count() async throws -> Int {
                try JSON(await client.live.api.get("/v1/documents:indexes", key: client.keys.admin))["indexes"].items.count
            }
            #expect(try await Self.put(client, "ttl", Self.fields).status == 200)
            #expect(try await count() == 2)
            #expect(try await Self.put(client, "indexes", declared).status == 200)
            #expect(try await count() == 2)
            #expect(try await Self.put(client, "ttl", #"{"fields": []}"#).status == 200)
            #expect(try await count() == 1)
            #expect(try await Self.put(client, "ttl", Self.fields).status == 200)
            #expect(try await Self.put(client, "indexes", "{}").status == 200)
            #expect(try await count() == 2)
        }
    }

    @Test func `many documents expire in pieces`() async throws {
        try await DocumentClient.use { client in
            let writes = (0..<1_500).map { #"{"set": "codes/c\#($0)", "fields": {"expires": \#(Self.past)}}"# }
            _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            #expect(try await Self.put(client, "ttl", Self.fields).status == 200)
            #expect(try await eventually { try await client.paths(#"{"from": "codes", "limit": 1}"#).isEmpty })
        }
    }

    @Test(arguments: [
        (#"{}"#, "fields"), (#"{"fields": [{"collection": "a/b", "field": "c"}]}"#, "fields[0].collection"),
        (#"{"fields": [{"collection": "a", "field": "__name__"}]}"#, "fields[0].field"), (#"{"fields": [{"collection": "a"}]}"#, "fields[0].field"),
        (#"{"fields": [{"collection": "a", "field": "b"}, {"collection": "a", "field": "c"}]}"#, "fields[1].collection"),
        (#"{"fields": [{"collection": "a", "field": "b", "x": 1}]}"#, "fields[0].x"),
    ])
    func `wrong fields are refused by their place and change nothing`(body: String, place: String) async throws {
        try await DocumentClient.use { client in
            #expect(try await Self.put(client, "ttl", Self.fields).status == 200)
            let reply = try await Self.put(client, "ttl", body)
            #expect(try reply.status == 422 && JSON(reply)["errors"][0]["field"].text == place, "\(reply.text)")
            #expect(try JSON(await client.live.api.get("/v1/documents:ttl", key: client.keys.admin))["fields"].items.count == 2)
        }
    }
}
