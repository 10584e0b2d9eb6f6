// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Declared indexes over HTTP: queries that use them have the results of a scan.
@Suite struct DocumentIndexTests {
    private static let declaration = #"""
        {"indexes": [
            {"collectionGroup": "users", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "city", "order": "ASCENDING"}, {"fieldPath": "n", "order": "DESCENDING"}, {"fieldPath": "__name__", "order": "DESCENDING"}]},
            {"collectionGroup": "users", "queryScope": "COLLECTION_GROUP", "fields": [
                {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "n", "order": "ASCENDING"}]}],
         "fieldOverrides": [{"collectionGroup": "users", "fieldPath": "n", "ttl": false, "indexes": [
            {"order": "ASCENDING", "queryScope": "COLLECTION"}, {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]}
        """#

    private static let queries = [
        #""where": ["city", "==", "Rome"], "order": [["n", "desc"]], "limit": 5"#, #""where": ["city", "in", ["Rome", "Oslo"]], "limit": 7"#,
        #""where": {"and": [["city", "==", "Oslo"], ["n", ">", 3]]}"#, #""where": ["n", ">=", 5], "order": ["n"], "limit": 4, "offset": 2"#,
        #""where": ["n", "<", 4], "order": [["n", "desc"]], "startAfter": [2]"#, #""where": ["n", "==", null]"#,
        #""group": true, "where": ["tags", "contains", "a"], "order": ["n"]"#, #""group": true, "where": ["n", "!=", 3], "order": ["n"], "limit": 9"#,
        #""where": {"or": [["city", "==", "Rome"], ["n", "==", 2]]}, "order": ["n"], "limit": 6"#,
        #""group": true, "under": "rooms/r1", "where": ["n", ">", 1], "order": ["n"]"#,
    ]

    private static func write(_ client: DocumentClient, _ random: inout SeededGenerator) async throws {
        let long = String(repeating: "x", count: 1_500)
        let writes = (0..<20).map { _ in
            let path = random.next() % 3 == 0 ? "rooms/r\(random.next() % 2)/users/u\(random.next() % 30)" : "users/u\(random.next() % 60)"
            if random.next() % 5 == 0 { return #"{"delete": "\#(path)"}"# }
            let city = ["\"Rome\"", "\"Oslo\"", "null", "\"\(long)\(random.next() % 3)\""][Int(random.next() % 4)]
            let n = ["null", "1.5", "\"x\"", "\"\(long)y\""].randomElement(using: &random).map {
                random.next() % 4 == 0 ? $0 : "\(random.next() % 8)"
            }
            let tags = ["[]", #"["a"]"#, #"["a", "b", "a"]"#][Int(random.next() % 3)]
            return #"{"set": "\#(path)", "fields": {"city": \#(city), "n": \#(n ?? "0"), "tags": \#(tags)}}"#
        }
        _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
    }

    private static func declare(_ client: DocumentClient, _ body: String) async throws -> Reply {
        try await client.live.api.request(
            "PUT", "/v1/documents:indexes", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private static func isReady(_ client: DocumentClient) async throws -> Bool {
        let indexes = try JSON(await client.live.api.get("/v1/documents:indexes", key: client.keys.admin))["indexes"].items
        return indexes.allSatisfy { $0["state"].text == "ready" }
    }

    /// Compares the results of all queries with those of a scan. Returns how many used an index.
    private static func compare(_ client: DocumentClient) async throws -> Int {
        var used = 0
        let stamp = try await client.json("get", #"{"paths": ["none/none"]}"#)["stamp"].number
        // A commit makes the stamp a past one, which is scanned.
        _ = try await client.json("commit", #"{"writes": [{"set": "other/o", "fields": {"n": {"$increment": 1}}}]}"#)
        for query in queries {
            let found = try await client.json("query", #"{"from": "users", \#(query), "explain": true}"#)
            let scanned = try await client.json("query", #"{"from": "users", \#(query), "explain": true, "at": \#(stamp)}"#)
            #expect(scanned["explain"]["plan"].text == "scan")
            let (paths, expected) = (found["documents"].items.map(\.["path"].text), scanned["documents"].items.map(\.["path"].text))
            #expect(paths == expected, "\(query)")
            if found["explain"]["plan"].text == "index" { used += 1 }
            if query.contains("limit") { continue }
            let aggregates = #""aggregates": {"n": {"count": true}, "s": {"sum": "n"}}"#
            let count = try await client.json("aggregate", #"{"from": "users", \#(query), "aggregates": {"n": {"count": true}}}"#)
            #expect(count["values"]["n"].number == scanned["documents"].items.count, "\(query)")
            let sums = try await client.json("aggregate", #"{"from": "users", \#(query), \#(aggregates)}"#)
            let past = try await client.json("aggregate", #"{"from": "users", \#(query), \#(aggregates), "at": \#(stamp)}"#)
            #expect(sums["values"]["s"].text == past["values"]["s"].text && sums["values"]["n"].number == past["values"]["n"].number)
        }
        return used
    }

    @Test func `queries find the same with indexes, while they are built and documents change, and after a restart`() async throws {
        let folder = TemporaryFolder()
        let saved = try await withDaemon(in: folder) { live in
            let client = try await DocumentClient.make(live)
            var random = SeededGenerator(11)
            for _ in 1...30 { try await Self.write(client, &random) }
            #expect(try await Self.compare(client) == 0)
            let reply = try await Self.declare(client, Self.declaration)
            #expect(try reply.status == 200 && JSON(reply)["indexes"].items.count == 4, "\(reply.text)")
            for _ in 1...10 { try await Self.write(client, &random) }
            _ = try await Self.compare(client)
            #expect(try await eventually { try await Self.isReady(client) })
            for _ in 1...5 {
                try await Self.write(client, &random)
                #expect(try await Self.compare(client) == Self.queries.count - 1, "all but one with an alternative without an index")
            }
            return (client.keys, client.key)
        }
        try await withDaemon(in: folder) { (live: LiveDaemon) async throws -> Void in
            let client = DocumentClient(live: live, keys: saved.0, key: saved.1)
            #expect(try await Self.compare(client) == Self.queries.count - 1)
            // Indexes that are no longer declared are not used, and come back whole.
            #expect(try await Self.declare(client, "{}").status == 200)
            #expect(try await Self.compare(client) == 0)
            #expect(try await Self.declare(client, Self.declaration).status == 200)
            #expect(try await eventually { try await Self.isReady(client) })
            #expect(try await Self.compare(client) == Self.queries.count - 1)
        }
    }

    @Test func `a query with an index examines only its result`() async throws {
        try await DocumentClient.use { client in
            for start in stride(from: 0, to: 2_000, by: 500) {
                let writes = (start..<start + 500).map { #"{"set": "users/u\#($0)", "fields": {"city": "Rome", "n": \#($0), "tags": []}}"# }
                _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            }
            #expect(try await Self.declare(client, Self.declaration).status == 200)
            #expect(try await eventually { try await Self.isReady(client) })
            let query = #"{"from": "users", "where": ["city", "==", "Rome"], "order": [["n", "desc"]], "limit": 20, "explain": true}"#
            let found = try await client.json("query", query)
            #expect(found["explain"]["examined"].number == 20 && found["documents"][0]["path"].text == "users/u1999")
            let count = #"{"from": "users", "where": ["n", ">=", 1000], "aggregates": {"n": {"count": true}}, "explain": true}"#
            let counted = try await client.json("aggregate", count)
            #expect(counted["values"]["n"].number == 1_000 && counted["explain"]["examined"].number == 0)
        }
    }

    @Test func `a file of Firebase is taken as it is: fields that expire, exemptions, and indexes that there are not`() async throws {
        try await DocumentClient.use { client in
            let vector = #"[{"fieldPath": "e", "vectorConfig": {"dimension": 3, "flat": {}}}]"#
            let body = #"""
                {"indexes": [
                    {"collectionGroup": "docs", "queryScope": "COLLECTION", "fields": \#(vector)},
                    {"collectionGroup": "docs", "queryScope": "COLLECTION_RECURSIVE", "fields": [{"fieldPath": "a", "order": "ASCENDING"}]},
                    {"collectionGroup": "docs", "queryScope": "COLLECTION", "fields": [{"fieldPath": "a", "order": "ASCENDING"}]}],
                 "fieldOverrides": [
                    {"collectionGroup": "sessions", "fieldPath": "expires", "ttl": true, "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION"}]},
                    {"collectionGroup": "wide", "fieldPath": "k", "indexes": []}]}
                """#
            func admin(_ path: String) async throws -> JSON {
                try JSON(await client.live.api.get("/v1/documents:\(path)", key: client.keys.admin))
            }
            let reply = try JSON(await Self.declare(client, body))
            #expect(reply["indexes"].items.map(\.["origin"].text).sorted() == ["declared", "declared", "ttl"])
            #expect(reply["leftOut"].items.map(\.["property"].text) == ["vectorConfig", "queryScope"])
            #expect(reply["leftOut"][1]["place"].text == "indexes[1]")
            #expect(try await admin("ttl")["fields"].items.map(\.["collection"].text) == ["sessions"])
            #expect(try await admin("indexes")["exemptions"].items.map(\.["fieldPath"].text) == ["k"])
            // Queries teach an index on one field, and none on the other.
            for start in stride(from: 0, to: 2_500, by: 500) {
                let writes = (start..<start + 500).map { #"{"set": "wide/d\#($0)", "fields": {"k": {"x": \#($0)}, "n": \#($0)}}"# }
                _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            }
            for field in ["k.x", "n"] {
                for _ in 1...4 { _ = try await client.json("query", #"{"from": "wide", "where": ["\#(field)", "==", 7]}"#) }
            }
            let learned = try await admin("indexes")["indexes"].items.filter { $0["origin"].text == "learned" }
            #expect(learned.map { $0["fields"][0]["fieldPath"].text } == ["n"])
            // An exemption drops what was learned; a file without ttl leaves the field of expiry, and one with false does not.
            let all = #"{"fieldOverrides": [{"collectionGroup": "wide", "fieldPath": "*", "indexes": []}]}"#
            #expect(try JSON(await Self.declare(client, all))["indexes"].items.map(\.["origin"].text) == ["ttl"])
            let not = #"{"fieldOverrides": [{"collectionGroup": "sessions", "fieldPath": "expires", "ttl": false}]}"#
            #expect(try await Self.declare(client, not).status == 200)
            #expect(try await admin("ttl")["fields"].items.isEmpty)
        }
    }

    @Test(arguments: [
        (#"{"indexes": 1}"#, "indexes"), (#"{"indexes": [{"collectionGroup": "a/b", "fields": []}]}"#, "indexes[0].collectionGroup"),
        (#"{"indexes": [{"collectionGroup": "a", "fields": []}]}"#, "indexes[0].fields"),
        (#"{"indexes": [{"collectionGroup": "a", "queryScope": "X", "fields": []}]}"#, "indexes[0].queryScope"),
        (#"{"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "b", "order": "UP"}]}]}"#, "indexes[0].fields[0].order"),
        (#"{"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "", "order": "ASCENDING"}]}]}"#, "indexes[0].fields[0].fieldPath"),
        (
            #"{"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "b", "order": "ASCENDING"}, {"fieldPath": "b", "order": "DESCENDING"}]}]}"#,
            "indexes[0].fields[1].fieldPath"
        ),
        (#"{"fieldOverrides": [{"collectionGroup": "a", "fieldPath": "b", "other": 1}]}"#, "fieldOverrides[0].other"), (#"{"x": 1}"#, "x"),
        (#"{"fieldOverrides": [{"collectionGroup": "a", "fieldPath": "*", "ttl": true}]}"#, "fieldOverrides[0].fieldPath"),
    ])
    func `an invalid declaration is refused by its place and changes nothing`(body: String, place: String) async throws {
        try await DocumentClient.use { client in
            #expect(try await Self.declare(client, Self.declaration).status == 200)
            let reply = try await Self.declare(client, body)
            #expect(try reply.status == 422 && JSON(reply)["errors"][0]["field"].text == place, "\(reply.text)")
            #expect(try JSON(await client.live.api.get("/v1/documents:indexes", key: client.keys.admin))["indexes"].items.count == 4)
        }
    }

    @Test func `an index has a list's field for its elements and for the order`() async throws {
        try await DocumentClient.use { client in
            let fields = #"[{"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "tags", "order": "ASCENDING"}]"#
            let reply = try await Self.declare(client, #"{"indexes": [{"collectionGroup": "a", "fields": \#(fields)}]}"#)
            #expect(try reply.status == 200 && JSON(reply)["indexes"].items.count == 1, "\(reply.text)")
        }
    }

    @Test func `a cursor with a text longer than keys finds what follows`() async throws {
        try await DocumentClient.use { client in
            let long = String(repeating: "q", count: 1_500)
            let writes = [("d1", "a", 1), ("d2", "b", 9), ("d3", "b", 1)].map { id, end, n in
                #"{"set": "cut/\#(id)", "fields": {"a": "\#(long)\#(end)", "n": \#(n)}}"#
            }
            _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            let queries = ["startAt", "startAfter", "endAt", "endBefore"].flatMap { cursor in
                [("asc", "asc"), ("desc", "desc")].map { a, n in
                    #"{"from": "cut", "order": [["a", "\#(a)"], ["n", "\#(n)"]], "\#(cursor)": ["\#(long)a", 5]}"#
                }
            }
            var scanned: [[String]] = []
            for query in queries { scanned.append(try await client.paths(query)) }
            #expect(scanned.contains(["cut/d3", "cut/d2"]) && scanned.contains(["cut/d1"]))
            let fields = #"[{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "n", "order": "ASCENDING"}]"#
            let declared = try await client.live.api.request(
                "PUT", "/v1/documents:indexes", key: client.keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"indexes": [{"collectionGroup": "cut", "queryScope": "COLLECTION", "fields": \#(fields)}]}"#.utf8))
            #expect(declared.status == 200)
            let usesIndex = try await eventually {
                try await client.json("query", String(queries[0].dropLast()) + #", "explain": true}"#)["explain"]["indexes"].items.count == 1
            }
            #expect(usesIndex)
            for (query, paths) in zip(queries, scanned) { #expect(try await client.paths(query) == paths, "\(query.suffix(40))") }
        }
    }
}
