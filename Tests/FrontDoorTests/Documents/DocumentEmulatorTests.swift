// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    private static let document = #"{"fields":{"n":{"integerValue":"1"}}}"#

    /// The status of a request of Firestore's API with a bearer and no key of ours.
    private static func status(_ method: String, _ path: String, _ client: DocumentClient, bearer: String?, body: String = "") async throws -> Int {
        let target = "/v1/projects/\(client.keys.app)/databases/(default)/documents\(path)"
        let headers = bearer.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        return try await client.live.api.request(method, target, headers: headers, body: Array(body.utf8)).status
    }

    /// An ID token that nobody signed, as `@firebase/rules-unit-testing` makes it: its times are long over.
    private static func unsigned(_ claims: String, algorithm: String = "none", signature: String = "") -> String {
        let parts = [#"{"alg":"\#(algorithm)","typ":"JWT"}"#, claims].map { Data($0.utf8).base64EncodedString() }
        let texts = parts.map { $0.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") }
        return texts.joined(separator: ".") + ".\(signature)"
    }

    private static let ana = unsigned(#"{"iat":0,"exp":3600,"auth_time":0,"sub":"ana","user_id":"ana","aud":"p","iss":"x","admin":true}"#)

    @Test func `a test suite acts as owner, as users of its own and as nobody`() async throws {
        try await RuleWorld.use(configure: { ($0.accounts.emulator, $0.mode) = (true, .development) }) { world, client async throws in
            let rules =
                "service cloud.firestore { match /databases/{d}/documents {"
                + " match /own/{id} { allow read, write: if request.auth.uid == id && request.auth.token.admin; }"
                + " match /open/{id} { allow read: if request.auth == null; } } }"
            #expect(try await RuleWorld.set(rules, client).status == 200)
            for owner in ["owner", "Owner"] {
                #expect(try await Self.status("PATCH", "/own/ana", client, bearer: owner, body: Self.document) == 200)
                #expect(try await Self.status("POST", ":listCollectionIds", client, bearer: owner, body: "{}") == 200)
            }
            #expect(try await Self.status("PATCH", "/open/a", client, bearer: "owner", body: Self.document) == 200)
            let bob = Self.unsigned(#"{"user_id":"bob","admin":true}"#)
            let plain = Self.unsigned(#"{"sub":"ana"}"#)
            for (bearer, own, open) in [(Self.ana, 200, 403), (bob, 403, 403), (plain, 403, 403), (nil, 403, 200)] as [(String?, Int, Int)] {
                #expect(try await Self.status("GET", "/own/ana", client, bearer: bearer) == own, "\(bearer ?? "")")
                #expect(try await Self.status("GET", "/open/a", client, bearer: bearer) == open, "\(bearer ?? "")")
                #expect(try await Self.status("POST", ":listCollectionIds", client, bearer: bearer, body: "{}") == 401)
            }
            // A signature would have to be right, and a user must be named.
            for wrong in [
                Self.unsigned(#"{"sub":"ana"}"#, signature: "c2ln"), Self.unsigned(#"{"sub":"ana"}"#, algorithm: "HS256"), Self.unsigned("{}"),
            ] {
                #expect(try await Self.status("GET", "/own/ana", client, bearer: wrong) == 401)
            }
            // Real tokens and keys count as ever.
            let user = try await world.user()
            #expect(try await Self.status("GET", "/own/ana", client, bearer: user.token) == 403)
            #expect(try await Self.status("GET", "/own/ana", client, bearer: client.key) == 200)
            #expect(try await client.live.api.request("GET", "/v1/documents/own/ana", headers: ["Authorization": "Bearer owner"]).status == 401)
        }
    }

    @Test(arguments: [(false, true), (true, false)]) func `nobody does elsewhere`(isOn: Bool, isDevelopment: Bool) async throws {
        try await RuleWorld.use(configure: { ($0.accounts.emulator, $0.mode) = (isOn, isDevelopment ? .development : .production) }) {
            _, client async throws in
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {}}]}"#)
            #expect(try await Self.request("PUT", ":securityRules", client, Self.rules) == 404)
            #expect(try await Self.request("DELETE", "/databases/(default)/documents", client) == 404)
            #expect(try await client.fields("a/b") == "{}")
            #expect(try await RuleWorld.set("service cloud.firestore { match /{all=**} { allow read, write; } }", client).status == 200)
            for bearer in ["owner", Self.ana, nil] {
                #expect(try await Self.status("GET", "/a/b", client, bearer: bearer) == 401)
                #expect(try await Self.status("PATCH", "/a/b", client, bearer: bearer, body: Self.document) == 401)
            }
        }
    }

    @Test(arguments: [["Host": "example.org"], ["Origin": "https://example.org"], ["X-Forwarded-For": "192.0.2.7"]])
    func `another machine's page or client is nobody`(headers: [String: String]) async throws {
        try await RuleWorld.use(configure: { ($0.accounts.emulator, $0.mode) = (true, .development) }) { _, client async throws in
            for bearer in ["owner", Self.ana] {
                let target = "/v1/projects/\(client.keys.app)/databases/(default)/documents/a/b"
                let reply = try await client.live.api.request("GET", target, headers: headers.merging(["Authorization": "Bearer \(bearer)"]) { $1 })
                #expect([400, 401, 403, 421].contains(reply.status), "\(headers): \(reply.status)")
            }
        }
    }
}
