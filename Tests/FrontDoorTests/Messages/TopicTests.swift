// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// A topic exists while it has subscribers.
@Suite struct TopicTests {
    @Test func `a device changes one or several topics`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            for _ in 0..<2 { #expect(try await world.put("/v1/topics/news/subscribers/\(token)", as: world.ours.ingest).status == 204) }
            let change = try await world.post(
                "/v1/devices/\(token)/topics", as: world.ours.ingest, #"{"subscribe": ["a", "news", "b", "a"], "unsubscribe": ["c"]}"#)
            #expect(change.status == 200)
            #expect(try [JSON(change)["subscribed"].number, JSON(change)["unsubscribed"].number] == [2, 0])
            #expect(try await world.get("/v1/devices/\(token)")["topics"].items.map(\.text) == ["a", "b", "news"])

            for _ in 0..<2 { #expect(try await world.delete("/v1/topics/news/subscribers/\(token)", as: world.ours.ingest).status == 204) }
            #expect(try await world.api.get("/v1/topics/news", key: world.ours.read).status == 404)
            #expect(try await world.get("/v1/topics")["items"].items.map(\.["topic"].text) == ["a", "b"])
            #expect(try await world.delete("/v1/devices/\(token)").status == 204)
            #expect(try await world.get("/v1/topics")["items"].items.isEmpty)
        }
    }

    @Test func `a topic in a path is percent-decoded once`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            try await world.join(token, "100%2525", "a%2Eb")
            #expect(try await world.get("/v1/devices/\(token)")["topics"].items.map(\.text) == ["100%25", "a.b"])
            #expect(try await world.get("/v1/topics/100%2525")["subscribers"].number == 1)
            #expect(try await world.api.get("/v1/topics/100%25", key: world.ours.read).status == 404)
            #expect(try await Wrong(world.put("/v1/topics/a%2Fb/subscribers/\(token)")) == Wrong(422, "topic", "bad_topic"))
        }
    }

    @Test func `bulk changes have a result for each token`() async throws {
        try await MessagingWorld.use { world in
            let (first, second) = (try await world.stream(), try await world.stream())
            let foreign = try await MessagingWorld.stream(world.api, world.theirs)
            let list = #"{"tokens": ["\#(first)", "no-such-token", "\#(second)", "\#(foreign)", "\#(first)"]}"#
            let joined = try JSON(await world.post("/v1/topics/news/subscribe", list))
            #expect(joined["results"].items.map(\.["result"].text) == ["subscribed", "refused", "subscribed", "refused", "subscribed"])
            #expect(joined["results"][1]["code"].text == "unregistered" && joined["results"][3]["code"].text == "unregistered")
            #expect([joined["succeeded"].number, joined["failed"].number] == [3, 2])
            #expect(try await world.get("/v1/topics/news")["subscribers"].number == 2)

            let page = try await world.get("/v1/topics/news/subscribers?limit=1")
            #expect(page["items"].items.map(\.["token"].text) == [first])
            let rest = try await world.get("/v1/topics/news/subscribers?limit=1&after=\(page["next"].text)")
            #expect(rest["items"].items.map(\.["token"].text) == [second] && !rest["next"].exists)

            let left = try JSON(await world.post("/v1/topics/news/unsubscribe", list))
            #expect(left["results"].items.map(\.["result"].text) == ["unsubscribed", "refused", "unsubscribed", "refused", "unsubscribed"])
            #expect(try await world.get("/v1/topics")["items"].items.isEmpty)
        }
    }

    @Test func `topics are listed by name in pages`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            try await world.join(token, "b", "a", "~", "C")
            let first = try await world.get("/v1/topics?limit=3", as: world.ours.read)
            #expect(first["items"].items.map(\.["topic"].text) == ["C", "a", "b"])
            let second = try await world.get("/v1/topics?limit=3&after=\(first["next"].text)", as: world.ours.read)
            #expect(second["items"].items.map(\.["topic"].text) == ["~"] && !second["next"].exists)
        }
    }

    @Test func `reserved topics require a send key`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let path = "/v1/topics/$alerts.delivery/subscribers/\(token)"
            for reply in [
                try await world.put(path, as: world.ours.ingest), try await world.delete(path, as: world.ours.ingest),
                try await world.put(path.replacing("$", with: "%24"), as: world.ours.ingest),
                try await world.post("/v1/devices/\(token)/topics", as: world.ours.ingest, #"{"subscribe": ["a", "$alerts.system"]}"#),
            ] {
                #expect(try Wrong(reply) == Wrong(403, JSON(reply)["errors"][0]["field"].text, "reserved_topic"))
                #expect(try JSON(reply)["hint"].exists)
            }
            #expect(try await world.get("/v1/devices/\(token)")["topics"].items.isEmpty)
            try await world.join(token, "$alerts.delivery", "%24alerts.system")
            #expect(try await world.get("/v1/topics/$alerts.delivery", as: world.ours.read)["subscribers"].number == 1)
            #expect(try await Wrong(world.put("/v1/topics/$mine/subscribers/\(token)")) == Wrong(422, "topic", "unknown_topic"))
        }
    }

    @Test func `several topics change together, up to 2,000 per device`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let many = (0..<2_000).map { #""t\#($0)""# }
            let some = many[..<1_999].joined(separator: ",")
            #expect(try await world.post("/v1/devices/\(token)/topics", #"{"subscribe": [\#(some)]}"#).status == 200)
            let more = try await world.post("/v1/devices/\(token)/topics", #"{"subscribe": ["x", "y"], "unsubscribe": ["none"]}"#)
            #expect(try Wrong(more) == Wrong(422, "topic", "too_many_topics"))
            #expect(try await world.get("/v1/devices/\(token)")["topics"].items.count == 1_999)
            #expect(try await world.api.get("/v1/topics/x", key: world.ours.read).status == 404)
            // In exchange for another topic the limit holds.
            #expect(try await world.post("/v1/devices/\(token)/topics", #"{"subscribe": ["x", "y"], "unsubscribe": ["t0"]}"#).status == 200)
            let results = try JSON(await world.post("/v1/topics/z/subscribe", #"{"tokens": ["\#(token)"]}"#))["results"]
            #expect(results[0]["code"].text == "too_many_topics")
            #expect(try await world.api.get("/v1/topics/z", key: world.ours.read).status == 404)
        }
    }

    @Test func `another app's devices and topics are not found`() async throws {
        try await MessagingWorld.use { world in
            let token = try await MessagingWorld.stream(world.api, world.theirs)
            #expect(try await world.put("/v1/topics/secret/subscribers/\(token)", as: world.theirs.send).status == 204)
            for key in [world.ours.admin, world.ours.send] {
                for target in ["/v1/devices/\(token)", "/v1/topics/secret", "/v1/topics/secret/subscribers"] {
                    #expect(try await world.api.get(target, key: key).status == 404, "\(target)")
                }
                #expect(try await world.put("/v1/devices/\(token)", as: key, "{}").status == 404)
                #expect(try await world.delete("/v1/devices/\(token)", as: key).status == 404)
                #expect(try await world.post("/v1/devices/\(token)/rotate-secret", as: key, "").status == 404)
                #expect(try await world.put("/v1/topics/ours/subscribers/\(token)", as: key).status == 404)
                #expect(try await world.delete("/v1/topics/secret/subscribers/\(token)", as: key).status == 404)
                #expect(try await world.post("/v1/devices/\(token)/topics", as: key, #"{"subscribe": ["ours"]}"#).status == 404)
            }
            #expect(try await world.get("/v1/topics")["items"].items.isEmpty)
            #expect(try await world.get("/v1/topics/secret", as: world.theirs.read)["subscribers"].number == 1)
        }
    }
}
