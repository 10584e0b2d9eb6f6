// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Devices that a proved user owns, and messages to users.
@Suite struct DeviceOwnerTests {
    private static let device = #""platform": "ios", "endpoint": {"type": "stream"}"#

    private static func register(_ world: AccountWorld, as bearer: String, _ more: String = "") async throws -> String {
        let reply = try await world.live.api.post("/v1/devices", key: bearer, "{\(device)\(more)}")
        #expect(reply.status / 100 == 2, "\(reply.text)")
        return try JSON(reply)["token"].text
    }

    private static func change(_ world: AccountWorld, _ token: String, as bearer: String, _ body: String) async throws {
        let reply = try await world.live.api.request(
            "PUT", "/v1/devices/\(token)", key: bearer, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        #expect(reply.status == 200, "\(reply.text)")
    }

    /// Publishes a message to a user and returns its ID and audience.
    @discardableResult
    private static func publish(_ world: AccountWorld, to user: String, _ more: String = "") async throws -> (id: String, audience: Int) {
        let reply = try await world.live.api.post("/v1/messages", key: world.keys.send, #"{"user": "\#(user)", "data": {"a": "b"}\#(more)}"#)
        #expect(reply.status == 200, "\(reply.text)")
        return (try JSON(reply)["id"].text, Int(try JSON(reply)["audience"].number))
    }

    private static func states(_ world: AccountWorld, of message: String) async throws -> [String] {
        try await MessagingWorld.deliveries(world.live.api, world.keys, of: message).map { $0["state"].text }
    }

    private static func owner(_ world: AccountWorld, of token: String) async throws -> String? {
        let device = try JSON(try await world.live.api.get("/v1/devices/\(token)", key: world.keys.send))
        return device["user_id"].exists ? device["user_id"].text : nil
    }

    private static func signOut(_ world: AccountWorld, _ user: AccountWorld.Session) async throws {
        let body = #"{"refresh_token": "\#(user.refresh)"}"#
        #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, body).status == 204)
    }

    @Test func `a message to a user reaches the devices whose owner was proved, and no others`() async throws {
        try await AccountWorld.use { world in
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            let own = try await Self.register(world, as: ana.token)
            let byServer = try await Self.register(world, as: world.keys.send, #", "user_id": "\#(ana.id)""#)
            let claimed = try await Self.register(world, as: world.keys.ingest, #", "user_id": "\#(ana.id)""#)
            _ = try await Self.register(world, as: bob.token)
            let sent = try await Self.publish(world, to: ana.id)
            #expect(sent.audience == 2)
            #expect(try await Self.states(world, of: sent.id).count == 2)
            for (token, count) in [(own, 1), (byServer, 1), (claimed, 0)] {
                let lines = try await world.live.api.get("/v1/stream?token=\(token)&poll=1", key: world.keys.ingest).text.split(separator: "\n")
                #expect(lines.count == count, "\(lines)")
                for line in lines { #expect(try JSON(Array(line.utf8))["data"]["user"].text == ana.id) }
            }
            let shown = try JSON(try await world.live.api.get("/v1/messages/\(sent.id)", key: world.keys.read))
            #expect(shown["target"]["user"].text == ana.id, "\(shown.source)")
            #expect(try await Self.publish(world, to: "nobody").audience == 0)
        }
    }

    @Test func `sign-out releases the device and withdraws the user's pending messages only`() async throws {
        try await AccountWorld.use { world in
            let ana = try await world.user()
            let token = try await Self.register(world, as: ana.token)
            let path = "/v1/topics/news/subscribers/\(token)"
            #expect(try await world.live.api.request("PUT", path, key: world.keys.ingest).status == 204)
            let toUser = try await Self.publish(world, to: ana.id)
            let news = try await world.live.api.post("/v1/messages", key: world.keys.send, #"{"topic": "news", "data": {"n": "1"}}"#)
            #expect(try await Self.states(world, of: toUser.id) == ["pending"])
            try await Self.signOut(world, ana)
            #expect(try await eventually { try await Self.owner(world, of: token) == nil })
            #expect(try await Self.states(world, of: toUser.id) == ["removed"])
            #expect(try await Self.states(world, of: try JSON(news)["id"].text) == ["pending"])
            #expect(try await Self.publish(world, to: ana.id).audience == 0)
            let lines = try await world.live.api.get("/v1/stream?token=\(token)&poll=1", key: world.keys.ingest).text.split(separator: "\n")
            #expect(lines.count == 1 && lines.first?.contains(#""topic":"news""#) == true, "\(lines)")
        }
    }

    @Test(arguments: ["disabled", "deleted", "password", "reused"])
    func `every end of a session releases its devices`(way: String) async throws {
        try await AccountWorld.use { world in
            let ana = try await world.user()
            let token = try await Self.register(world, as: ana.token)
            let account = "/v1/auth/accounts/\(ana.id)"
            switch way {
            case "disabled":
                _ = try await world.live.api.request("PATCH", account, key: world.keys.admin, body: Array(#"{"disabled": true}"#.utf8))
            case "password":
                let body = #"{"password": "another horse battery"}"#
                _ = try await world.live.api.request("PATCH", account, key: world.keys.admin, body: Array(body.utf8))
            case "deleted":
                try await world.set(#"{"on_account_deleted": "keep"}"#)
                _ = try await world.live.api.request("DELETE", account, key: world.keys.admin, body: [])
            default:
                let second = try AccountWorld.Session(try await world.refresh(ana.refresh))
                _ = try await world.refresh(second.refresh)
                #expect(try await world.refresh(ana.refresh).status == 401)
            }
            #expect(try await eventually { try await Self.owner(world, of: token) == nil })
        }
    }

    @Test func `a change of owner withdraws the messages to the former one`() async throws {
        try await AccountWorld.use { world in
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            func pending() async throws -> (token: String, message: String) {
                let token = try await Self.register(world, as: ana.token)
                let sent = try await Self.publish(world, to: ana.id)
                _ = try await Self.states(world, of: sent.id)
                return (token, sent.id)
            }
            func state(_ token: String, _ message: String) async throws -> String {
                let found = try await world.live.api.get("/v1/deliveries?message=\(message)&device=\(token)", key: world.keys.send)
                return try JSON(found)["items"][0]["state"].text
            }
            for (bearer, body) in [
                (bob.token, "{}"), (world.keys.ingest, #"{"user_id": "bob"}"#), (world.keys.ingest, #"{"user_id": null}"#),
                (world.keys.send, #"{"user_id": "bob"}"#),
            ] {
                let (token, message) = try await pending()
                try await Self.change(world, token, as: bearer, body)
                #expect(try await state(token, message) == "removed", "\(body)")
            }
            for (bearer, body) in [
                (ana.token, "{}"), (world.keys.ingest, #"{"app_version": "2"}"#), (world.keys.ingest, #"{"user_id": "\#(ana.id)"}"#),
                (world.keys.send, #"{"user_id": "\#(ana.id)"}"#),
            ] {
                let (token, message) = try await pending()
                try await Self.change(world, token, as: bearer, body)
                #expect(try await state(token, message) == "pending", "\(body)")
                try await Self.change(world, token, as: world.keys.ingest, #"{"user_id": null}"#)
            }
        }
    }

    @Test func `a user who moves to another session keeps the device when the first ends`() async throws {
        try await AccountWorld.use { world in
            let first = try await world.user()
            let token = try await Self.register(world, as: first.token)
            let second = try AccountWorld.Session(try await world.signIn())
            try await Self.change(world, token, as: second.token, "{}")
            try await Self.signOut(world, first)
            let other = try await Self.register(world, as: second.token)
            try await Self.signOut(world, second)
            #expect(try await eventually { try await Self.owner(world, of: other) == nil })
            #expect(try await Self.owner(world, of: token) == nil)
        }
    }

    @Test func `the owner renews a registration without its token and gets a new one`() async throws {
        try await AccountWorld.use { world in
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            let installation = #", "installation_id": "i-7""#
            let old = try await Self.register(world, as: ana.token, installation)
            #expect(try await world.live.api.request("PUT", "/v1/topics/news/subscribers/\(old)", key: world.keys.ingest).status == 204)
            let others = try await Self.register(world, as: bob.token, installation)
            let unproved = try await Self.register(world, as: world.keys.ingest, installation)
            let new = try await Self.register(world, as: ana.token, installation)
            #expect(Set([old, others, unproved, new]).count == 4)
            #expect(try await world.live.api.get("/v1/devices/\(old)", key: world.keys.send).status == 404)
            let shown = try JSON(try await world.live.api.get("/v1/devices/\(new)", key: world.keys.send))
            #expect(shown["topics"][0].text == "news", "\(shown.source)")
        }
    }

    @Test func `erasing a user removes the messages to it`() async throws {
        try await AccountWorld.use { world in
            let ana = try await world.user()
            _ = try await Self.register(world, as: ana.token)
            let sent = try await Self.publish(world, to: ana.id)
            let scheduled = try await Self.publish(world, to: ana.id, #", "send_at": "\#((AccountWorld.now + .days(2)).rfc3339)""#)
            #expect(try await world.live.api.request("DELETE", "/v1/users/\(ana.id)", key: world.keys.admin, body: []).status == 200)
            for id in [sent.id, scheduled.id] {
                #expect(try await world.live.api.get("/v1/messages/\(id)", key: world.keys.read).status == 404)
            }
        }
    }

    @Test func `a user is named by a short text`() async throws {
        try await AccountWorld.use { world in
            let long = String(repeating: "u", count: 300)
            for body in [#"{"user": "", "data": {"a": "b"}}"#, #"{"user": 7, "data": {"a": "b"}}"#, #"{"user": "\#(long)", "data": {"a": "b"}}"#] {
                let reply = try await world.live.api.post("/v1/messages", key: world.keys.send, body)
                #expect(reply.status == 422, "\(body)")
            }
            let two = #"{"user": "a", "topic": "news", "data": {"a": "b"}}"#
            #expect(try await world.live.api.post("/v1/messages", key: world.keys.send, two).text.contains("two_targets"))
            #expect(try await world.live.api.post("/v1/messages", key: world.keys.ingest, #"{"user": "a", "data": {"a": "b"}}"#).status == 403)
        }
    }
}
