// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Publishing and reading messages.
@Suite struct MessageTests {
    @Test func `a message to a topic keeps its fields and reaches the subscribers`() async throws {
        try await MessagingWorld.use { world in
            let (first, second, outsider) = (try await world.stream(), try await world.stream(), try await world.stream())
            try await world.join(first, "news")
            try await world.join(second, "news", "sport")
            let body = #"""
                {"topic": "news", "notification": {"title": "T\u00e4gl", "body": "a/b"}, "data": {"z": "1", "a": ""}, "ttl": "3600s",
                 "collapse_key": "k", "priority": "high", "label": "autumn"}
                """#
            let sent = try JSON(await world.post("/v1/messages", body))
            #expect(sent.names == ["audience", "id"] && sent["audience"].number == 2)
            let id = sent["id"].text
            let deliveries = try await MessagingWorld.deliveries(world.api, world.ours, of: id)
            #expect(Set(deliveries.map(\.["token"].text)) == [first, second] && !deliveries.map(\.["token"].text).contains(outsider))
            #expect(deliveries.allSatisfy { $0["state"].text == "pending" && $0["message"].text == id && $0["tries"].number == 0 })

            let reply = try await world.api.get("/v1/messages/\(id)", key: world.ours.read)
            #expect(reply.text.contains(#""notification":{"title":"Tägl","body":"a/b"},"data":{"z":"1","a":""}"#))
            let shown = try JSON(reply)
            #expect(["collapse_key", "priority", "label", "stage"].map { shown[$0].text } == ["k", "high", "autumn", "spread"])
            #expect(shown["target"].names == ["topic"] && shown["counts"].names == ["pending"] && shown["counts"]["pending"].number == 2)
            let times = ["sent_at", "expires_at"].compactMap { Timestamp(rfc3339: Array(shown[$0].text.utf8).span) }
            #expect(times.count == 2 && times[1] - times[0] == .hours(1))
        }
    }

    @Test func `unregistered tokens are reported by index`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let foreign = try await MessagingWorld.stream(world.api, world.theirs)
            let some = try JSON(await world.post("/v1/messages", #"{"tokens": ["no-such-1", "\#(token)", "\#(foreign)"], "data": {"a": "b"}}"#))
            #expect(some["audience"].number == 1 && some["unregistered"].items.map(\.number) == [0, 2])
            #expect(try await world.get("/v1/messages/\(some["id"].text)")["target"]["tokens"].number == 1)
            for target in [#""token": "no-such-1""#, #""tokens": ["no-such-1", "no-such-2"]"#, #""token": "\#(foreign)""#] {
                let none = try await world.post("/v1/messages", #"{\#(target), "data": {"a": "b"}}"#)
                #expect(none.status == 404)
                #expect(try JSON(none)["code"].text == "unregistered")
            }
            let empty = try await world.post("/v1/messages", #"{"topic": "nobody", "data": {"a": "b"}}"#)
            #expect(empty.status == 200)
            #expect(try JSON(empty)["audience"].number == 0)
        }
    }

    @Test func `a condition reaches all matching devices`() async throws {
        try await MessagingWorld.use { world in
            let tokens = [try await world.stream(), try await world.stream(), try await world.stream()]
            try await world.join(tokens[0], "a")
            try await world.join(tokens[1], "a", "b")
            for (condition, places) in [
                ("'a' in topics", [0, 1]), ("!('a' in topics)", [2]), ("'a' in topics && !('b' in topics)", [0]),
                ("'b' in topics || !('a' in topics)", [1, 2]), ("'none' in topics", []),
            ] {
                let sent = try JSON(await world.post("/v1/messages", #"{"condition": "\#(condition)", "data": {"c": "d"}}"#))
                #expect(sent["audience"].number == places.count, "\(condition)")
                let reached = try await MessagingWorld.deliveries(world.api, world.ours, of: sent["id"].text).map(\.["token"].text)
                #expect(Set(reached) == Set(places.map { tokens[$0] }), "\(condition)")
            }
        }
    }

    @Test func `a repeated request with an idempotency key sends once, and another body conflicts`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            let body = #"{"tokens": ["\#(token)", "no-such-1"], "data": {"a": "b"}}"#
            let key = ["Idempotency-Key": "order 17 ~"]
            let first = try await world.post("/v1/messages", headers: key, body)
            let again = try await world.post("/v1/messages", headers: key, body)
            #expect(first.status == 200 && first.body == again.body)
            #expect(try await world.get("/v1/messages")["items"].items.count == 1)
            let other = try await world.post("/v1/messages", headers: key, body + " ")
            #expect(try Wrong(other) == Wrong(409, "Idempotency-Key", "used"))
            // Another app's key is separate, and requests without a key are not remembered.
            let foreign = try await world.post("/v1/messages", as: world.theirs.send, headers: key, #"{"topic": "a", "data": {"a": "b"}}"#)
            #expect(foreign.status == 200)
            for _ in 0..<2 { #expect(try await world.post("/v1/messages", body).status == 200) }
            #expect(try await world.get("/v1/messages")["items"].items.count == 3)
            for bad in ["", String(repeating: "k", count: 256), "schlüssel"] {
                #expect(try Wrong(await world.post("/v1/messages", headers: ["Idempotency-Key": bad], body)).field == "Idempotency-Key", "\(bad)")
            }
            #expect(try await world.post("/v1/messages", headers: ["Idempotency-Key": String(repeating: "k", count: 255)], body).status == 200)
        }
    }

    @Test func `a validated message is counted and not stored`() async throws {
        try await MessagingWorld.use { world in
            try await world.join(try await world.stream(), "news")
            let reply = try await world.post("/v1/messages", #"{"topic": "news", "data": {"a": "b"}, "validate_only": true}"#)
            #expect(reply.text == #"{"id":"validated","audience":1}"#)
            #expect(try await world.get("/v1/messages")["items"].items.isEmpty)
            let none = #"{"token": "no-such-1", "data": {"a": "b"}, "validate_only": true}"#
            #expect(try await world.post("/v1/messages", none).status == 404)
        }
    }

    @Test func `a scheduled message can be cancelled before it is sent`() async throws {
        try await MessagingWorld.use { world in
            try await world.join(try await world.stream(), "news")
            let later = (WallClock.system.now() + .hours(1)).rfc3339
            let sent = try JSON(await world.post("/v1/messages", #"{"topic": "news", "data": {"a": "b"}, "send_at": "\#(later)"}"#))
            let path = "/v1/messages/\(sent["id"].text)"
            let waiting = try await world.get(path)
            #expect(waiting["stage"].text == "scheduled" && waiting["send_at"].text == later && !waiting["sent_at"].exists)
            for _ in 0..<2 { #expect(try await world.delete(path).status == 204) }
            let cancelled = try await world.get(path)
            #expect(["cancelling", "cancelled"].contains(cancelled["stage"].text) && !cancelled["sent_at"].exists)
            #expect(try await MessagingWorld.deliveries(world.api, world.ours, of: sent["id"].text).isEmpty)
        }
    }

    @Test func `messages are listed newest first in pages`() async throws {
        try await MessagingWorld.use { world in
            for number in 0..<5 { #expect(try await world.post("/v1/messages", #"{"topic": "t\#(number)", "data": {"a": "b"}}"#).status == 200) }
            let first = try await world.get("/v1/messages?limit=3", as: world.ours.read)
            #expect(first["items"].items.map(\.["target"]["topic"].text) == ["t4", "t3", "t2"])
            let rest = try await world.get("/v1/messages?limit=3&after=\(first["next"].text)", as: world.ours.read)
            #expect(rest["items"].items.map(\.["target"]["topic"].text) == ["t1", "t0"] && !rest["next"].exists)
        }
    }

    @Test func `device events count receivers and openers of a message`() async throws {
        try await MessagingWorld.use { world in
            let id = try await MessagingWorld.message(world.api, world.ours)
            let events = [
                ("notification_receive", "ann", id), ("notification_receive", "ann", id), ("notification_receive", "bob", id),
                ("notification_open", "bob", id), ("notification_open", "eve", "msg_other"), ("notification_dismiss", "ann", id),
                ("notification_dismiss", "bob", id), ("notification_dismiss", "eve", id),
            ].map { #"{"name": "\#($0.0)", "user_id": "\#($0.1)", "params": {"message_id": "\#($0.2)"}}"# }
            let taken = try await world.post("/v1/events", as: world.ours.ingest, "[\(events.joined(separator: ","))]")
            #expect(try Taken(taken) == Taken(accepted: 8))
            let shown = try await world.get("/v1/messages/\(id)", as: world.ours.read)
            #expect([shown["received"].number, shown["opened"].number] == [2, 1])
        }
    }
}
