// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Denied gets: neither the answer nor its time tells whether the document is there.
@Suite struct DeniedGetTests {
    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{uid} { allow get: if request.auth.uid == uid; }
            match /posts/{id} { allow get: if resource.data.open == true; }
            match /lists/{id} { allow read, write: if resource.data.owners.size() == 1; }
          }
        }
        """
    /// Large where rules do not look at the document, as reading it takes as long as many answers.
    private static let documents = [("users/d-present", 1_000_000), ("posts/d-present", 500), ("other/d-present", 1_000_000)]

    private static func use(_ body: @Sendable (DocumentClient, _ token: String) async throws -> Void) async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(rules, client).status == 200)
            for (path, bytes) in documents {
                let text = String(repeating: "secret ", count: bytes / 7)
                _ = try await client.json("commit", #"{"writes": [{"set": "\#(path)", "fields": {"open": false, "text": "\#(text)"}}]}"#)
            }
            try await body(client, try await world.user().token)
        }
    }

    /// The status, the head without the date, and the body of an answer, without the ID of the request.
    private static func answer(_ reply: Reply) -> String {
        let id = reply.headers["x-request-id"] ?? ""
        let head = reply.headers.filter { $0.key != "date" && $0.key != "x-request-id" }.map { "\($0.key): \($0.value)" }.sorted()
        let body = id.isEmpty ? reply.text : reply.text.replacing(id, with: "")
        return "\(reply.status)\n\(head.joined(separator: "\n"))\n\(body)"
    }

    @Test func `an answer has nothing of the document, its path or its absence`() async throws {
        try await Self.use { client, token in
            for collection in ["users", "posts", "other", "nowhere"] {
                for key in [token, client.keys.ingest] {
                    var answers: [String] = []
                    for id in ["d-present", "d-missing"] {
                        let rest = "/v1/projects/\(client.keys.app)/databases/(default)/documents/\(collection)/\(id)"
                        let replies = [
                            try await client.live.api.get("/v1/documents/\(collection)/\(id)", key: key),
                            try await client.send("get", #"{"paths": ["\#(collection)/\#(id)"]}"#, key: key),
                            try await client.live.api.get(rest, key: key),
                        ]
                        #expect(replies.allSatisfy { $0.status == 403 && !$0.text.contains(id) && !$0.text.contains("secret") }, "\(replies)")
                        answers.append(replies.map(Self.answer).joined(separator: "\n\n"))
                    }
                    #expect(answers[0] == answers[1])
                }
            }
            // Nor do answers about documents that are not there differ, whether others are in the collection or below the document.
            _ = try await client.json("commit", #"{"writes": [{"set": "users/d-missing/orders/o1", "fields": {}}]}"#)
            var absent: Set<String> = []
            for path in ["users/d-missing", "users/other", "nowhere/x", "users/other/orders/o1"] {
                absent.insert(Self.answer(try await client.live.api.get("/v1/documents/\(path)", key: client.key)))
            }
            #expect(absent.count == 1 && absent.first?.hasPrefix("404") == true, "\(absent)")
        }
    }

    @Test func `a denial takes as long with a large document that rules read as without one`() async throws {
        try await Self.use { client, token in
            let owners = (0..<1_000).map { #""owner \#($0)""# }.joined(separator: ",")
            _ = try await client.json("commit", #"{"writes": [{"set": "lists/d-present", "fields": {"owners": [\#(owners)]}}]}"#)
            for method in ["GET", "PUT", "DELETE"] {
                let requests = ["d-present", "d-missing"].map { id in
                    let body = method == "PUT" ? Array(#"{"fields": {"a": 1}}"#.utf8) : []
                    return TestClient.bytes(method, "/v1/documents/lists/\(id)", key: token, body: body)
                }
                try await Self.requireEqualTimes(requests, client.live.api.connect(), method)
            }
        }
    }

    @Test(arguments: ["users", "posts", "other"]) func `an answer takes as long with a document as without`(collection: String) async throws {
        try await Self.use { client, token in
            let requests = ["d-present", "d-missing"].map { TestClient.bytes("GET", "/v1/documents/\(collection)/\($0)", key: token) }
            try await Self.requireEqualTimes(requests, client.live.api.connect(), collection)
        }
    }

    private static let factor = 1.5

    /// A busy machine may disturb a round, but not each of them in the same way.
    private static func requireEqualTimes(_ requests: [[UInt8]], _ connection: HTTPConnection, _ name: String) async throws {
        var ratios: [Double] = []
        for _ in 0..<5 {
            let medians = try await medians(requests, connection)
            ratios.append(medians[0] / medians[1])
            if (1 / factor...factor).contains(ratios[ratios.count - 1]) { return }
        }
        Issue.record("\(name): answers for documents that are there took \(ratios) of the time of others")
    }

    /// The median times of requests that take turns.
    private static func medians(_ requests: [[UInt8]], _ connection: HTTPConnection) async throws -> [Duration] {
        var times: [[Duration]] = requests.map { _ in [] }
        for turn in 0..<12 {
            for index in requests.indices {
                let chosen = turn.isMultiple(of: 2) ? index : requests.count - 1 - index
                let start = ContinuousClock.now
                #expect(try await connection.exchange(requests[chosen]).status == 403)
                times[chosen].append(.now - start)
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }
}
