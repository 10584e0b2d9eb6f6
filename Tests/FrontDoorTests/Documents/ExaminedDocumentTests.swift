// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentStore
import Platform
import TestSupport
import Testing

@testable import ingestd

/// The setting `documents.max_examined`, and what costly queries of clients teach.
@Suite struct ExaminedDocumentTests {
    private static let rules =
        "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { match /a/{id} { allow read: if true; } } }"

    @Test func `a read that exceeds its time limit is too expensive in every route`() {
        #expect(Refusal(hiding: ReadFault.tooSlow).code == .tooExpensive)
    }

    @Test func `a query of a client examines as many documents as the setting allows, one of a server any number`() async throws {
        try await RuleWorld.use(configure: { $0.store.documents.examinedByUser = 1_000 }) { _, client async throws in
            #expect(try await RuleWorld.set(Self.rules, client).status == 200)
            func add(_ range: Range<Int>) async throws {
                let writes = range.map { #"{"set": "a/d\#($0)", "fields": {"n": \#($0)}}"# }.joined(separator: ",")
                _ = try await client.json("commit", #"{"writes": [\#(writes)]}"#)
            }
            let query = #"{"from": "a", "where": ["n", ">=", 0], "order": [["n", "asc"]], "limit": 1}"#
            try await add(0..<1_000)
            #expect(try await client.send("query", query, key: client.keys.ingest).status == 200)
            try await add(1_000..<1_001)
            for (verb, body) in [("query", query), ("aggregate", #"{"from": "a", "where": ["n", ">=", 0], "aggregates": {"s": {"sum": "n"}}}"#)] {
                let refused = try await client.send(verb, body, key: client.keys.ingest)
                #expect(refused.status == 503 && refused.text.contains("too_expensive"), "\(refused.text)")
                #expect(try await client.send(verb, body).status == 200)
            }
        }
    }

    @Test func `wasteful queries of users teach indexes, also stopped ones, and those with an ingest key alone do not`() async throws {
        try await RuleWorld.use(configure: { $0.store.documents.examinedByUser = 2_200 }) { world, client async throws in
            let rules = "service cloud.firestore { match /databases/{d}/documents { match /{p=**} { allow read; } } }"
            #expect(try await RuleWorld.set(rules, client).status == 200)
            for (collection, count) in [("short", 2_100), ("long", 2_500)] {
                let writes = (0..<count).map { #"{"set": "\#(collection)/d\#($0)", "fields": {"n": \#($0), "z": \#($0)}}"# }
                _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            }
            let user = try await world.user()
            @Sendable func ask(_ collection: String, _ field: String, _ key: String) async throws -> Reply {
                try await client.send("query", #"{"from": "\#(collection)", "where": ["\#(field)", "==", 5]}"#, key: key)
            }
            @Sendable func learned() async throws -> [String] {
                let indexes = try JSON(try await client.live.api.get("/v1/documents:indexes", key: client.keys.admin))["indexes"].items
                return indexes.filter { $0["origin"].text == "learned" }.map { "\($0["collectionGroup"].text) \($0["fields"][0]["fieldPath"].text)" }
            }
            for _ in 1...6 {
                #expect(try await ask("short", "n", client.keys.ingest).status == 200)
                #expect(try await ask("long", "n", client.keys.ingest).status == 503)
            }
            #expect(try await learned().isEmpty)
            for _ in 1...2 { #expect(try await ask("short", "z", user.token).status == 200) }
            for _ in 1...2 {
                let refused = try await ask("long", "z", user.token)
                #expect(try refused.status == 503 && JSON(refused)["code"].text == "too_expensive", "\(refused.text)")
                #expect(refused.headers["retry-after"] == "60")
            }
            #expect(try await learned().isEmpty)
            #expect(try await ask("short", "z", user.token).status == 200)
            #expect(try await learned() == ["short z"])
            #expect(try await ask("long", "z", user.token).status == 503)
            #expect(try await learned() == ["short z", "long z"])
            // With its index the query that was stopped is cheap.
            #expect(try await eventually { try await ask("long", "z", user.token).status == 200 })
        }
    }
}
