// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct DocumentHoldTests {
    private static let (clients, tries) = (50, 6)

    /// Adds one to a counter as a transaction. Returns whether one of the tries succeeds.
    private static func increment(_ client: DocumentClient) async throws -> Bool {
        for attempt in 1...tries {
            let read = try await client.json("get", #"{"paths": ["hot/c"], "retry": \#(attempt > 1)}"#)
            let (document, hold) = (read["documents"][0], read["hold"].text)
            let write = #"{"update": "hot/c", "fields": {"n": \#(document["fields"]["n"].number + 1)}}"#
            let reads = #"[{"path": "hot/c", "version": \#(document["version"].number)}]"#
            let held = hold.isEmpty ? "" : #", "hold": "\#(hold)""#
            let reply = try await client.send("commit", #"{"writes": [\#(write)], "reads": \#(reads)\#(held)}"#)
            if reply.status == 200 { return true }
            #expect(reply.status == 409, "\(reply.text)")
        }
        return false
    }

    @Test func `fifty clients increment one counter, each within six tries`() async throws {
        try await DocumentClient.use { client in
            _ = try await client.json("commit", #"{"writes": [{"set": "hot/c", "fields": {"n": 0}}]}"#)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<Self.clients { group.addTask { try await Self.increment(client) } }
                for try await isDone in group { #expect(isDone) }
            }
            #expect(try await client.fields("hot/c") == #"{"n":\#(Self.clients)}"#)
        }
    }

    @Test func `fifty transactions of Firestore increment one counter, each within six tries`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit(FirestoreClient.set("hot/c", 0))
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<Self.clients { group.addTask { try await Self.increment(client) } }
                for try await isDone in group { #expect(isDone) }
            }
            #expect(try await client.documents.fields("hot/c") == #"{"n":\#(Self.clients)}"#)
        }
    }

    private static func increment(_ client: FirestoreClient) async throws -> Bool {
        var earlier = ""
        for attempt in 1...tries {
            let options = attempt > 1 ? #"{"options":{"readWrite":{"retryTransaction":"\#(earlier)"}}}"# : "{}"
            earlier = try await client.json("POST", ":beginTransaction", options)["transaction"].text
            let read = try await client.json("POST", ":batchGet", #"{"documents":["~/hot/c"],"transaction":"\#(earlier)"}"#)
            let number = Int(read[0]["found"]["fields"]["n"]["integerValue"].text) ?? 0
            let body = #"{"writes":[\#(FirestoreClient.set("hot/c", number + 1))],"transaction":"\#(earlier)"}"#
            let reply = try await client.send("POST", ":commit", body)
            if reply.status == 200 { return true }
            #expect(reply.status == 409, "\(reply.text)")
        }
        return false
    }

    /// Whether one of some tries takes less time than what waits for a hold. On a slow machine anything may take as long.
    private static func isQuick(_ body: () async throws -> Void, after prepare: () async throws -> Void = {}) async throws -> Bool {
        for _ in 1...10 {
            try await prepare()
            if try await ContinuousClock().measure(body) < .milliseconds(1_500) { return true }
        }
        return false
    }

    @Test func `a holder that disappears delays others by two seconds, and a commit without writes ends a hold at once`() async throws {
        try await DocumentClient.use { client in
            _ = try await client.json("commit", #"{"writes": [{"set": "hot/c", "fields": {"n": 0}}]}"#)
            func hold() async throws -> String { try await client.json("get", #"{"paths": ["hot/c"], "retry": true}"#)["hold"].text }
            func set() async throws { _ = try await client.json("commit", #"{"writes": [{"set": "hot/c", "fields": {"n": 1}}]}"#) }
            let delay = try await ContinuousClock().measure {
                let isHeld = try await !hold().isEmpty
                #expect(isHeld)
                try await set()
            }
            #expect(delay >= .milliseconds(1_500))
            func end(_ hold: String) async throws { _ = try await client.json("commit", #"{"hold": "\#(hold)"}"#) }
            var other = ""
            let endsQuickly = try await Self.isQuick {
                try await end(other)
            } after: {
                other = try await hold()
            }
            #expect(endsQuickly)
            let isFree = try await Self.isQuick {
                try await set()
            } after: {
                try await end(try await hold())
            }
            #expect(isFree, "nobody holds it")
            // Reads without a hold never wait.
            let readsQuickly = try await Self.isQuick {
                _ = try await client.json("get", #"{"paths": ["hot/c"]}"#)
            } after: {
                _ = try await hold()
            }
            #expect(readsQuickly)
        }
    }

    /// Requests that wait for the document while it is held.
    fileprivate static let waits = [
        ("commit", #"{"writes": [{"set": "hot/c", "fields": {"n": 1}}]}"#), ("get", #"{"paths": ["hot/c"], "retry": true}"#),
        ("query", #"{"from": "hot", "retry": true}"#),
    ]

    /// Sends a request that waits for a held document. Returns its connection once it waits.
    private static func wait(_ client: DocumentClient, _ verb: String, _ body: String) async throws -> HTTPConnection {
        while true {
            _ = try await client.json("commit", #"{"writes": [{"set": "hot/c", "fields": {"n": 0}}]}"#)
            _ = try await client.json("get", #"{"paths": ["hot/c"], "retry": true}"#)
            let connection = try client.live.api.connect()
            try await connection.send(
                TestClient.bytes(
                    "POST", "/v1/documents:\(verb)", key: client.key, headers: ["Content-Type": "application/json"], body: Array(body.utf8)))
            // On a slow machine the hold may be over before the request arrives.
            let metric = "\nsignalbox_documents_waiting 1\n"
            let waits = try await eventually(within: .seconds(2)) { try await client.live.api.get("/metrics").text.contains(metric) }
            if waits { return connection }
            _ = try await connection.reply()
        }
    }

    @Test(arguments: DocumentHoldTests.waits)
    func `a daemon that stops refuses at once what waits for a held document`(verb: String, body: String) async throws {
        for _ in 1...20 {
            let reply = try await withDaemon { live in
                let connection = try await Self.wait(DocumentClient.make(live), verb, body)
                live.daemon.beginDrain()
                return try await connection.reply()
            }
            // On a slow machine the hold may be over before the daemon stops.
            if reply.status == 200 { continue }
            let code = try JSON(reply)["code"].text
            #expect(reply.status == 503 && code == "draining", "\(reply.text)")
            return
        }
        Issue.record("no request was refused")
    }

    @Test(arguments: DocumentHoldTests.waits)
    func `a client that leaves waits for a held document no more, and its commit is not made`(verb: String, body: String) async throws {
        try await DocumentClient.use { client in
            let left = "\nsignalbox_requests_total{route=\"/v1/documents:\(verb)\",code=\"499\"} 1\n"
            for _ in 1...20 {
                try await Self.wait(client, verb, body).close()
                // On a slow machine the hold may be over before the client leaves.
                let isCounted = try await eventually(within: .seconds(3)) { try await client.live.api.get("/metrics").text.contains(left) }
                if isCounted {
                    let (metrics, fields) = (try await client.live.api.get("/metrics").text, try await client.fields("hot/c"))
                    #expect(metrics.contains("\nsignalbox_documents_waiting 0\n") && fields == #"{"n":0}"#, "\(fields ?? "none")")
                    return
                }
            }
            Issue.record("no request noticed that its client left")
        }
    }

    @Test func `the documents of a query are held, and what is in the past is not`() async throws {
        try await DocumentClient.use { client in
            let set = #"{"writes": [{"set": "c/a", "fields": {"n": 1}}, {"set": "c/b", "fields": {"n": 2}}]}"#
            let stamp = try await client.json("commit", set)["stamp"]
            let query = #"{"from": "c", "where": ["n", "==", 1], "retry": true}"#
            let found = try await client.json("query", query)
            let hold = found["hold"].text
            #expect(!hold.isEmpty && found["documents"].items.count == 1)
            #expect(try await client.json("get", #"{"paths": ["c/b"], "hold": "\#(hold)"}"#)["hold"].text == hold)
            #expect(try await client.json("get", #"{"paths": ["c/b"], "hold": "nonsense"}"#)["hold"].text == "")
            for asked in [#""retry": true"#, #""hold": "\#(hold)""#] {
                #expect(try await client.send("get", #"{"paths": ["c/a"], "at": \#(stamp.number), \#(asked)}"#).status == 422)
            }
            _ = try await client.json("commit", #"{"hold": "\#(hold)"}"#)
            var next = ""
            let commitsQuickly = try await Self.isQuick {
                _ = try await client.json("commit", #"{"writes": [{"delete": "c/a"}, {"delete": "c/b"}], "hold": "\#(next)"}"#)
            } after: {
                _ = try await client.json("commit", set)
                next = try await client.json("query", query)["hold"].text
                _ = try await client.json("get", #"{"paths": ["c/b"], "hold": "\#(next)"}"#)
            }
            #expect(commitsQuickly)
        }
    }
}
