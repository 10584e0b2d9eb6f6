// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import MessageStore
import Messaging
import TestSupport
import Testing

@testable import ingestd

/// Changes of a device's token, and strangers who try them.
@Suite struct RotationTests {
    private static let device = #""installation_id": "phone", "user_id": "ann", "platform": "ios", "endpoint": {"type": "stream"}"#

    private struct Made: Equatable {
        var status: Int
        var token: String

        init(_ status: Int, _ token: String) {
            (self.status, self.token) = (status, token)
        }
    }

    private static func register(_ world: MessagingWorld, as key: String, _ more: String = "") async throws -> Made {
        let reply = try await world.post("/v1/devices", as: key, "{\(more)\(device)}")
        return Made(reply.status, try JSON(reply)["token"].text)
    }

    private static func expect(_ expected: Made, _ world: MessagingWorld, as key: String, _ more: String = "") async throws {
        let made = try await register(world, as: key, more)
        #expect(made == expected, "\(more)")
    }

    /// The data of the messages that a stream has not acknowledged.
    private static func waiting(_ world: MessagingWorld, _ token: String) async throws -> [String] {
        let page = try await world.api.get("/v1/stream?token=\(token)&poll=1", key: world.ours.ingest)
        try #require(page.status == 200, "\(page.text)")
        return try page.text.split(separator: "\n").map { try JSON(Array($0.utf8))["data"]["data"]["n"].text }
    }

    private static func send(_ world: MessagingWorld, _ target: String, _ number: Int) async throws {
        let reply = try await world.post("/v1/messages", #"{\#(target), "data": {"n": "\#(number)"}}"#)
        _ = try await MessagingWorld.deliveries(world.api, world.ours, of: try JSON(reply)["id"].text)
    }

    @Test func `a device that sends its old token gets a new one, with its topics and messages`() async throws {
        try await MessagingWorld.use { world in
            let old = try await Self.register(world, as: world.ours.ingest).token
            try await world.join(old, "news")
            try await Self.send(world, #""topic": "news""#, 1)
            let reader = try await EventStream(world.api, "/v1/stream?token=\(old)", key: world.ours.ingest)
            #expect(try await reader.next()?.json["data"]["data"]["n"].text == "1")

            let new = try await world.post("/v1/devices", as: world.ours.ingest, #"{"replaces": "\#(old)", "app_version": "2"}"#)
            let token = try JSON(new)["token"].text
            #expect(new.status == 200 && token.hasPrefix("sbd_") && token != old)
            // The stream of the old token ends, and it is good for nothing.
            #expect(try await reader.next() == nil)
            for target in ["/v1/stream?token=\(old)&poll=1", "/v1/devices/\(old)"] {
                #expect(try await world.api.get(target, key: world.ours.ingest).status == 404, "\(target)")
            }
            let shown = try await world.get("/v1/devices/\(token)")
            #expect(["installation_id", "user_id", "app_version"].map { shown[$0].text } == ["phone", "ann", "2"])
            #expect(shown["topics"].items.map(\.text) == ["news"])
            try await Self.send(world, #""topic": "news""#, 2)
            #expect(try await Self.waiting(world, token) == ["1", "2"])
            #expect(try await world.get("/v1/devices")["items"].items.count == 1)
            #expect(try await world.get("/v1/topics/news")["subscribers"].number == 1)
        }
    }

    @Test func `a chosen token makes the request repeatable`() async throws {
        try await MessagingWorld.use { world in
            let own = #""token": "own-token-1", "kind": "own", "#
            try await Self.expect(Made(201, "own-token-1"), world, as: world.ours.ingest, own)
            try await Self.expect(Made(200, "own-token-1"), world, as: world.ours.ingest, own)
            let next = #""token": "own-token-2", "replaces": "own-token-1", "#
            for _ in 0..<3 { try await Self.expect(Made(200, "own-token-2"), world, as: world.ours.ingest, next) }
            #expect(try await world.get("/v1/devices")["items"].items.map(\.["token"].text) == ["own-token-2"])
            // Both are the same token: a renewal.
            let same = #""token": "own-token-2", "replaces": "own-token-2", "#
            try await Self.expect(Made(200, "own-token-2"), world, as: world.ours.ingest, same)
        }
    }

    @Test func `two tokens of a device become one registration that gets each message once`() async throws {
        try await MessagingWorld.use { world in
            let old = try await Self.register(world, as: world.ours.ingest, #""token": "first-token", "#).token
            let new = try await Self.register(world, as: world.ours.ingest, #""token": "second-token", "#).token
            try await world.join(old, "news", "sport")
            try await world.join(new, "news", "chess")
            for (number, topic) in ["news", "sport", "chess"].enumerated() { try await Self.send(world, #""topic": "\#(topic)""#, number) }
            try await Self.send(world, #""token": "first-token""#, 3)
            #expect(try await Self.waiting(world, new) == ["0", "2"])
            try await Self.expect(Made(200, new), world, as: world.ours.ingest, #""token": "second-token", "replaces": "first-token", "#)
            #expect(try await Self.waiting(world, new).sorted() == ["0", "1", "2", "3"])
            #expect(try await world.api.get("/v1/devices/\(old)", key: world.ours.send).status == 404)
            #expect(try await world.get("/v1/devices/\(new)")["topics"].items.map(\.text) == ["chess", "news", "sport"])
            for topic in ["chess", "news", "sport"] { #expect(try await world.get("/v1/topics/\(topic)")["subscribers"].number == 1, "\(topic)") }
        }
    }

    @Test func `who knows only the installation gets a device of its own`() async throws {
        try await MessagingWorld.use { world in
            let owner = try await Self.register(world, as: world.ours.ingest).token
            try await world.join(owner, "private")
            try await Self.send(world, #""token": "\#(owner)""#, 1)
            for more in [
                "", #""token": "strangers-own", "#, #""replaces": "a-guessed-token", "#, #""token": "strangers-2", "replaces": "a-guess-1", "#,
            ] {
                let stranger = try await Self.register(world, as: world.ours.ingest, more)
                #expect(stranger.status == 201 && stranger.token != owner, "\(more)")
                #expect(try await world.get("/v1/devices/\(stranger.token)")["topics"].items.isEmpty)
                #expect(try await Self.waiting(world, stranger.token).isEmpty)
            }
            // A token of another app proves nothing here.
            let elsewhere = try await world.post("/v1/devices", as: world.theirs.ingest, #"{"replaces": "\#(owner)", \#(Self.device)}"#)
            #expect(elsewhere.status == 201)
            #expect(try await Self.waiting(world, owner) == ["1"])
            #expect(try await world.get("/v1/devices/\(owner)")["topics"].items.map(\.text) == ["private"])
        }
    }

    @Test func `a trusted key renews by installation and moves the topics to a new token`() async throws {
        try await MessagingWorld.use { world in
            let old = try await Self.register(world, as: world.ours.ingest).token
            try await world.join(old, "news")
            try await Self.expect(Made(200, old), world, as: world.ours.send)
            try await Self.expect(Made(200, "fcm:token-9"), world, as: world.ours.admin, #""token": "fcm:token-9", "kind": "token", "#)
            #expect(try await world.api.get("/v1/devices/\(old)", key: world.ours.send).status == 404)
            let shown = try await world.get("/v1/devices/fcm:token-9")
            #expect(shown["topics"].items.map(\.text) == ["news"] && shown["kind"].text == "token")
        }
    }

    @Test func `a replaced token must be a token, and topics stay below the limit`() async throws {
        let configure: @Sendable (inout Configuration) -> Void = { $0.store.messages.topicsOfRegistration = 2 }
        try await withDaemon(sends: false, configure: configure) { live in
            let keys = try await live.api.makeApp()
            let world = MessagingWorld(live: live, ours: keys, theirs: keys)
            for replaces in [#""short""#, #""with space in it""#, "7", #""\#(String(repeating: "x", count: 2_049))""#] {
                let reply = try await world.post("/v1/devices", as: keys.ingest, #"{"replaces": \#(replaces), \#(Self.device)}"#)
                #expect(reply.status == 422 && JSON.isField("replaces", reply), "\(replaces.prefix(20))")
            }
            for (token, topics) in [("first-token", ["a", "b"]), ("second-token", ["b", "c"])] {
                _ = try await Self.register(world, as: keys.ingest, #""token": "\#(token)", "#)
                for topic in topics { try await world.join(token, topic) }
            }
            let merged = try await world.post("/v1/devices", as: keys.ingest, #"{"token": "second-token", "replaces": "first-token"}"#)
            #expect(merged.status == 422)
            // Nothing changed.
            #expect(try await world.get("/v1/devices/first-token")["topics"].items.map(\.text) == ["a", "b"])
            #expect(try await world.get("/v1/devices/second-token")["topics"].items.map(\.text) == ["b", "c"])
        }
    }
}

extension JSON {
    fileprivate static func isField(_ name: String, _ reply: Reply) -> Bool {
        (try? JSON(reply)["errors"][0]["field"].text == name) ?? false
    }
}
