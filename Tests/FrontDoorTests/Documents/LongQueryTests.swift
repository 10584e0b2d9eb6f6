// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Clients that send long queries without end, beside others.
@Suite struct LongQueryTests {
    private static let rules = "service cloud.firestore { match /databases/{d}/documents { match /a/{id} { allow read; } } }"
    /// Examines more documents than a short query may.
    private static let query = #"{"from": "a", "order": [["n", "asc"]], "limit": 1}"#
    private static let documents = 210
    private static let flood = 100
    /// The most long queries of one client that wait while no others do.
    private static let mostOfClient = 86

    private static func fill(_ client: DocumentClient) async throws {
        #expect(try await RuleWorld.set(rules, client).status == 200)
        let writes = (0..<documents).map { #"{"set": "a/d\#($0)", "fields": {"n": \#($0)}}"# }
        _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
    }

    /// Sends queries on connections of their own, and waits for no response.
    private static func send(
        _ count: Int, to client: DocumentClient, as key: String, from address: String = "192.0.2.1"
    ) async throws -> [HTTPConnection] {
        let headers = ["Content-Type": "application/json", "X-Forwarded-For": address]
        let request = TestClient.bytes("POST", "/v1/documents:query", key: key, headers: headers, body: Array(query.utf8))
        var connections: [HTTPConnection] = []
        for _ in 0..<count {
            let connection = try client.live.api.connect()
            try await connection.send(request)
            connections.append(connection)
        }
        return connections
    }

    private static func answered(_ connections: [HTTPConnection]) async throws -> Int {
        var count = 0
        for connection in connections {
            let hasReply = try await connection.hasReply()
            if hasReply { count += 1 }
        }
        return count
    }

    private static func replies(_ connections: [HTTPConnection]) async throws -> [Reply] {
        var replies: [Reply] = []
        for connection in connections { replies.append(try await connection.reply()) }
        return replies
    }

    /// The queries that rules have allowed, each once.
    private static func allowed(_ client: DocumentClient) async throws -> Double? {
        let name = #"signalbox_documents_rule_decisions_total{result="allowed"} "#
        let line = try await client.live.api.get("/metrics").lines.first { $0.hasPrefix(name) }
        return line.flatMap { Double($0.dropFirst(name.count)) }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `a flood of long queries of one client is refused alone`(isSignedIn: Bool) async throws {
        try await RuleWorld.use { world, client async throws in
            let other = try await DocumentClient.make(client.live, "other")
            for one in [client, other] { try await Self.fill(one) }
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            let key = isSignedIn ? ana.token : client.keys.ingest
            let (flood, others) = try await OccupiedReaders.use(client.live, .large, for: OccupiedReaders.user) {
                let flood = try await Self.send(Self.flood, to: client, as: key)
                let isFull = try await eventually { try await Self.answered(flood) == Self.flood - Self.mostOfClient }
                #expect(isFull)
                var others = try await Self.send(10, to: other, as: other.keys.ingest)
                others += try await Self.send(5, to: client, as: client.keys.ingest, from: "192.0.2.2")
                others += try await Self.send(5, to: client, as: bob.token)
                let sent = Double(flood.count + others.count)
                let areAllWaiting = try await eventually { try await Self.allowed(client).map { $0 >= sent } == true }
                #expect(areAllWaiting)
                return (flood, others)
            }
            for reply in try await Self.replies(others) { #expect(reply.status == 200, "\(reply.text)") }
            let replies = try await Self.replies(flood)
            #expect(replies.count { $0.status == 200 } == Self.mostOfClient)
            for refused in replies where refused.status != 200 {
                #expect(refused.status == 429 && refused.text.contains("overloaded") && refused.headers["retry-after"] == "1", "\(refused.text)")
            }
        }
    }

    /// The queries whose clients had left before their turn.
    private static func abandoned(_ client: DocumentClient) async throws -> Int {
        let name = #"signalbox_requests_total{route="/v1/documents:query",code="499"} "#
        let line = try await client.live.api.get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
    }

    @Test(.timeLimit(.minutes(5))) func `queries whose clients leave are not in line any more`() async throws {
        try await RuleWorld.use { _, client async throws in
            try await Self.fill(client)
            let last = try await OccupiedReaders.use(client.live, .large, for: OccupiedReaders.user) {
                let key = client.keys.ingest
                let flood = try await Self.send(Self.flood, to: client, as: key)
                let isFull = try await eventually { try await Self.answered(flood) == Self.flood - Self.mostOfClient }
                #expect(isFull)
                for connection in flood { await connection.close() }
                let areGone = try await eventually { try await Self.abandoned(client) == Self.mostOfClient }
                #expect(areGone)
                let allowed = try await Self.allowed(client) ?? 0
                let last = try await Self.send(Self.mostOfClient, to: client, as: key)
                let areWaiting = try await eventually { try await (Self.allowed(client) ?? 0) >= allowed + Double(Self.mostOfClient) }
                #expect(areWaiting)
                return last
            }
            for reply in try await Self.replies(last) { #expect(reply.status == 200, "\(reply.text)") }
        }
    }
}
