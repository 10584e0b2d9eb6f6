// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// The routes of Google's emulator, in development and elsewhere.
@Suite struct DocumentEmulatorTests {
    private static let rules =
        #"{"rules": {"files": [{"name": "firestore.rules", "content": "service cloud.firestore { match /databases/{d}/documents { match /a/{b} { allow write; } } }"}]}}"#

    private static func request(_ method: String, _ path: String, _ client: DocumentClient, _ body: String? = nil) async throws -> Int {
        let target = "/emulator/v1/projects/\(client.keys.app)\(path)"
        return try await client.live.api.request(method, target, body: body.map { Array($0.utf8) }).status
    }

    @Test func `a test suite sets rules and begins anew`() async throws {
        try await RuleWorld.use(configure: { ($0.accounts.emulator, $0.mode) = (true, .development) }) { _, client async throws in
            #expect(try await Self.request("PUT", ":securityRules", client, Self.rules) == 200)
            #expect(try await RuleWorld.commit(#"{"set": "a/b", "fields": {}}"#, client, client.keys.ingest) == 200)
            #expect(try await RuleWorld.commit(#"{"set": "b/b", "fields": {}}"#, client, client.keys.ingest) == 403)
            let other = try await DocumentClient.make(client.live, "other")
            for one in [client, other] {
                let writes = (0..<1_200).map { #"{"set": "many/m\#($0)/deep/d", "fields": {}}"# }.joined(separator: ",")
                _ = try await one.json("commit", #"{"writes": [\#(writes)]}"#)
            }
            let follower = try await DocumentFollower(client, #"{"targets": [{"target": 1, "document": "a/b"}]}"#)
            try await follower.follow(untilCurrent: [1])
            #expect(try await Self.request("DELETE", "/databases/other/documents", client) == 404)
            #expect(try await Self.request("DELETE", "/databases/(default)/documents", client) == 200)
            try await follower.follow { $0.results[1]?.isEmpty ?? false }
            await follower.close()
            #expect(try await client.paths(#"{"from": "deep", "group": true}"#) == [])
            #expect(try await other.paths(#"{"from": "deep", "group": true}"#).count == 1_200)
            for body in ["{}", #"{"rules": {}}"#, #"{"rules": {"files": []}}"#, #"{"rules": {"files": [{"content": "x"}]}}"#] {
                #expect(try await Self.request("PUT", ":securityRules", client, body) == 422, "\(body)")
            }
            let page = try await client.live.api.request(
                "DELETE", "/emulator/v1/projects/\(client.keys.app)/databases/(default)/documents", headers: ["Origin": "https://example.org"])
            #expect(page.status == 404)
        }
    }

    @Test(arguments: [(false, true), (true, false)]) func `nobody does elsewhere`(isOn: Bool, isDevelopment: Bool) async throws {
        try await RuleWorld.use(configure: { ($0.accounts.emulator, $0.mode) = (isOn, isDevelopment ? .development : .production) }) {
            _, client async throws in
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {}}]}"#)
            #expect(try await Self.request("PUT", ":securityRules", client, Self.rules) == 404)
            #expect(try await Self.request("DELETE", "/databases/(default)/documents", client) == 404)
            #expect(try await client.fields("a/b") == "{}")
        }
    }
}
