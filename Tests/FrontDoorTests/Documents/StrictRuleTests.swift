// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// The app's setting `strict_rules`, with which a query is allowed only where Google's emulator takes its conditions for a proof.
@Suite struct StrictRuleTests {
    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /numbers/{id} { allow read: if resource.data.i <= 2; }
            match /posts/{id} { allow read: if resource.data.get('private', false) == false; }
            match /lists/{id} { allow read: if resource.data.l.hasAll(['a']); }
          }
        }
        """

    /// Queries, and whether they are allowed without and with the setting.
    private static let queries = [
        (#"{"from": "numbers", "where": ["i", "<=", 1.0]}"#, true, false), (#"{"from": "lists", "where": ["l", "contains", "a"]}"#, true, false),
        (#"{"from": "numbers", "where": ["i", "<=", 1]}"#, true, true), (#"{"from": "numbers", "where": ["i", "==", 1.0]}"#, true, true),
        (#"{"from": "posts"}"#, true, false), (#"{"from": "posts", "where": ["private", "==", false]}"#, true, true),
        (#"{"from": "lists", "where": ["l", "==", ["a", "b"]]}"#, true, true), (#"{"from": "numbers", "where": ["i", "<=", 3]}"#, false, false),
    ]

    @Test func `the setting decides which conditions prove a query, for answers, explanations, test cases and candidates`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(Self.rules, client).status == 200)
            let source = Self.rules.replacing("\n", with: "\\n")
            for isStrict in [false, true, false] {
                try await world.set(#"{"strict_rules": \#(isStrict)}"#)
                let shadow = try await client.live.api.post("/v1/documents:rules/shadow", key: client.keys.admin, #"{"source": "\#(source)"}"#)
                #expect(shadow.status / 100 == 2, "\(shadow.text)")
                for (query, lenient, strict) in Self.queries {
                    let isAllowed = isStrict ? strict : lenient
                    #expect(try await client.send("query", query, key: client.keys.ingest).status == (isAllowed ? 200 : 403), "\(query)")
                    for more in ["", #", "source": "\#(source)""#] {
                        let body = #"{"query": \#(query)\#(more)}"#
                        let explained = try await client.live.api.post("/v1/documents:rules/explain", key: client.keys.admin, body)
                        #expect(try JSON(explained)["allowed"].bool == isAllowed, "\(query): \(explained.text)")
                    }
                }
                let test = #"{"path": "numbers", "method": "list", "query": {"where": [["i", "<=", {"$double": 1}]]}}"#
                let cases = #"{"testCases": [{"name": "t", "expectation": "\#(isStrict ? "DENY" : "ALLOW")", "request": \#(test)}]}"#
                let tested = try await client.live.api.post("/v1/documents:rules/test", key: client.keys.admin, cases)
                #expect(try JSON(tested)["passed"].number == 1, "\(tested.text)")
                let compared = try JSON(await client.live.api.get("/v1/documents:rules/shadow", key: client.keys.read))
                #expect(compared["compared"].number == Self.queries.count && compared["items"].items.isEmpty)
            }
        }
    }
}
