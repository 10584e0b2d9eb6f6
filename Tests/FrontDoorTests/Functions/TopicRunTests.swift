// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FunctionStore
import Messaging
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Functions whose target is a topic.
@Suite struct TopicRunTests {
    private static func put(_ world: FunctionWorld, _ name: String, _ definition: String) async throws -> Reply {
        try await world.api.request("PUT", "/v1/functions/\(name)", key: world.keys.admin, body: Array(definition.utf8))
    }

    /// The messages on a topic, oldest first.
    private static func messages(_ world: FunctionWorld, on topic: String) async throws -> [JSON] {
        let all = try JSON(await world.api.get("/v1/messages?limit=1000", key: world.keys.read))["items"].items
        return all.filter { $0["target"]["topic"].text == topic }.reversed()
    }

    @Test func `each run is one message on the topic, with its data`() async throws {
        try await FunctionWorld.use { world async throws in
            let trigger = #"{"on": "document", "path": "orders/{id}", "what": "written"}"#
            #expect(try await Self.put(world, "changes", #"{"topic": "orders", "triggers": [\#(trigger)]}"#).status == 201)
            let body = Array(#"{"fields": {"total": 7}}"#.utf8)
            #expect(try await world.api.request("PUT", "/v1/documents/orders/o-7", key: world.keys.admin, body: body).status == 200)
            #expect(try await world.settled("changes", 1))
            let message = try #require(try await Self.messages(world, on: "orders").first)
            let id = try await world.runs("changes")[0]["id"].text
            let run = try JSON(await world.api.get("/v1/runs/\(id)", key: world.keys.admin))
            let data = ["type", "id", "function", "subject"].map { message["data"][$0].text }
            #expect(data == ["document.written", run["id"].text, "changes", "orders/o-7"])
            #expect(message["data"]["data"].text == run["data"].text && run["data"].text.contains(#""total":7"#))
            #expect(run["attempts"].items.map(\.["response"].text) == [message["id"].text] && !run["attempts"][0]["status"].exists)
            let lines = try JSON(await world.api.get("/v1/functions/changes/logs", key: world.keys.read))["items"].items
            #expect(lines.map(\.["line"].text).allSatisfy { $0.hasPrefix("done, attempt 1: published after") } && lines.count == 1)
            #expect(world.sink.hooks.isEmpty)
        }
    }

    @Test func `tasks wait for their time, keep their order by key and reach devices`() async throws {
        try await FunctionWorld.use { world async throws in
            #expect(try await Self.put(world, "f", #"{"topic": "news"}"#).status == 201)
            let device = try await MessagingWorld.stream(world.api, world.keys)
            #expect(try await world.api.request("PUT", "/v1/topics/news/subscribers/\(device)", key: world.keys.send).status == 204)
            let later = try await world.task("f", #"{"data": "later", "at": "\#(FunctionWorld.later(hours: 1))"}"#)
            for n in 0..<10 { try await world.task("f", #"{"data": \#(n), "key": "k"}"#) }
            #expect(try await world.settled("f", 10))
            let messages = try await Self.messages(world, on: "news")
            #expect(messages.map { $0["data"]["data"].text } == (0..<10).map(String.init))
            #expect(messages.allSatisfy { $0["audience"].number == 1 })
            #expect(try await world.run(later)["state"].text == "waiting")
        }
    }

    @Test func `data beyond the size of messages is left out`() async throws {
        try await FunctionWorld.use { world async throws in
            #expect(try await Self.put(world, "f", #"{"topic": "news"}"#).status == 201)
            try await world.task("f", #"{"data": "\#(String(repeating: "x", count: 5_000))"}"#)
            #expect(try await world.settled("f", 1))
            let data = try #require(try await Self.messages(world, on: "news").first)["data"]
            #expect(data["truncated"].text == "true" && !data["data"].exists && data["type"].text == "task")
        }
    }

    @Test func `a run that was published before a kill is not published again`() async throws {
        let folder = TemporaryFolder()
        let keys = try await withDaemon(in: folder, sends: false) { live async throws in
            let keys = try await live.api.makeApp()
            #expect(
                try await live.api.request("PUT", "/v1/functions/f", key: keys.admin, body: Array(#"{"topic": "news"}"#.utf8)).status == 201)
            #expect(try await live.api.post("/v1/functions/f/tasks", key: keys.send, #"{"data": 1}"#).status == 201)
            // The claim of a daemon that was killed after it had published.
            let claimed = try await live.daemon.store.functions.claimPublications(atMost: 10).claimed
            let publisher = RunPublisher(live.daemon.store, live.daemon.disk, live.daemon.log, live.daemon.clock)
            #expect(await publisher.outcomes(of: claimed).map(\.verdict) == [.delivered])
            return keys
        }
        try await withDaemon(in: folder) { live async throws in
            let world = FunctionWorld(live: live, keys: keys, sink: try WebhookSink())
            #expect(try await world.settled("f", 1))
            #expect(try await Self.messages(world, on: "news").count == 1)
            #expect(try await world.runs("f")[0]["tries"].number == 1)
        }
    }

    @Test func `a function changes between an address and a topic with its waiting runs`() async throws {
        // Repeated failures would pause the function before it is changed, if they came quickly.
        try await FunctionWorld.use(retries: [.init(milliseconds: 3_000)], answer: { _ in .status(503) }) { world async throws in
            try await world.put("f", #""retries": 20"#)
            try await world.task("f", #"{"data": 1}"#)
            #expect(try await eventually { !world.sink.hooks.isEmpty })
            #expect(try await Self.put(world, "f", #"{"topic": "news"}"#).status == 200)
            #expect(try await world.settled("f", 1))
            #expect(try await Self.messages(world, on: "news").count == 1)
        }
    }

    @Test(arguments: [(#"{"topic": "$alerts.system"}"#, 403), (#"{"topic": "a/b"}"#, 422), (#"{"topic": ""}"#, 422)])
    func `a bad topic is refused`(definition: String, status: Int) async throws {
        try await FunctionWorld.use { world async throws in
            let reply = try await Self.put(world, "f", definition)
            #expect(reply.status == status)
            #expect(try JSON(reply)["errors"][0]["field"].text == "topic")
        }
    }

    @Test func `a function with a topic cannot be called, and erasure removes its messages about a person`() async throws {
        try await FunctionWorld.use { world async throws in
            let definition = #"{"topic": "news", "auth": "none", "triggers": [{"on": "event", "name": "a"}]}"#
            #expect(try await Self.put(world, "f", definition).status == 201)
            let call = try await world.api.post("/v1/call/shop/f", #"{"data": null}"#)
            #expect(try CallFault(call) == CallFault(501, "UNIMPLEMENTED"))
            #expect(try await world.api.post("/v1/events", key: world.keys.ingest, #"[{"id": "e-1", "name": "a", "user_id": "ann"}]"#).status == 200)
            #expect(try await world.settled("f", 1))
            #expect(try await Self.messages(world, on: "news").count == 1)
            #expect(try await world.api.request("DELETE", "/v1/users/ann", key: world.keys.admin).status == 200)
            #expect(try await Self.messages(world, on: "news").isEmpty)
        }
    }
}
