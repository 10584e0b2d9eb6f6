// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import TestSupport
import Testing

@testable import ingestd

/// Clients that do not read the responses of queries, beside others.
@Suite struct UnreadQueryTests {
    private typealias Connection = TestSupport.HTTPConnection

    /// The response to a query is between a fifth and a quarter of the memory.
    private static let memory = 8 << 20

    /// - Parameter turn: The time for which requests wait. Without it, those without room are refused at once.
    private static func use(turn: Duration = .zero, _ body: @Sendable (FirestoreClient) async throws -> Void) async throws {
        try await withDaemon(configure: {
            $0.http.caps.responseMemory = memory
            $0.http.deadlines.unreadResponse = .seconds(3_600)
            $0.http.deadlines.responseTurn = turn
        }) { live in
            let client = try await make("ours", live)
            try await body(client)
        }
    }

    private static func make(_ app: String, _ live: LiveDaemon) async throws -> FirestoreClient {
        let client = try await DocumentClient.make(live, app)
        let text = String(repeating: "x", count: 480 << 10)
        for number in 0..<4 {
            _ = try await client.json("commit", #"{"writes": [{"set": "big/b\#(number)", "fields": {"text": "\#(text)"}}]}"#)
        }
        return FirestoreClient(documents: client)
    }

    /// Asks for all documents, and reads the head of the response only.
    private static func ask(
        _ client: FirestoreClient, from address: String, firestore: Bool
    ) async throws -> (connection: Connection, head: Reply) {
        let connection = try await send(client, from: address, firestore: firestore)
        return (connection, try await connection.head())
    }

    private static func send(_ client: FirestoreClient, from address: String, firestore: Bool) async throws -> Connection {
        let documents = client.documents
        let connection = try Connection(.port(documents.live.api.port), receiveBuffer: 4_096)
        let (path, body) =
            firestore
            ? ("/v1/\(client.root):runQuery", #"{"structuredQuery": {"from": [{"collectionId": "big"}]}}"#)
            : ("/v1/documents:query", #"{"from": "big"}"#)
        try await connection.send(
            TestClient.bytes("POST", path, key: documents.key, headers: ["X-Forwarded-For": address], body: Array(body.utf8)))
        return connection
    }

    private static func query(_ client: FirestoreClient, from address: String) async throws -> Reply {
        try await client.documents.live.api.request(
            "POST", "/v1/documents:query", key: client.documents.key, headers: ["X-Forwarded-For": address], body: Array(#"{"from": "big"}"#.utf8))
    }

    @Test(arguments: [false, true])
    func `queries whose responses nobody reads take bounded memory, and others are answered`(firestore: Bool) async throws {
        try await Self.use { client in
            let live = client.documents.live
            @Sendable func unsent() -> Int { live.daemon.server.statistics?.unsentResponseBytes ?? 0 }
            var connections: [Connection] = []
            var statuses: [Int] = []
            for _ in 0..<8 {
                let (connection, head) = try await Self.ask(client, from: "192.0.2.1", firestore: firestore)
                if head.status == 429 { #expect(head.headers["retry-after"] == "1") }
                connections.append(connection)
                statuses.append(head.status)
            }
            #expect(statuses == [200, 200] + [Int](repeating: 429, count: 6))
            #expect((Self.memory / 4..<Self.memory / 2 + 100_000).contains(unsent()))
            let metrics = try await live.api.get("/metrics").text
            #expect(metrics.contains("signalbox_response_memory_bytes") && !metrics.contains("signalbox_response_memory_bytes 0"))
            // Another address, another app of the same address, and requests with small responses go on.
            #expect(try await Self.query(client, from: "192.0.2.2").status == 200)
            #expect(try await eventually { unsent() < Self.memory / 2 })
            let other = try await Self.make("other", live)
            #expect(try await Self.query(other, from: "192.0.2.1").status == 200)
            let write = #"{"writes": [{"set": "small/s", "fields": {}}]}"#
            let written = try await live.api.request(
                "POST", "/v1/documents:commit", key: client.documents.key, headers: ["X-Forwarded-For": "192.0.2.1"], body: Array(write.utf8))
            #expect(written.status == 200)
            #expect(try await Self.query(client, from: "192.0.2.1").status == 429)
            for connection in connections { await connection.close() }
            #expect(try await eventually { unsent() == 0 })
            #expect(try await Self.query(client, from: "192.0.2.1").status == 200)
        }
    }

    @Test(arguments: [false, true])
    func `a client that reads gets the results of all queries that it sends at once`(firestore: Bool) async throws {
        try await Self.use(turn: .seconds(3_600)) { client in
            let live = client.documents.live
            var connections: [Connection] = []
            for _ in 0..<8 { connections.append(try await Self.send(client, from: "192.0.2.1", firestore: firestore)) }
            #expect(try await eventually { live.daemon.server.statistics?.waitingResponses == 6 })
            #expect(try await Self.query(client, from: "192.0.2.2").status == 200, "another address does not wait")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for connection in connections { group.addTask { try await connection.reply().status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [Int](repeating: 200, count: 8))
            #expect(try await eventually { live.daemon.server.statistics.map { $0.unsentResponseBytes + $0.waitingResponses } == 0 })
        }
    }

    @Test func `a client that leaves is no longer in line, and those behind it are answered`() async throws {
        try await Self.use(turn: .seconds(3_600)) { client in
            let live = client.documents.live
            @Sendable func waiting() -> Int? { live.daemon.server.statistics?.waitingResponses }
            var unread: [Connection] = []
            for _ in 0..<2 { unread.append(try await Self.ask(client, from: "192.0.2.1", firestore: false).connection) }
            var line: [Connection] = []
            for number in 1...4 {
                line.append(try await Self.send(client, from: "192.0.2.1", firestore: false))
                #expect(try await eventually { waiting() == number })
            }
            for leaving in [1, 0, 3] { await line[leaving].close() }
            #expect(try await eventually { waiting() == 1 })
            let count = "signalbox_requests_total{route=\"/v1/documents:query\",code=\"499\"} 3\n"
            let areCounted = try await eventually { try await live.api.get("/metrics").text.contains(count) }
            #expect(areCounted)
            for connection in unread { await connection.close() }
            #expect(try await line[2].reply().status == 200)
            // All may leave, and others wait again.
            for _ in 0..<2 { unread.append(try await Self.ask(client, from: "192.0.2.1", firestore: false).connection) }
            let last = try await Self.send(client, from: "192.0.2.1", firestore: false)
            #expect(try await eventually { waiting() == 1 })
            await last.close()
            #expect(try await eventually { waiting() == 0 })
            let next = try await Self.send(client, from: "192.0.2.1", firestore: false)
            #expect(try await eventually { waiting() == 1 })
            for connection in unread { await connection.close() }
            #expect(try await next.reply().status == 200)
        }
    }
}
