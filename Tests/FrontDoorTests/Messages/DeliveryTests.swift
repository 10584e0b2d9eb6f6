// SPDX-License-Identifier: Apache-2.0

import MessageStore
import Messaging
import Platform
import AcrossStores
import TestSupport
import Testing

@testable import ingestd

/// Deliveries in the API; the test acts as the sender.
@Suite struct DeliveryTests {
    @Test func `a delivery lists its attempts and can be retried and redriven`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.webhook("very-secret")
            let id = try JSON(await world.post("/v1/messages", #"{"token": "\#(token)", "data": {"a": "b"}}"#))["id"].text
            let delivery = try await MessagingWorld.deliveries(world.api, world.ours, of: id)[0]["id"].text
            #expect(delivery.hasPrefix(id + "_"))
            let path = "/v1/deliveries/\(delivery)"

            let response: [UInt8] = Array("caf\u{e9}".unicodeScalars.map { UInt8($0.value) })
            try await Self.settle(world, .dead, status: 500, response)
            let dead = try await world.get(path)
            #expect(dead["state"].text == "dead" && dead["tries"].number == 1 && dead["url"].text.hasSuffix("very-secret"))
            let attempt = dead["attempts"][0]
            #expect(attempt.names == ["at", "error", "milliseconds", "response", "status"])
            #expect(attempt["status"].number == 500 && attempt["error"].text == "bad_status" && attempt["response"].text == "caf\u{fffd}")
            #expect(try await world.get("/v1/messages/\(id)")["counts"].names == ["dead"])

            let retried = try await world.post(path + "/retry", "")
            #expect(retried.status == 200)
            #expect(try JSON(retried)["state"].text == "retrying")
            // The ID stays the same and the attempts continue.
            try await Self.settle(world, .dead, status: 0, [])
            #expect(try await world.get(path)["attempts"].items.map(\.["status"].exists) == [true, false])
            #expect(try JSON(await world.post("/v1/messages/\(id)/redrive", ""))["redriven"].number == 1)
            try await Self.settle(world, .delivered, status: 200, [])
            #expect(try await world.get(path)["state"].text == "delivered")
            #expect(try await world.post(path + "/retry", "").status == 409)
            #expect(try JSON(await world.post("/v1/messages/\(id)/redrive", ""))["redriven"].number == 0)
            #expect(try await world.get("/v1/messages/\(id)")["counts"].names == ["delivered"])

            for target in [path, "/v1/deliveries"] {
                let masked = try await world.api.get(target, key: world.ours.read).text
                #expect(!masked.contains(token) && !masked.contains("very-secret") && masked.contains("http://127.0.0.1:9/…"))
            }
        }
    }

    @Test func `a retried delivery waits for the stream that replaced its webhook`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.webhook()
            let id = try JSON(await world.post("/v1/messages", #"{"token": "\#(token)", "data": {"a": "b"}}"#))["id"].text
            let path = "/v1/deliveries/\(try await MessagingWorld.deliveries(world.api, world.ours, of: id)[0]["id"].text)"
            try await Self.settle(world, .dead, status: 500, [])
            #expect(try await world.put("/v1/devices/\(token)", #"{"endpoint": {"type": "stream"}}"#).status == 200)
            let retried = try await world.post(path + "/retry", "")
            #expect(retried.status == 200)
            #expect(try JSON(retried)["state"].text == "pending")
            #expect(try await world.api.get("/v1/stream?token=\(token)&poll=1", key: world.ours.ingest).text.contains(id))
        }
    }

    /// Claims the one due delivery and records its outcome.
    private static func settle(_ world: MessagingWorld, _ verdict: DeliveryVerdict, status: Int, _ response: [UInt8]) async throws {
        let (messages, now) = (world.live.daemon.store.messages, WallClock.system.now())
        let wishes = ClaimRequest(limit: 10, limitPerOrigin: 10, leaseEnds: now + .minutes(1), now: now)
        let claimed = try await messages.claim(wishes).deliveries
        #expect(claimed.count == 1)
        let error = status == 200 ? "" : status == 0 ? "timed_out" : "bad_status"
        let record = AttemptRecord(at: now, milliseconds: 7, status: status, error: error, response: response)
        try await messages.settle(claimed.map { DeliveryOutcome($0, verdict, record) })
    }

    @Test func `deliveries are listed by message and state, in pages`() async throws {
        try await MessagingWorld.use { world in
            for _ in 0..<3 { try await world.join(try await world.stream(), "news") }
            var ids: [String] = []
            for _ in 0..<2 { ids.append(try JSON(await world.post("/v1/messages", #"{"topic": "news", "data": {"a": "b"}}"#))["id"].text) }
            #expect(try await MessagingWorld.deliveries(world.api, world.ours, of: ids[1]).count == 3)
            let (all, first) = (try await world.get("/v1/deliveries"), try await world.get("/v1/deliveries?limit=4&state=pending"))
            #expect(all["items"].items.map(\.["message"].text) == [ids[1], ids[1], ids[1], ids[0], ids[0], ids[0]])
            let rest = try await world.get("/v1/deliveries?limit=4&after=\(first["next"].text)")
            #expect((first["items"].items + rest["items"].items).map(\.["id"].text) == all["items"].items.map(\.["id"].text))
            #expect(!rest["next"].exists)
            #expect(try await world.get("/v1/deliveries?message=\(ids[0])&state=dead")["items"].items.isEmpty)
            #expect(try await Wrong(world.api.get("/v1/deliveries?state=lost", key: world.ours.read)) == Wrong(422, "state", "unknown"))

            // A stream's delivery cannot be retried.
            #expect(try await world.post("/v1/deliveries/\(all["items"][0]["id"].text)/retry", "").status == 409)
        }
    }

    @Test func `another app's messages and deliveries are not found`() async throws {
        try await MessagingWorld.use { world in
            let id = try await MessagingWorld.message(world.api, world.theirs)
            let delivery = try await MessagingWorld.deliveries(world.api, world.theirs, of: id)[0]["id"].text
            for key in [world.ours.send, world.ours.admin] {
                for target in ["/v1/messages/\(id)", "/v1/deliveries/\(delivery)", "/v1/deliveries?message=\(id)"] {
                    #expect(try await world.api.get(target, key: key).status == 404, "\(target)")
                }
                for target in ["/v1/messages/\(id)/redrive", "/v1/deliveries/\(delivery)/retry"] {
                    #expect(try await world.post(target, as: key, "").status == 404, "\(target)")
                }
                #expect(try await world.delete("/v1/messages/\(id)", as: key).status == 404)
            }
            for odd in ["x", "1", "_", "\(id)_", "\(id)_x", "\(id)_99", "_5"] {
                #expect(try await world.api.get("/v1/deliveries/\(odd)", key: world.theirs.send).status == 404, "\(odd)")
            }
            #expect(try await world.get("/v1/deliveries")["items"].items.isEmpty)
            #expect(try await world.get("/v1/messages/\(id)", as: world.theirs.read)["stage"].text == "spread")
        }
    }
}
