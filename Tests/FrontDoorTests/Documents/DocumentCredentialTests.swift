// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Every route of documents and rules with every credential that it is not for.
@Suite struct DocumentCredentialTests {
    private typealias Row = (method: String, path: String, body: String?)

    private static let open = "service cloud.firestore { match /databases/{d}/documents { match /{p=**} { allow read, write; } } }"
    private static let admin: [Row] = [
        ("GET", "documents:indexes", nil), ("PUT", "documents:indexes", #"{"indexes": []}"#), ("GET", "documents:ttl", nil),
        ("PUT", "documents:ttl", #"{"fields": []}"#), ("GET", "documents:persons", nil), ("PUT", "documents:persons", #"{"patterns": []}"#),
        ("GET", "documents:export", nil), ("POST", "documents:import", #"{"end":true}"#), ("GET", "documents:rules", nil),
        ("PUT", "documents:rules", #"{"source": "\#(open)"}"#), ("POST", "documents:rules/test", #"{"testCases": []}"#),
        ("POST", "documents:rules/explain", #"{"get": "rooms/r1"}"#), ("POST", "documents:rules/shadow", #"{"source": "\#(open)"}"#),
        ("DELETE", "documents:rules/shadow", nil), ("GET", "files-rules", nil),
        ("PUT", "files-rules", #"{"source": "service firebase.storage { }"}"#), ("POST", "files-rules/test", #"{"path": "a", "method": "get"}"#),
    ]
    private static let data: [Row] = [("GET", "documents:changes", nil), ("POST", "documents:collections", "{}")]
    private static let read: [Row] = [
        ("GET", "documents:rules/shadow", nil), ("GET", "documents:denials", nil), ("GET", "documents:statistics", nil),
        ("GET", "documents:listeners", nil),
    ]
    /// Routes for keys with one of two roles and for users; rules decide about the latter and about ingest keys.
    private static let clients: [Row] = [
        ("GET", "documents/rooms/r1", nil), ("GET", "documents/rooms", nil), ("PUT", "documents/rooms/r1", #"{"fields": {}}"#),
        ("PATCH", "documents/rooms/r1", #"{"fields": {"n": 1}}"#), ("POST", "documents/rooms", #"{"fields": {}}"#),
        ("DELETE", "documents/rooms/r1", nil), ("POST", "documents:get", #"{"paths": ["rooms/r1"]}"#),
        ("POST", "documents:query", #"{"from": "rooms"}"#),
        ("POST", "documents:aggregate", #"{"from": "rooms", "aggregates": {"n": {"count": true}}}"#),
        ("POST", "documents:commit", #"{"writes": [{"delete": "rooms/r1"}]}"#), ("POST", "documents:listen/str_none", "{}"),
    ]
    private static let emulator: [Row] = [
        ("PUT", "emulator/v1/projects/APP:securityRules", #"{"rules": {"files": [{"content": "\#(open)"}]}}"#),
        ("DELETE", "emulator/v1/projects/APP/databases/(default)/documents", nil),
    ]

    private static let rooms = #""structuredQuery":{"from":[{"collectionId":"rooms"}]}"#
    private static let group =
        #""structuredQuery":{"from":[{"collectionId":"rooms","allDescendants":true}],"orderBy":[{"field":{"fieldPath":"__name__"}}]}"#
    private static let count = #"{"structuredAggregationQuery":{\#(rooms),"aggregations":[{"count":{}}]}}"#
    /// Firestore's API, below the root of the documents. `~/` is the root of names.
    private static let firestore: [Row] = [
        ("POST", ":commit", #"{"writes":[{"delete":"~/rooms/r1"}]}"#), ("POST", ":batchWrite", #"{"writes":[{"delete":"~/rooms/r1"}]}"#),
        ("POST", ":batchGet", #"{"documents":["~/rooms/r1"]}"#), ("POST", ":beginTransaction", "{}"),
        ("POST", ":rollback", #"{"transaction":"AAAA"}"#), ("POST", ":runQuery", "{\(rooms)}"), ("POST", "/rooms/r1:runQuery", "{\(rooms)}"),
        ("POST", ":runAggregationQuery", count), ("POST", "/rooms/r1:runAggregationQuery", count), ("POST", ":listCollectionIds", "{}"),
        ("POST", "/rooms/r1:listCollectionIds", "{}"), ("POST", ":partitionQuery", #"{\#(group),"partitionCount":"3"}"#),
        ("POST", "/rooms/r1:partitionQuery", #"{\#(group),"partitionCount":"3"}"#), ("GET", "/rooms/r1", nil), ("GET", "/rooms", nil),
        ("GET", "/rooms?showMissing=true", nil), ("POST", "/rooms?documentId=r2", #"{"fields":{}}"#), ("PATCH", "/rooms/r1", #"{"fields":{}}"#),
        ("DELETE", "/rooms/r1", nil),
    ]

    /// An app that has something in every store behind the routes, each with the word `secret` in it.
    private struct Victim {
        let client: DocumentClient
        let user: AccountWorld.Session
        var root: String { "projects/\(client.keys.app)/databases/(default)/documents" }

        static func make(_ live: LiveDaemon) async throws -> Victim {
            let client = try await DocumentClient.make(live, "theirs")
            let method = Array(#"{"auth_methods": "password"}"#.utf8)
            #expect(try await live.api.request("PATCH", "/v1/app", key: client.keys.admin, body: method).status == 200)
            let account = #"{"email": "bob@example.org", "password": "\#(AccountWorld.password)"}"#
            let session = try await live.api.post("/v1/auth/sign-up", key: client.keys.ingest, account)
            let victim = Victim(client: client, user: try AccountWorld.Session(session))
            try await victim.fill()
            return victim
        }

        private func fill() async throws {
            let writes = ["rooms/r1", "rooms/r1/secrets/s"].map { #"{"set": "\#($0)", "fields": {"secret": "secret"}}"# }
            _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            let rules = "service cloud.firestore { match /databases/{d}/documents { match /secrets/{x} { allow read: if false; } } }"
            let fields = #"[{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "secret", "order": "ASCENDING"}]"#
            let storage = "service firebase.storage { match /b/{b}/o { match /secrets/{f} { allow read: if false; } } }"
            for (route, body) in [
                ("documents:rules", #"{"source": "\#(rules)"}"#), ("files-rules", #"{"source": "\#(storage)"}"#),
                ("documents:indexes", #"{"indexes": [{"collectionGroup": "secrets", "queryScope": "COLLECTION", "fields": \#(fields)}]}"#),
                ("documents:ttl", #"{"fields": [{"collection": "secrets", "field": "secret"}]}"#),
                ("documents:persons", #"{"patterns": [{"path": "secrets/{uid}/**"}]}"#),
            ] {
                let reply = try await send("PUT", route, body)
                #expect(reply.status == 200, "\(route): \(reply.text)")
            }
            // A denial, for the list of them.
            #expect(try await client.send("get", #"{"paths": ["secrets/s"]}"#, key: client.keys.ingest).status == 403)
        }

        func send(_ method: String, _ route: String, _ body: String? = nil) async throws -> Reply {
            try await client.live.api.request(method, "/v1/\(route)", key: client.keys.admin, body: body.map { Array($0.utf8) })
        }

        /// The contents of the app's stores.
        func state() async throws -> [String] {
            var out: [String] = []
            for route in ["documents:rules", "documents:ttl", "documents:persons", "files-rules"] { out.append(try await send("GET", route).text) }
            let indexes = try JSON(try await send("GET", "documents:indexes"))["indexes"].items
            for index in indexes {
                let fields = index["fields"].items.map { $0["fieldPath"].text }
                out.append("\(index["collectionGroup"].text) \(fields.joined(separator: " "))")
            }
            for path in ["rooms/r1", "rooms/r1/secrets/s"] { out.append(try await client.fields(path) ?? "none") }
            let ids = try await client.json("collections", "{}")["items"].items.map(\.text)
            let paths = try await client.paths(#"{"from": "rooms"}"#)
            return out + ids + paths
        }
    }

    private static func use(_ body: @Sendable (AccountWorld, DocumentClient, Victim) async throws -> Void) async throws {
        try await RuleWorld.use { world, own async throws in
            #expect(try await RuleWorld.set(Self.open, own).status == 200)
            let victim = try await Victim.make(world.live)
            let before = try await victim.state()
            #expect(before.prefix(7).allSatisfy { $0.contains("secret") }, "\(before)")
            try await body(world, own, victim)
            let after = try await victim.state()
            #expect(after == before)
        }
    }

    private static func send(_ row: Row, _ target: String, _ key: String?, _ api: TestClient) async throws -> Reply {
        try await api.request(row.method, target, key: key, headers: ["Content-Type": "application/json"], body: row.body.map { Array($0.utf8) })
    }

    private static func isRefused(_ reply: Reply) -> Bool { [401, 403, 404].contains(reply.status) && !reply.text.contains("secret") }

    @Test func `a native route answers no credential of another role, and none shows or changes another app's documents`() async throws {
        try await Self.use { world, own, victim async throws in
            let (api, theirs) = (world.live.api, victim.client.keys)
            let ana = try await world.user()
            // The role of keys that a credential has; admin keys may do what others may.
            let strangers: [(role: String, key: String?)] = [
                ("none", nil), ("none", "nonsense"), ("none", ana.token + "x"), ("user", ana.token), ("ingest", own.keys.ingest),
                ("read", own.keys.read), ("send", own.keys.send), ("data", own.key), ("admin", own.keys.admin),
            ]
            let theirOwn = [("user", victim.user.token), ("ingest", theirs.ingest), ("read", theirs.read), ("send", theirs.send)]
            for (role, rows) in [("admin", Self.admin), ("data", Self.data), ("read", Self.read)] {
                for row in rows {
                    for app in ["", "?app=\(theirs.app)", "?app=theirs"] {
                        for stranger in strangers {
                            let reply = try await Self.send(row, "/v1/\(row.path)\(app)", stranger.key, api)
                            let place = "\(row.method) \(row.path)\(app) of \(stranger.role): \(reply.status) \(reply.text)"
                            #expect(!reply.text.contains("secret") && reply.status < 500, "\(place)")
                            if ![role, "admin"].contains(stranger.role) { #expect(Self.isRefused(reply), "\(place)") }
                        }
                        for (name, key) in theirOwn where name != role {
                            let reply = try await Self.send(row, "/v1/\(row.path)\(app)", key, api)
                            #expect(Self.isRefused(reply), "\(row.method) \(row.path)\(app) of their \(name): \(reply.status) \(reply.text)")
                        }
                    }
                }
            }
            for row in Self.clients {
                for app in ["", "?app=\(theirs.app)"] {
                    for stranger in strangers {
                        let reply = try await Self.send(row, "/v1/\(row.path)\(app)", stranger.key, api)
                        let place = "\(row.method) \(row.path)\(app) of \(stranger.role): \(reply.status) \(reply.text)"
                        #expect(!reply.text.contains("secret") && reply.status < 500, "\(place)")
                        if ["none", "read", "send"].contains(stranger.role) { #expect(Self.isRefused(reply), "\(place)") }
                    }
                }
                for (name, key) in theirOwn {
                    let reply = try await Self.send(row, "/v1/\(row.path)", key, api)
                    #expect(Self.isRefused(reply), "\(row.method) \(row.path) of their \(name): \(reply.status) \(reply.text)")
                }
            }
        }
    }

    @Test func `a route of Firestore's API refuses every credential of another app and of another role`() async throws {
        try await Self.use { world, own, victim async throws in
            let (api, theirs) = (world.live.api, victim.client.keys)
            let ana = try await world.user()
            let wrong: [(name: String, key: String?)] = [
                ("none", nil), ("nonsense", "nonsense"), ("a forged token", ana.token + "x"), ("another app's user", ana.token),
                ("another app's ingest", own.keys.ingest), ("another app's read", own.keys.read), ("another app's send", own.keys.send),
                ("another app's data", own.key), ("another app's admin", own.keys.admin), ("their read", theirs.read), ("their send", theirs.send),
            ]
            for row in Self.firestore {
                let request: Row = (row.method, row.path, row.body?.replacing("~/", with: victim.root + "/"))
                for (name, key) in wrong {
                    let reply = try await Self.send(request, "/v1/\(victim.root)\(row.path)", key, api)
                    #expect(Self.isRefused(reply), "\(row.method) \(row.path) of \(name): \(reply.status) \(reply.text)")
                }
                // The rules allow nothing, but a transaction may begin and end, and a batch is answered write by write.
                for (name, key) in [("user", victim.user.token), ("ingest", theirs.ingest)] {
                    let reply = try await Self.send(request, "/v1/\(victim.root)\(row.path)", key, api)
                    let isAnswered = [":beginTransaction", ":rollback", ":batchWrite"].contains(row.path) && reply.status < 500
                    let isRight = Self.isRefused(reply) || isAnswered && !reply.text.contains("secret")
                    #expect(isRight, "\(row.method) \(row.path) of their \(name): \(reply.status) \(reply.text)")
                }
            }
            let others: [(name: String, key: String?)] = [("owner", "owner"), ("their admin", theirs.admin)]
            for row in Self.emulator {
                let target = "/\(row.path.replacing("APP", with: String(theirs.app)))"
                for (name, key) in wrong + others {
                    let reply = try await Self.send(row, target, key, api)
                    #expect(reply.status == 404, "\(row.method) \(target) of \(name): \(reply.status) \(reply.text)")
                }
            }
        }
    }
}
