// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Exports and imports of documents over HTTP.
@Suite struct DocumentTransferTests {
    private static let settings = [
        (
            "indexes",
            #"""
            {"indexes": [{"collectionGroup": "users", "queryScope": "COLLECTION", "fields": [{"fieldPath": "n", "order": "ASCENDING"}]}],
             "fieldOverrides": [{"collectionGroup": "wide", "fieldPath": "k", "indexes": []}]}
            """#
        ),
        ("ttl", #"{"fields": [{"collection": "codes", "field": "expires"}]}"#),
        (
            "persons",
            #"{"patterns": [{"path": "users/{uid}/**"}, {"collection": "orders", "group": true, "field": "owner", "private": ["address"]}]}"#
        ),
    ]

    private static func put(_ client: DocumentClient, _ route: String, _ body: String) async throws -> Reply {
        try await client.live.api.request(
            "PUT", "/v1/documents:\(route)", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private static func fill(_ client: DocumentClient) async throws {
        for (route, body) in settings { #expect(try await put(client, route, body).status == 200) }
        let values =
            #"{"a": 1, "b": 1.5, "c": {"$double": "NaN"}, "d": {"$time": "2026-11-23T10:00:00.000001Z"}, "e": {"$ref": "users/é"}, "$$f": [null, {"g": "\n\" "}]}"#
        var writes = (0..<40).map { #"{"set": "users/u\#($0)", "fields": {"n": \#($0), "x": \#(values)}}"# }
        writes += ["users/é/orders/1", "a!/b", "a/b/c/d", "a/b", "users/__id7__", "a/b0"].map { #"{"set": "\#($0)", "fields": {}}"# }
        writes += ["users/gone", "empty/e"].map { #"{"set": "\#($0)", "fields": {}}"# } + ["users/gone", "empty/e"].map { #"{"delete": "\#($0)"}"# }
        _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
    }

    private static func export(_ client: DocumentClient, after: String? = nil) async throws -> [String] {
        let reply = try await client.live.api.get(
            "/v1/documents:export\(after.map { "?after=\($0.percentEncoded)" } ?? "")", key: client.keys.admin)
        #expect(reply.status == 200)
        return reply.text.split(separator: "\n").map(String.init)
    }

    private static func add(_ client: DocumentClient, _ lines: [String]) async throws -> JSON {
        let reply = try await client.live.api.request(
            "POST", "/v1/documents:import", key: client.keys.admin, headers: ["Content-Type": "application/x-ndjson"],
            body: Array(lines.joined(separator: "\n").utf8))
        #expect(reply.status == 200, "\(reply.text)")
        return try JSON(reply)
    }

    /// A line of a document without its stamps.
    private static func withoutStamps(_ line: String) throws -> String {
        line.replacing(/"(created|version)":\d+,/, with: "")
    }

    @Test func `an import of too many lines writes nothing, and empty lines are skipped`() async throws {
        try await DocumentClient.use { client in
            let line = #"{"path": "a/b", "fields": {}}"#
            let reply = try await client.live.api.request(
                "POST", "/v1/documents:import", key: client.keys.admin, headers: ["Content-Type": "application/x-ndjson"],
                body: Array(line.utf8) + [UInt8](repeating: 0x0a, count: 1_000_001))
            #expect(try reply.status == 413 && JSON(reply)["code"].text == "too_large", "\(reply.text)")
            #expect(try await client.live.api.get("/v1/documents/a/b", key: client.key).status == 404)
            let blank = [String](repeating: "", count: 500_000)
            let added = try await Self.add(client, blank + [line] + blank.dropLast(2))
            #expect(added["documents"].number == 1 && added["failed"].number == 0)
        }
    }

    @Test func `a copy of an app has the same documents and settings`() async throws {
        try await DocumentClient.use { client in
            let copy = try await DocumentClient.make(client.live, "copy")
            try await Self.fill(client)
            #expect(try await Self.put(client, "rules", #"{"source": "service cloud.firestore { }"}"#).status == 200)
            let lines = try await Self.export(client)
            #expect(lines.count == 5 + 46 + 1 && lines.last == #"{"end":true,"documents":46}"#)
            #expect(try await Self.add(copy, lines)["documents"].number == 46)
            let copied = try await Self.export(copy)
            #expect(try copied.dropFirst().map(Self.withoutStamps) == lines.dropFirst().map(Self.withoutStamps))
            for (route, _) in Self.settings.dropFirst() {
                let (ours, theirs) = (
                    try await client.live.api.get("/v1/documents:\(route)", key: client.keys.admin),
                    try await client.live.api.get("/v1/documents:\(route)", key: copy.keys.admin)
                )
                #expect(try JSON(ours)["fields"].items.count == JSON(theirs)["fields"].items.count && theirs.status == 200)
            }
            let indexes = try JSON(await client.live.api.get("/v1/documents:indexes", key: copy.keys.admin))
            #expect(indexes["exemptions"].items.map(\.["fieldPath"].text) == ["k"])
            let rules = try await client.live.api.get("/v1/documents:rules", key: copy.keys.admin)
            #expect(try JSON(rules)["items"][0]["source"].text == "service cloud.firestore { }")
            // Again: nothing changes.
            #expect(try await Self.add(copy, lines)["failed"].number == 0)
            #expect(try await Self.export(copy).dropFirst() == copied.dropFirst())
        }
    }

    @Test func `an import says which indexes it leaves out, and makes the others`() async throws {
        try await DocumentClient.use { client in
            let indexes = #"""
                {"setting": "indexes", "value": {"indexes": [{"collectionGroup": "docs", "queryScope": "COLLECTION", "fields": \#
                [{"fieldPath": "e", "vectorConfig": {"dimension": 3, "flat": {}}}]}, {"collectionGroup": "docs", \#
                "queryScope": "COLLECTION", "fields": [{"fieldPath": "a", "order": "ASCENDING"}]}]}}
                """#
            let result = try await Self.add(client, ["", indexes])
            let error = result["errors"][0]
            #expect(result["failed"].number == 1 && error["line"].number == 2, "\(result)")
            #expect(error["detail"].text == "value.indexes[0] of the collections docs is left out, as indexes here do not have its vectorConfig")
            let made = try JSON(await client.live.api.get("/v1/documents:indexes", key: client.keys.admin))
            #expect(made["indexes"].items.count == 1)
        }
    }

    @Test func `an export goes on behind any document`() async throws {
        try await DocumentClient.use { client in
            try await Self.fill(client)
            let lines = try await Self.export(client)
            let documents = Array(lines.dropFirst(4).dropLast())
            for place in [0, 1, 5, 22, 44, 45] {
                let path = try JSON(Array(documents[place].utf8))["path"].text
                let rest = try await Self.export(client, after: path)
                #expect(Array(rest.dropLast()) == Array(documents.dropFirst(place + 1)), "\(path)")
            }
            // A document that is there no longer.
            _ = try await client.json("commit", #"{"writes": [{"delete": "users/u20"}]}"#)
            let place = try #require(documents.firstIndex { $0.contains("users/u20\"") })
            #expect(try await Self.export(client, after: "users/u20").count == documents.count - place)
            for wrong in ["users", "a//b", ""] {
                let reply = try await client.live.api.get("/v1/documents:export?after=\(wrong)", key: client.keys.admin)
                #expect(reply.status == 422)
            }
        }
    }

    @Test func `lines that are wrong are listed, and the others written`() async throws {
        try await DocumentClient.use { client in
            let deep = String(repeating: #"{"a":"#, count: 25) + "1" + String(repeating: "}", count: 25)
            let lines = [
                #"{"path": "a/1", "fields": {"n": 1}}"#, "", "x", #"{"path": "a", "fields": {}}"#, #"{"path": "a/2"}"#, "[1]",
                #"{"path": "a/3", "fields": {"n": {"$now": true}}}"#, #"{"path": "a/4", "fields": {"n": [[1]]}}"#,
                #"{"path": "a/5", "fields": \#(deep)}"#, #"{"path": "a/6", "fields": {}, "other": 1}"#, #"{"setting": "rule", "value": {}}"#,
                #"{"setting": "ttl", "value": {"fields": 1}}"#, #"{"path": "a/\#(String(repeating: "x", count: 1_501))", "fields": {}}"#,
                #"{"path": "a/7", "fields": {"t": "\#(String(repeating: "x", count: 1_100_000))"}}"#, #"{"path": "a/8", "fields": {"n": 1}}"#, "\r",
            ]
            let result = try await Self.add(client, lines)
            #expect(result["documents"].number == 3 && result["failed"].number == 11)
            #expect(result["errors"].items.map { $0["line"].number } == [3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14])
            #expect(try await client.paths(#"{"from": "a"}"#) == ["a/1", "a/3", "a/8"])
        }
    }
}
