// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentStore
import Platform
import TestSupport
import Testing

@testable import ingestd

/// The setting `documents.max_examined`.
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
}
